// A service worker between the page and its host. It adds the two headers that isolate the page from others, so that
// browsers allow shared memory for its workers. It caches nothing and changes nothing else; for hosts whose headers
// cannot be configured.

function apart(response) {
  // redirects are opaque and left to the browser
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
