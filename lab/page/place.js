// Links to a scene: "#scene=tumbler&grains=500", with "&paused" if it is not to start.

const MOST = 4000; // characters

// { scene, parameters: [name, value] ..., isPaused } of the part of an address from "#" on
export function readPlace(hash) {
  const place = { parameters: [], isPaused: false };
  if (hash.length > MOST) return place;
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (name === "scene") place.scene = value;
    else if (name === "paused") place.isPaused = true;
    else if (/^[A-Za-z_][A-Za-z_0-9]*$/.test(name) && isFinite(Number(value)) && value !== "") place.parameters.push([name, value]);
  }
  return place;
}

export function writePlace(scene, parameters) {
  return "#" + new URLSearchParams([["scene", scene], ...parameters]).toString();
}
