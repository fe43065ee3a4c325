// A view of what this browser can draw with.

import { PlainView } from "./plain.js";
import { View } from "./view.js";

export function makeView(canvas, camera) {
  try {
    return new View(canvas, camera);
  } catch (error) {
    // one that has tried to be of one kind may not become another
    const other = canvas.cloneNode();
    canvas.replaceWith(other);
    return new PlainView(other, camera);
  }
}
