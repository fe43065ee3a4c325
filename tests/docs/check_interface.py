#!/usr/bin/env python3
"""Doxygen found a text for every function, type, member and macro of the public headers: check_interface.py LOG, its log."""
import re
import sys

from report import bad, end, good


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.read().splitlines()
    warnings = [line for line in lines if "warning:" in line or "error:" in line]
    for line in warnings:
        bad(re.sub(r"^.*/include/", "", line))
    if not warnings:
        good()
    end()


main()
