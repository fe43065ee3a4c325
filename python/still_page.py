"""The page of notebooks in one file: modules of the lab's page, joined, since what is inside an iframe without an address
cannot import.

    python still_page.py FILE
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "\./([\w.]+)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:class|function|const) )(.*)$", re.M)


def find(name):
    """A module of the page, or of what shows states alone."""
    return next(path for path in (ROOT / "lab/still" / name, ROOT / "lab/page" / name) if path.exists())


def names_of(text):
    """What a module exports."""
    names = []
    for line in re.findall(r"^export (.*)$", text, re.M):
        declared = re.match(r"(?:class|function) (\w+)", line)
        # constants may be several in one line
        names += [declared.group(1)] if declared else re.findall(r"(?:^const|,) (\w+) =", line)
    return names


def join(name, done):
    """Modules in the order in which they are needed, each a function whose result is what it exports."""
    if name in done:
        return ""
    done.add(name)
    text = find(name).read_text(encoding="utf-8")
    before = "".join(join(other, done) for _, other in IMPORT.findall(text))

    def import_as_constant(match):
        what, other = match.groups()
        what = what.replace("* as ", "") if what.startswith("*") else what.replace(" as ", ": ")
        return f'const {what} = modules["{other}"];\n'

    body = EXPORT.sub(r"\1", IMPORT.sub(import_as_constant, text))
    return f'{before}modules["{name}"] = (() => {{\n{body}return {{ {", ".join(names_of(text))} }};\n}})();\n'


def make_page():
    """The page with @STATES@ where states go."""
    script = '"use strict";\nconst modules = {};\n' + join("still.js", set())
    if re.search(r"^(import|export)\b", script, re.M) or "</script" in script:
        raise SystemExit("still_page.py: a module has an import, an export or a text that is not understood")
    page = (ROOT / "lab/still/still.html").read_text(encoding="utf-8")
    return page.replace("@SCRIPT@", script)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(make_page(), encoding="utf-8")
