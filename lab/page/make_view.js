// The renderer that this browser supports.

import { PlainView } from "./plain.js";
import { View } from "./view.js";

export function makeView(canvas, camera) {
  try {
    return new View(canvas, camera);
  } catch (error) {
    // a canvas that has tried one kind of context cannot switch to another
    const other = canvas.cloneNode();
    canvas.replaceWith(other);
    return new PlainView(other, camera);
  }
}
