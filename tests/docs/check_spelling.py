#!/usr/bin/env python3
"""The words of the documentation are in the British dictionary or in the project's own list: check_spelling.py WORDS.

Code, names in backquotes, links and words with digits, underscores or capitals within are left out. With --list it prints
the unknown words alone.
"""
import glob
import re
import subprocess
import sys

from report import bad, end, good

# results are tables of names; the reference is made, and its texts are the program's
LEFT_OUT = ("docs/checklist.md", "docs/results/checklist.md")


def pages():
    found = glob.glob("*.md") + glob.glob("docs/**/*.md", recursive=True)
    return sorted(page for page in found if page not in LEFT_OUT)


def words_of(page):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"^ *```.*?^ *```", " ", text, flags=re.M | re.S)
    text = re.sub(r"`[^`]*`", " ", text)
    text = re.sub(r"\]\([^)]*\)", " ", text)
    text = re.sub(r"https?:\S+|<[^>]*>", " ", text)
    words = re.findall(r"[A-Za-z0-9_][A-Za-z0-9_'.\-/]*", text)
    for word in words:
        for part in re.split(r"[-/]|\.(?=\s|$)", word):
            part = part.strip(".'")
            if re.fullmatch(r"[A-Za-z]?[a-z]+('[a-z]+)?", part) and len(part) > 2:
                yield part


def unknown(words):
    run = subprocess.run(["hunspell", "-d", "en_GB", "-l"], input="\n".join(sorted(words)), capture_output=True, text=True,
                         check=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    return set(run.stdout.split())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        own = {line.strip().lower() for line in file if not line.startswith("#")}
    where = {}
    for page in pages():
        for word in words_of(page):
            where.setdefault(word, set()).add(page)
    wrong = {word for word in unknown(where) if word.lower() not in own and word.lower().removesuffix("'s") not in own}
    if "--list" in sys.argv:
        print("\n".join(sorted(wrong, key=str.lower)))
        return
    for word in sorted(wrong):
        bad(f"{', '.join(sorted(where[word])[:3])}: is '{word}' spelt right? If so, add it to {sys.argv[1]}")
    good(len(where) - len(wrong))
    end()


main()
