// The connection to the engine: the server of this page. In the page without a server lab/site/engine.js replaces this
// file.

export function connect() {
  const token = new URLSearchParams(location.search).get("token");
  const query = token ? "?token=" + encodeURIComponent(token) : "";
  const socket = new WebSocket("ws://" + location.host + "/" + query, "scree-lab");
  socket.binaryType = "arraybuffer";
  return socket;
}

export const SILENT = "the lab does not answer; is scree lab running?";
