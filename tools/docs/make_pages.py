#!/usr/bin/env python3
"""What mkdocs builds the site from: make_pages.py FOLDER, from the root of the project.

Copies docs/ and some pages of the root into FOLDER/pages, makes the gallery, and writes FOLDER/mkdocs.yml with all pages in
its list. Links that leave docs/ are turned to copies of what they name.
"""
import csv
import os
import re
import shutil
import sys

# pages of the root, and where they go
ROOT_PAGES = {name: "project/" + name for name in
              ("README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "AUTHORS.md")}
LINK = re.compile(r"(?<=\]\()([^)#\s]+)(#[^)\s]*)?(?=\))")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.pages = os.path.join(folder, "pages")

    def place_of(self, source):
        """Where a file of the project is in the pages, copied there if it must be; None: nowhere."""
        if source.startswith("docs/"):
            return source[len("docs/"):]
        if source in ROOT_PAGES:
            return ROOT_PAGES[source]
        if source.startswith("include/scree/") and source.endswith(".h"):
            return "api/" + os.path.basename(source).replace("_", "__").replace(".h", "_8h.html")
        if not os.path.isfile(source):
            return None
        place = os.path.join("source", source)
        if source.endswith((".md", ".html")):
            place += ".txt"
        target = os.path.join(self.pages, place)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)
        return place

    def turn_links(self, text, source, place):
        """The text of a page with its links as they are from where it goes."""
        def turn(match):
            link, anchor = match.group(1), match.group(2) or ""
            if re.match(r"[a-z]+:", link):
                return match.group(0)
            named = os.path.normpath(os.path.join(os.path.dirname(source), link))
            target = self.place_of(named)
            if target is None and os.path.isdir(named) and os.path.isfile(named + "/README.md"):
                target = self.place_of(named + "/README.md")
            if target is None:
                target = self.place_of("README.md") if os.path.isdir(named) else link
            return os.path.relpath(target, os.path.dirname(place) or ".") + anchor

        # not within blocks of code
        parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
        return "".join(part if part.startswith("```") else LINK.sub(turn, part) for part in parts)

    def copy_page(self, source, place):
        write(os.path.join(self.pages, place), self.turn_links(read(source), source, place))

    def add_home(self):
        """The first page, whose links are as from docs/; some lead to pages that are made."""
        write(os.path.join(self.pages, "index.md"), read("tools/docs/home.md"))

    def copy_docs(self):
        for folder, _, names in os.walk("docs"):
            for name in names:
                source = os.path.join(folder, name)
                place = source[len("docs/"):]
                if name.endswith(".md"):
                    self.copy_page(source, place)
                else:
                    os.makedirs(os.path.dirname(os.path.join(self.pages, place)), exist_ok=True)
                    shutil.copy(source, os.path.join(self.pages, place))
        for source, place in ROOT_PAGES.items():
            self.copy_page(source, place)


def title_of(page):
    """The first heading, without marks."""
    for line in read(page).splitlines():
        if line.startswith("# "):
            return line[2:].replace("`", "").strip()
    raise SystemExit(f"{page}: no heading")


def scenes():
    return sorted(name[:-4] for name in os.listdir("examples/scenes") if name.endswith(".lua"))


def guide_page_of(scene):
    """The page of the guide that has the picture of a scene."""
    for name in sorted(os.listdir("docs/guide")):
        if name.endswith(".md") and f"scene-{scene}.png" in read("docs/guide/" + name):
            return "guide/" + name
    raise SystemExit(f"no page of the guide shows examples/scenes/{scene}.lua")


def first_words(scene):
    """What the comment at the beginning of a scene says."""
    words = []
    for line in read(f"examples/scenes/{scene}.lua").splitlines():
        if not line.startswith("--"):
            break
        words.append(line.lstrip("- "))
    return " ".join(words)


def times():
    """Steps and time of each scene, as tools/docs/gallery_times.sh has written them."""
    with open("docs/results/gallery.csv", encoding="utf-8", newline="") as file:
        return {row["scene"]: f"{plain(row['steps'])} steps, {row['run']}" for row in csv.DictReader(file)}


def plain(text):
    """Without powers of ten."""
    return re.sub(r"[0-9.]+e\+[0-9]+", lambda number: f"{float(number.group()):,.0f}", text)


def gallery(site):
    lines = ["# Gallery", "",
             "Every example scene: its picture, its page, its text, and how long it runs. Run one with `scree run examples/scenes/NAME.lua`, or",
             "play with it in a browser: `scree lab examples/scenes/NAME.lua`. Each run keeps its film: `scree render out/NAME --out film` draws it,",
             "and `scree lab out/NAME` plays it. `./do gallery` made the films here.", "",
             "Times are those of one thread of an Intel Xeon with AVX-512, with pictures and files, as `scree check` predicts them",
             "(`sh tools/docs/gallery_times.sh build/release/scree`).", ""]
    time_of = times()
    for scene in scenes():
        if scene not in time_of:
            raise SystemExit(f"docs/results/gallery.csv lacks {scene}: sh tools/docs/gallery_times.sh build/release/scree")
        film = f"images/film-{scene}.webm"
        if not os.path.isfile("docs/" + film):
            raise SystemExit(f"docs/{film} is not there: ./do gallery {scene}")
        text = site.place_of(f"examples/scenes/{scene}.lua")
        page = guide_page_of(scene)
        lines += [f"## {scene}", "", first_words(scene), "",
                  f'<video src="{film}" poster="images/scene-{scene}.png" width="480" preload="none" controls loop muted playsinline></video>', "",
                  f"[page]({page}) - [film]({film}) - [scene]({text}) - {time_of[scene]}", ""]
    write(os.path.join(site.pages, "gallery.md"), "\n".join(lines))


def entries(pages, taken):
    """Lines of mkdocs.yml for pages that are not in the list yet."""
    return "\n".join(f"      - \"{title_of('docs/' + page)}\": {page}" for page in pages if page not in taken)


def pages_in(folder):
    if not os.path.isdir("docs/" + folder):
        return []
    names = sorted(name for name in os.listdir("docs/" + folder) if name.endswith(".md"))
    return [f"{folder}/{name}" for name in sorted(names, key=lambda name: name != "README.md")]


def mkdocs_file(site):
    text = read("tools/docs/mkdocs.yml")
    taken = set(re.findall(r": (\S+\.md)$", text, flags=re.M))
    made = {"SCENES": sorted({guide_page_of(scene) for scene in scenes()}), "METHODS": pages_in("methods"),
            "CONCEPTS": pages_in("concepts"), "HOWTO": pages_in("howto"), "RESULTS": pages_in("results")}
    for name, pages in made.items():
        text = text.replace(f"@{name}@\n", entries(pages, taken) + "\n" if entries(pages, taken) else "")
    write(os.path.join(site.folder, "mkdocs.yml"), text)


def main():
    site = Site(sys.argv[1])
    site.copy_docs()
    site.add_home()
    gallery(site)
    mkdocs_file(site)


main()
