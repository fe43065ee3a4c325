// The scene editor: Ctrl+Enter runs the text; errors are shown at their line; completion.js helps while it is written.

import { Completion } from "./completion.js";

const by = (id) => document.getElementById(id);

export class Editor {
  constructor(run) {
    this.text = by("text");
    this.completion = new Completion(this.text);
    this.own = false; // edited by hand since it was shown
    this.text.addEventListener("input", () => { this.own = true; this.mark(0, ""); });
    this.text.addEventListener("scroll", () => { by("lines").scrollTop = this.text.scrollTop; });
    this.text.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (this.completion.key(event)) { event.preventDefault(); return; }
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(this.text.value); }
      if (event.key === "Escape") this.show(false);
    });
    by("editor-run").addEventListener("click", () => run(this.text.value));
    by("editor-close").addEventListener("click", () => this.show(false));
    by("edit").addEventListener("click", () => this.show(by("editor").hidden));
  }

  show(is) {
    by("editor").hidden = !is;
    this.makeRoom(is);
    by("edit").setAttribute("aria-expanded", String(is));
    if (is) this.text.focus(); else by("view").focus();
  }

  // The view keeps half of the window: where it is narrow the panel is put away while the editor is open.
  makeRoom(is) {
    const panel = by("panel"), isUpright = matchMedia("(max-width: 760px) and (orientation: portrait)").matches;
    const put = (hidden) => { panel.hidden = hidden; by("panel-toggle").setAttribute("aria-expanded", String(!hidden)); };
    if (is && !panel.hidden && (isUpright || by("view").clientWidth < innerWidth / 2)) {
      this.hasPutAway = true;
      put(true);
    } else if (!is && this.hasPutAway) {
      this.hasPutAway = false;
      put(false);
    }
  }

  // the running scene
  set(text, name) {
    by("editor-name").textContent = name;
    if (this.text.value !== text) this.text.value = text;
    this.own = false;
    this.mark(0, "");
  }

  mark(line, message) {
    const count = this.text.value.split("\n").length, rows = [];
    for (let k = 1; k <= count; k++) {
      const row = document.createElement("span");
      row.textContent = k;
      if (k === line) row.className = "bad";
      rows.push(row);
    }
    by("lines").replaceChildren(...rows);
    by("lines").scrollTop = this.text.scrollTop;
    by("editor-error").textContent = message;
    if (line) {
      const height = 19, top = (line - 1) * height;
      if (top < this.text.scrollTop || top > this.text.scrollTop + this.text.clientHeight - 2 * height)
        this.text.scrollTop = Math.max(0, top - this.text.clientHeight / 2);
    }
  }
}
