"""Which commands of tests reach a line, counted once by gcov."""
import bisect
import concurrent.futures
import glob
import gzip
import hashlib
import json
import os
import queue
import shutil
import subprocess

from .build import place_of


def is_reached(counts):
    """Whether a file of counts has any: its summary ends with the largest. What gcov then need not read is most."""
    with open(counts, "rb") as file:
        head = file.read(40)
    at = head.find(b"\0\0\0\xa1")
    return at < 0 or head[at + 12:at + 16] != bytes(4)


class Reach:
    """Commands by file and line. What each command reaches is kept until the library or its program changes."""

    def __init__(self, work, build):
        self.build = build
        self.kept = os.path.join(work, "reach")
        self.commands = []
        self.masks = {}   # {file: {line: a bit for each command}}, 0 for a line that none reaches
        self.lines = {}   # {file: those lines, sorted}
        self.spans = {}   # {file: {(first line, last line) of each function}}
        self.objects_key = build.key_of()
        os.makedirs(self.kept, exist_ok=True)

    def measure(self, commands, jobs, limit_of, say):
        slots = queue.Queue()
        for slot in range(jobs):
            slots.put(self.make_slot(slot))

        def work(command):
            slot = slots.get()
            try:
                return self.read(command) or self.count(command, slot, limit_of(command))
            finally:
                slots.put(slot)

        self.commands = commands
        self.find_lines(self.make_slot(jobs))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for number, (command, found) in enumerate(zip(commands, pool.map(work, commands))):
                if not found:
                    say("%s cannot be counted: it is held to reach all lines" % command)
                self.add(number, found)
        everywhere = self.masks.pop("", 0)
        for path, masks in self.masks.items():
            for line in masks:
                masks[line] |= everywhere
            self.lines[path] = sorted(masks)

    def make_slot(self, slot):
        """A folder where counts come to lie beside what gcov knows of the objects."""
        folder = os.path.join(self.build.folder, "slot%d" % slot)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for notes in glob.glob(os.path.join(self.build.folder, "*.gcno")):
            os.symlink(notes, os.path.join(folder, os.path.basename(notes)))
        return folder

    def name(self, command):
        key = self.objects_key + self.build.key_of(place_of(command)[1]) + command
        return os.path.join(self.kept, hashlib.sha256(key.encode()).hexdigest()[:32] + ".json.gz")

    def read(self, command):
        if not os.path.exists(self.name(command)):
            return None
        with gzip.open(self.name(command), "rt") as file:
            return json.load(file)

    def gcov(self, folder, names):
        """What gcov knows of the sources of objects, given by the names of their counts or notes."""
        done = subprocess.run(["gcov", "--json-format", "--stdout"] + names, cwd=folder, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) if names else None
        for text in done.stdout.splitlines() if done else []:
            for file in json.loads(text)["files"] if text.startswith(b"{") else []:
                path = os.path.normpath(file["file"])
                if path.startswith(("src/", "include/")):
                    yield path, file

    def find_lines(self, slot):
        """All lines that have code, and all functions."""
        for path, file in self.gcov(slot, sorted(os.path.basename(p) for p in glob.glob(slot + "/src+*.gcno"))):
            masks = self.masks.setdefault(path, {})
            for line in file["lines"]:
                masks.setdefault(line["line_number"], 0)
            self.spans.setdefault(path, set()).update((f["start_line"], f["end_line"]) for f in file["functions"])

    def count(self, command, slot, limit):
        """{file: lines reached}, or None if it crashes."""
        for counts in glob.glob(os.path.join(slot, "*.gcda")):
            os.remove(counts)
        place, name, arguments = place_of(command)
        depth = len(self.build.folder.strip("/").split("/"))
        place.update(GCOV_PREFIX=slot, GCOV_PREFIX_STRIP=str(depth))
        words = ["%s=%s" % pair for pair in place.items()] + [name] + arguments
        self.build.run(" ".join(words), "quick", limit, to_end=True)
        counts = sorted(os.path.basename(p) for p in glob.glob(slot + "/src+*.gcda"))
        if not counts:
            return None
        found = {}
        for path, file in self.gcov(slot, [c for c in counts if is_reached(os.path.join(slot, c))]):
            found.setdefault(path, set()).update(x["line_number"] for x in file["lines"] if x["count"])
        found = {path: sorted(lines) for path, lines in found.items()}
        part = self.name(command) + ".part"
        with gzip.open(part, "wt", compresslevel=1) as file:
            json.dump(found, file)
        os.replace(part, self.name(command))
        return found

    def add(self, number, found):
        bit = 1 << number
        if not found:
            self.masks[""] = self.masks.get("", 0) | bit
            return
        for path, lines in found.items():
            masks = self.masks.setdefault(path, {})
            for line in lines:
                masks[line] = masks.get(line, 0) | bit

    def of(self, path, line):
        """Commands that reach a line, from 1. A line without code of its own is reached where its neighbours in its
        function are; one outside all functions, as of a table, where any line of the file is."""
        masks, lines = self.masks.get(path, {}), self.lines.get(path, [])
        if line in masks:
            mask = masks[line]
        else:
            span = next((s for s in self.spans.get(path, ()) if s[0] <= line <= s[1]), None)
            mask, at = 0, bisect.bisect(lines, line)
            near = [k for k in lines[max(at - 1, 0):at + 1] if span[0] <= k <= span[1]] if span else lines
            for k in near:
                mask |= masks[k]
        return [command for number, command in enumerate(self.commands) if mask >> number & 1]
