// The connection to the engine: the server of this page. In the page without a server lab/site/engine.js replaces this
// file.

import { ServedRun } from "./run.js";

const token = new URLSearchParams(location.search).get("token");
const query = token ? "?token=" + encodeURIComponent(token) : "";

export function connect() {
  const socket = new WebSocket("ws://" + location.host + "/" + query, "scree-lab");
  socket.binaryType = "arraybuffer";
  return socket;
}

async function get(path) {
  const answer = await fetch(path + query);
  if (!answer.ok) throw new Error("the lab has no " + path + " (" + answer.status + ")");
  return answer;
}

// a file of the page, as text
export async function pageText(name) { return (await get(name)).text(); }

// the runs that the program was started with
export async function servedRuns() {
  const { runs } = await (await get("runs")).json();
  return runs.map((name, k) => new ServedRun(name, k, get));
}

export const SILENT = "the lab does not answer; is scree lab running?";
