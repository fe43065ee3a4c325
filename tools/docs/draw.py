#!/usr/bin/env python3
"""Draws the pictures of docs/methods and docs/concepts into docs/images.

usage: draw.py [--check] [DIR]

--check changes nothing: exit code 1 if a file is not what this script draws."""

import sys
from pathlib import Path

import draw_grids
import draw_others
import draw_sorting
import draw_trees

MAX_BYTES = 20_000
PICTURES = draw_sorting.PICTURES | draw_grids.PICTURES | draw_trees.PICTURES | draw_others.PICTURES


def main(arguments):
    is_check = "--check" in arguments
    folders = [a for a in arguments if not a.startswith("-")]
    folder = Path(folders[0] if folders else Path(__file__).parents[2] / "docs" / "images")
    failed = 0
    for name, draw in PICTURES.items():
        path, text = folder / f"{name}.svg", draw().svg()
        if len(text.encode()) > MAX_BYTES:
            print(f"{path}: {len(text.encode())} bytes, must be at most {MAX_BYTES}")
            failed = 1
        if not is_check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path} is not what tools/docs/draw.py draws; run it without --check")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
