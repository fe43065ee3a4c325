#!/usr/bin/env python3
"""Every link of the site leads to a file and a place in it, and no page loads anything from elsewhere: check_site.py FOLDER."""
import os
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from report import bad, end, good

# what is loaded as soon as a page is opened
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href"), ("video", "src"), ("video", "poster")}
NOT_LOADED = {"canonical", "next", "prev"} # relations of <link>


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.loaded = set(), [], []
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name):
                self.places.add(values[name])
        for name in ("href", "src", "poster"):
            if not values.get(name):
                continue
            self.links.append(values[name])
            if (tag, name) in LOADED and values.get("rel") not in NOT_LOADED:
                self.loaded.append(values[name])


def is_elsewhere(link):
    """What is not in the site; data and scripts within a link are."""
    return link.startswith("//") or re.match(r"(?!data:|javascript:)[a-z]+:", link) is not None


def check_links(pages, path, page):
    for link in page.links:
        if re.match(r"//|[a-z]+:", link):
            continue
        parts = urlsplit(link)
        target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
        if not os.path.exists(target):
            bad(f"{path} links to {link}, which is not there")
        # places within the pages of the C interface are doxygen's own, which forgets those of unions without a name
        elif parts.fragment and "/api/" not in target and target in pages and unquote(parts.fragment) not in pages[target].places:
            bad(f"{path} links to {link}, and there is no such place in it")
        else:
            good()


def check_loaded(path, page):
    for link in page.loaded:
        if is_elsewhere(link):
            bad(f"{path} loads {link}")
        else:
            good()


def check_styles(folder):
    """Styles and scripts may load, too."""
    for root, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".css"):
                path = os.path.join(root, name)
                with open(path, encoding="utf-8") as file:
                    found = re.search(r"(url\(|@import)\s*[\"']?(https?:)?//[^)]*", file.read())
                if found:
                    bad(f"{path} loads {found.group(0)}")
                else:
                    good()


def main():
    folder = os.path.normpath(sys.argv[1])
    pages = {}
    for root, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(root, name)
                pages[path] = Page(path)
    for path, page in sorted(pages.items()):
        # the page for what is not there has links from the root of a host
        if os.path.basename(path) != "404.html":
            check_links(pages, path, page)
        check_loaded(path, page)
    check_styles(folder)
    end()


main()
