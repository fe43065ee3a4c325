// Stands between the page and its host, and adds the two headers by which a page keeps apart from others, so that a browser
// lets its workers share memory. Nothing is kept, and nothing else is changed: for hosts whose headers one cannot choose.

function apart(response) {
  // of what leads elsewhere the browser alone may know
  if (response.status === 0) return response;
  const headers = new Headers(response.headers), { status, statusText } = response;
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  return new Response(response.body, { status, statusText, headers });
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) event.respondWith(fetch(request).then(apart));
});
