// The words of the scene language, from the reference that the program writes (docs/guide/reference.md), and what is meant at a
// place of a text.

const LUA = ["and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while"];
const OTHERS = ["math", "table", "string", "print", "ipairs", "pairs", "tostring", "tonumber"];

// { name: { summary, example, fields: { name: { type, range, standard, help, words } } } } from the reference
export function readReference(markdown) {
  const functions = {};
  for (const part of markdown.split(/^### /m).slice(1)) {
    const name = part.match(/^[a-z_]+/)[0], body = part.slice(name.length).trimStart(), made = { summary: body.split("\n\n")[0], fields: {} };
    made.example = (body.match(/```lua\n([^]*?)```/) || ["", ""])[1].trim();
    for (const row of body.matchAll(/^\| `([a-z_0-9]+)` \| (.*?) \| (.*?) \| (.*?) \| (.*) \|$/gm)) {
      const [, field, type, range, standard, help] = row;
      made.fields[field] = { type, range, standard, help, words: [...help.matchAll(/"([a-z0-9-]+)"/g)].map((found) => found[1]) };
    }
    functions[name] = made;
  }
  return functions;
}

// What a place of a text belongs to: { call, field, isText, isComment }: the function in whose braces it is, and the field whose
// value it is in.
export function contextAt(text, at) {
  const stack = [{ call: "", field: "" }];
  let name = "", k = 0;
  const top = () => stack[stack.length - 1];
  while (k < at) {
    const rest = text.slice(k, k + 400), c = text[k];
    if (rest.startsWith("--")) {
      const long = rest.startsWith("--[["), end = text.indexOf(long ? "]]" : "\n", k);
      if (end < 0 || end >= at) return { ...top(), isText: false, isComment: true };
      k = end + (long ? 2 : 1);
      continue;
    }
    if (c === '"' || c === "'") {
      let end = k + 1;
      while (end < text.length && text[end] !== c && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
      if (end >= at) return { ...top(), isText: true, isComment: false };
      k = end + 1;
      name = "";
      continue;
    }
    const word = rest.match(/^[A-Za-z_][A-Za-z_0-9]*/);
    if (word) {
      if (k + word[0].length >= at) break; // the word that is being written
      name = word[0];
      k += word[0].length;
      continue;
    }
    if (c === "{" || c === "(") { stack.push({ call: name, field: "" }); name = ""; }
    else if ((c === "}" || c === ")") && stack.length > 1) { stack.pop(); name = ""; }
    else if (c === "=" && text[k + 1] !== "=") { top().field = name; name = ""; }
    else if (c === "," || c === ";" || (c === "\n" && stack.length === 1)) { top().field = ""; name = ""; }
    else if (!/\s/.test(c)) name = "";
    k++;
  }
  return { ...top(), isText: false, isComment: false };
}

// the word around a place: [text, begin]
export function wordAt(text, at) {
  let begin = at, end = at;
  const isPart = (c) => c !== undefined && /[A-Za-z_0-9-]/.test(c);
  while (begin > 0 && isPart(text[begin - 1])) begin--;
  while (isPart(text[end])) end++;
  return [text.slice(begin, end), begin];
}

export class Words {
  constructor(markdown) { this.functions = readReference(markdown); }

  // names that the text gives
  variables(text) {
    const found = new Set();
    for (const [, name] of text.matchAll(/(?:^|\n|local\s)\s*([A-Za-z_][A-Za-z_0-9]*)\s*=[^=]/g)) found.add(name);
    for (const [, names] of text.matchAll(/for\s+([A-Za-z_0-9, ]+?)\s+in\b/g)) for (const name of names.split(",")) found.add(name.trim());
    return found;
  }

  // What may stand at a place: { from, begun, list: [{ word, kind, help }] }; what begins as the text before it does.
  suggest(text, at) {
    const context = contextAt(text, at), begun = text.slice(0, at).match(/[A-Za-z_0-9-]*$/)[0], inside = this.functions[context.call];
    const list = [], add = (word, kind, help) => { if (word.startsWith(begun) && word !== begun && !list.some((one) => one.word === word)) list.push({ word, kind, help }); };
    if (context.isComment) return { from: at, begun: "", list };
    if (context.isText) {
      const field = inside && inside.fields[context.field];
      if (field) for (const word of field.words) add(word, "word", "");
      return { from: at - begun.length, begun, list };
    }
    const name = begun.match(/[A-Za-z_0-9]*$/)[0];
    if (inside && !context.field) {
      for (const [field, told] of Object.entries(inside.fields)) add(field, "field", this.line(told));
      return { from: at - name.length, begun: name, list };
    }
    // the variables first: they are what a value mostly is
    const written = text.slice(0, at - begun.length) + text.slice(at);
    for (const word of this.variables(written)) if (!this.functions[word]) add(word, "here", "");
    for (const [word, told] of Object.entries(this.functions)) add(word, "function", told.summary);
    for (const word of [...OTHERS, ...LUA]) add(word, "Lua", "");
    return { from: at - name.length, begun: name, list };
  }

  line({ type, range, standard, help }) {
    return [type, range, standard === "required" ? "required" : standard ? "default " + standard : ""].filter((part) => part.trim()).join("; ") + ". " + help;
  }

  // what the reference says about the word at a place: [title, text], or null
  help(text, at) {
    const [word] = wordAt(text, at), context = contextAt(text, at), inside = this.functions[context.call];
    if (!word || context.isComment) return null;
    if (!context.isText && inside && !context.field && inside.fields[word]) return [context.call + " { " + word + " }", this.line(inside.fields[word])];
    if (context.isText && inside && inside.fields[context.field]) return [context.call + " { " + context.field + " }", this.line(inside.fields[context.field])];
    if (!context.isText && this.functions[word]) return [word, this.functions[word].summary + " Fields: " + Object.keys(this.functions[word].fields).join(", ") + "."];
    return null;
  }
}
