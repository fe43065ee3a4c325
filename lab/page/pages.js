// The pages of the detection methods (docs/methods), which are served with this page: Markdown, as far as they use it.

const by = (id) => document.getElementById(id);

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

// Inline: code, strong, emphasis, links. link(address): what a link does, null if it leads nowhere here.
function inline(text, link) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/g)) {
    const [all, code, strong, stressed, words, address] = found;
    parts.push(text.slice(at, found.index));
    at = found.index + all.length;
    if (code) parts.push(element("code", code));
    else if (strong) parts.push(element("b", ...inline(strong, link)));
    else if (stressed) parts.push(element("i", ...inline(stressed, link)));
    else parts.push(link(inline(words, link), address));
  }
  return [...parts, text.slice(at)].filter((part) => part !== "");
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

function table(lines, link) {
  const row = (line, name) => element("tr", ...cells(line).map((cell) => element(name, ...inline(cell, link))));
  return element("table", row(lines[0], "th"), ...lines.slice(2).map((line) => row(line, "td")));
}

// One block of lines without an empty line; a list has its items on lines of their own, which may go on.
function block(lines, link, picture) {
  const text = lines.join(" "), heading = text.match(/^(#{1,4}) (.*)$/), image = text.match(/^!\[([^\]]*)\]\(([^)]+)\)$/);
  if (heading) return element("h" + heading[1].length, ...inline(heading[2], link));
  if (image) return picture(image[1], image[2]);
  if (lines[0].startsWith("|")) return table(lines, link);
  const isList = lines[0].match(/^(-|\d+\.) /);
  if (!isList) return element("p", ...inline(text, link));
  const items = [];
  for (const line of lines) {
    const item = line.match(/^(?:-|\d+\.) (.*)$/);
    if (item) items.push(item[1]); else items[items.length - 1] += " " + line.trim();
  }
  return element(isList[1] === "-" ? "ul" : "ol", ...items.map((item) => element("li", ...inline(item, link))));
}

// A text as elements.
export function render(text, link, picture) {
  const made = [];
  let lines = [], code = null;
  const end = () => { if (lines.length) made.push(block(lines, link, picture)); lines = []; };
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) {
      end();
      if (code) { made.push(element("pre", code.join("\n"))); code = null; } else code = [];
    } else if (code) code.push(line);
    else if (line.trim() === "") end();
    else if (line.startsWith("#")) { end(); lines = [line]; end(); }
    else lines.push(line);
  }
  end();
  return made;
}

// Shows them over the page.
export class MethodPages {
  // get: fetches a file of the page as text
  constructor(get) {
    this.get = get;
    by("page-close").addEventListener("click", () => by("page").close());
    by("page").addEventListener("click", (event) => { if (event.target === by("page")) by("page").close(); });
    by("page").addEventListener("keydown", (event) => event.stopPropagation());
  }

  // the file of a method, by the table of the overview
  async fileOf(method) {
    this.overview = this.overview || await this.get("README.md");
    const row = this.overview.split("\n").find((line) => line.startsWith("| `" + method + "` |")) || "";
    return (row.match(/\(([a-z0-9-]+\.md)\) \|$/) || [null, "README.md"])[1];
  }

  async openMethod(method) { await this.open(await this.fileOf(method)); }

  // links between the pages work; others lead out of what is here, so only their words are shown
  async open(file) {
    const text = await this.get(file);
    const link = (words, address) => {
      if (!/^[a-zA-Z0-9-]+\.md$/.test(address)) return element("span", ...words);
      const made = element("a", ...words);
      made.href = "#";
      made.addEventListener("click", (event) => { event.preventDefault(); this.open(address); });
      return made;
    };
    const picture = (words, address) => {
      if (!/^\.\.\/images\/method-[a-z0-9-]+\.svg$/.test(address)) return element("p", element("i", words));
      const made = element("img");
      made.alt = words;
      made.src = address.split("/").pop();
      return made;
    };
    by("page-text").replaceChildren(...render(text, link, picture));
    if (!by("page").open) by("page").showModal();
    by("page").scrollTop = 0;
  }
}
