// Help while a scene is written: a list of words that may come next, and what the reference says about a word, under the mouse or at
// the caret.

import { Words } from "./words.js";

const by = (id) => document.getElementById(id);
const MOST = 8; // words that are shown
const LINE = 19, TOP = 8; // pixels, as in style.css
const TAB = 4;

export class Completion {
  constructor(text) {
    this.text = text;
    this.words = new Words("");
    this.list = [];
    this.chosen = -1;
    text.addEventListener("input", () => this.open());
    text.addEventListener("blur", () => this.close());
    text.addEventListener("scroll", () => { this.close(); by("word-help").hidden = true; });
    text.addEventListener("mousemove", (event) => this.hover(event));
    text.addEventListener("mouseleave", () => { by("word-help").hidden = true; });
    document.addEventListener("selectionchange", () => { if (document.activeElement === text) this.atCaret(); });
  }

  read(markdown) { this.words = new Words(markdown); }

  get isOpen() { return this.list.length > 0; }

  // ---- where letters are

  // width of a letter of the editor
  letter() {
    if (!this.width) {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = getComputedStyle(this.text).font;
      this.width = pen.measureText("0000000000").width / 10;
    }
    return this.width;
  }

  // column as it is shown: tabs are wide
  column(line) {
    let column = 0;
    for (const c of line) column += c === "\t" ? TAB - column % TAB : 1;
    return column;
  }

  // a box below the place `at` of the text, inside of the editor
  put(box, at) {
    const lines = this.text.value.slice(0, at).split("\n"), text = this.text, padding = parseFloat(getComputedStyle(text).paddingLeft);
    box.hidden = false;
    const x = text.offsetLeft + padding + this.column(lines[lines.length - 1]) * this.letter() - text.scrollLeft, y = TOP + lines.length * LINE - text.scrollTop;
    const room = text.parentElement, isLow = y + box.offsetHeight > room.clientHeight && y - LINE > box.offsetHeight;
    box.style.left = Math.max(0, Math.min(x, room.clientWidth - box.offsetWidth - 4)) + "px";
    box.style.top = (isLow ? y - LINE - box.offsetHeight : y) + "px";
  }

  // the place of the text under the mouse
  placeUnder(event) {
    const text = this.text, padding = parseFloat(getComputedStyle(text).paddingLeft), lines = text.value.split("\n");
    const row = Math.floor((event.offsetY + text.scrollTop - TOP) / LINE), wanted = (event.offsetX + text.scrollLeft - padding) / this.letter();
    if (row < 0 || row >= lines.length || wanted < 0) return -1;
    let k = 0;
    while (k < lines[row].length && this.column(lines[row].slice(0, k + 1)) <= wanted) k++;
    if (k >= lines[row].length) return -1;
    return lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + k;
  }

  // ---- the list

  // wants: also where no letter has been written
  open(wants = false) {
    const at = this.text.selectionStart, { from, begun, list } = this.words.suggest(this.text.value, at);
    const isDone = this.text.selectionEnd !== at || (!wants && begun === "") || /[A-Za-z_0-9]/.test(this.text.value[at] || "");
    this.list = isDone ? [] : list.slice(0, MOST);
    this.from = from;
    this.chosen = -1;
    if (!this.list.length) { this.close(); return; }
    by("completion").replaceChildren(...this.list.map((one, k) => {
      const row = document.createElement("li"), kind = document.createElement("span");
      row.id = "completion-" + k;
      row.setAttribute("role", "option");
      kind.textContent = one.kind;
      row.append(one.word, kind);
      // before the editor loses the focus
      row.addEventListener("pointerdown", (event) => { event.preventDefault(); this.take(k); });
      return row;
    }));
    this.put(by("completion"), from);
    this.mark();
  }

  close() {
    this.list = [];
    by("completion").hidden = true;
    this.text.removeAttribute("aria-activedescendant");
  }

  mark() {
    [...by("completion").children].forEach((row, k) => row.setAttribute("aria-selected", String(k === this.chosen)));
    if (this.chosen >= 0) this.text.setAttribute("aria-activedescendant", "completion-" + this.chosen);
    const one = this.list[this.chosen];
    if (one) by("caret-help").textContent = one.word + (one.help ? ": " + one.help : "");
  }

  // replaces what has been begun, as if it were typed, so that the browser can undo it
  take(k) {
    const { word } = this.list[k];
    this.text.setSelectionRange(this.from, this.text.selectionStart);
    this.close();
    if (!document.execCommand("insertText", false, word)) this.text.setRangeText(word, this.from, this.text.selectionEnd, "end");
    this.close();
  }

  // whether a key was for the list
  key(event) {
    if (event.key === " " && event.ctrlKey) { this.open(true); return true; }
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    const steps = { ArrowDown: 1, ArrowUp: -1 }, step = steps[event.key];
    if (step) {
      this.chosen = this.chosen < 0 ? (step > 0 ? 0 : this.list.length - 1) : (this.chosen + step + this.list.length) % this.list.length;
      this.mark();
      return true;
    }
    if (event.key === "Escape") { this.close(); return true; }
    // Enter is a new line, unless a word has been chosen
    if (event.key === "Tab" && !event.shiftKey) { this.take(Math.max(0, this.chosen)); return true; }
    if (event.key === "Enter" && this.chosen >= 0) { this.take(this.chosen); return true; }
    if (event.key === "ArrowLeft" || event.key === "ArrowRight" || event.key === "Enter") this.close();
    return false;
  }

  // ---- help

  atCaret() {
    if (this.isOpen && this.chosen >= 0) return;
    const told = this.words.help(this.text.value, this.text.selectionStart);
    by("caret-help").textContent = told ? told[0] + ": " + told[1] : "";
  }

  hover(event) {
    const at = event.buttons ? -1 : this.placeUnder(event), told = at < 0 ? null : this.words.help(this.text.value, at), box = by("word-help");
    if (!told) { box.hidden = true; return; }
    const title = document.createElement("b");
    title.textContent = told[0];
    box.replaceChildren(title, document.createElement("br"), told[1]);
    this.put(box, at);
  }
}
