#!/usr/bin/env python3
"""Plants faults in the library, one at a time, and sees whether the tests find them.

    tools/mutate.py [--count N] [--seed S] [--files GLOB ...] [--jobs J] [--least PERCENT] [--list]

Works on a copy in build/mutate; the working tree is not touched. Each fault changes one operator,
constant or statement of one line; the object it is in is compiled again and the quick tests run, the
cheapest first, until one fails (the fault is killed) or none does (it survives). Faults that do not
compile, or that compile to the same code, do not count. Exit code 1 below 90 %.

Some lines change only speed, as how a tree chooses where to put a box: no test can find a fault there,
and none should. A comment that says "only speed" excuses the line it is on; if it stands alone, the
line below it; and if that line begins a function, the whole function."""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build", "mutate")
TREE = os.path.join(WORK, "tree")
FLAGS = ["-std=c17", "-O1", "-w", "-D_POSIX_C_SOURCE=200809L", "-ffp-contract=off",
         "-Iinclude", "-Isrc", "-Itests"]

# programs and arguments, in the order in which they are run; each with its limit in seconds
SUITE = [
    (["campaign", "detect", "--scenes", "300", "--shrink", "no"], 60),
    (["test_detector"], 30),
    (["test_queries"], 30),
    (["test_tree_methods"], 60),
    (["test_hashing_methods"], 60),
    (["test_sorting_methods"], 60),
    (["test_axis_sort"], 30),
    (["test_margins"], 60),
    (["test_bad_input"], 60),
    (["campaign", "detect", "--seed", "100000", "--scenes", "2000", "--shrink", "no"], 120),
    (["test_differential_threads", "small"], 120),
    (["test_differential", "many_bodies"], 120),
    (["test_faults"], 240),
]

SWAPS = [
    (r"<=", "<"), (r">=", ">"), (r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"),
    (r"(?<=\s)<(?=\s)", "<="), (r"(?<=\s)>(?=\s)", ">="),
    (r"(?<=\s)\+(?=\s)", "-"), (r"(?<=\s)-(?=\s)", "+"), (r"(?<=[\w\])] )\*(?= [\w(])", "+"),
    (r"\+\+", "--"), (r"(?<!-)--(?!-)", "++"), (r"\+=", "-="), (r"-=", "+="),
    (r"\|=", "&="), (r"&=", "|="), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"\[0\]", "[1]"), (r"\[1\]", "[0]"), (r"\blower\b(?=\[)", "upper"),
    (r"\bupper\b(?=\[)", "lower"),
]
NUMBER = re.compile(r"(?<![\w.])(\d+)(?=u?\b)(?![.\w]*\.)(?!x)")
STATEMENT = re.compile(r"^\s+(?!return\b|goto\b|typedef\b|static\b|const\b|else\b|case\b|default\b)"
                       r"[\w(*&][^{}]*;\s*$")
BARE_IF = re.compile(r"^(\s*(?:\} else )?(?:if|while) )\((.*)\)( \{)?\s*$")


def blank(text):
    """The text with comments, strings and directives as blanks, so that places stay."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*'
    return re.sub(pattern, spaces, text, flags=re.S | re.M)


def excused_lines(lines):
    """Numbers of the lines that change only speed, from 0."""
    excused = set()
    for number, line in enumerate(lines):
        if "only speed" not in line:
            continue
        if not re.match(r"\s*(/\*|\w.*\*/|\*)", line) or blank(line).strip():
            if blank(line).strip() and not re.match(r"^\s*[\w ,:;'.-]+\*/\s*$", line):
                excused.add(number)
                continue
        # a comment of its own: to its end, then what follows
        below = number
        while below < len(lines) and "*/" not in lines[below]:
            below += 1
        below += 1
        if below >= len(lines):
            continue
        excused.add(below)
        if lines[below][:1].strip():
            while below < len(lines) and not lines[below].startswith("}"):
                excused.add(below)
                below += 1
    return excused


def faults_of_line(number, line, code, first, last):
    """All (line number, text, what) for one line; `code` is the line without comments and strings."""
    for pattern, to in SWAPS:
        for match in re.finditer(pattern, code):
            yield number, line[:match.start()] + to + line[match.end():], match.group(0) + " -> " + to
    for match in NUMBER.finditer(code):
        value = int(match.group(1))
        for other in (value + 1, value - 1):
            if other >= 0:
                yield (number, line[:match.start(1)] + str(other) + line[match.end(1):],
                       "%d -> %d" % (value, other))
    match = BARE_IF.match(code)
    if match and code.count("(") == code.count(")"):
        inner = line[match.start(2):match.end(2)]
        yield (number, match.group(1) + "(!(" + inner + "))" + (match.group(3) or ""), "negated")
    if first and last and STATEMENT.match(code) and code.count("(") == code.count(")"):
        yield number, re.match(r"\s*", line).group(0) + ";", "dropped"


def faults_of_file(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        text = file.read()
    lines, codes = text.split("\n"), blank(text).split("\n")
    excused = excused_lines(lines)
    depth = 0
    ended = True  # the statement of the line before
    for number, (line, code) in enumerate(zip(lines, codes)):
        inside = depth > 0 or path.endswith((".h", ".inc"))
        stripped = code.strip()
        # what a method claims of itself is for people
        claim = ".exponent" in code or ".capabilities" in code
        if stripped and inside and number not in excused and not claim and "SCREE_NEVER" not in code:
            for fault in faults_of_line(number, line, code, ended, stripped.endswith(";")):
                if fault[1] != line:
                    yield (path,) + fault
        if stripped:
            ended = stripped[-1] in ";{}:" or bool(BARE_IF.match(code)) or stripped.endswith("else")
        depth += code.count("{") - code.count("}")


def run(command, limit, cwd):
    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        done = subprocess.run(command, cwd=cwd, timeout=limit, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=limits, check=False)
        return done.returncode
    except subprocess.TimeoutExpired:
        return 124


class Builder:
    """Objects of the whole tree, and who includes what."""

    def __init__(self, compiler):
        self.compiler = compiler
        self.objects = {}
        self.includes = {}
        self.programs = []

    def object_of(self, source, folder):
        return os.path.join(folder, source.replace("/", "_")[:-2] + ".o")

    def compile(self, source, folder, tree, depends=False):
        out = self.object_of(source, folder)
        extra = ["-MMD"] if depends else []
        return out, run([self.compiler] + FLAGS + extra + ["-c", source, "-o", out], 120, tree)

    def build_all(self, sources, jobs):
        folder = os.path.join(WORK, "objects")
        os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            results = pool.map(lambda s: (s,) + self.compile(s, folder, TREE, True), sources)
            for source, out, code in results:
                if code:
                    sys.exit("mutate: %s does not compile" % source)
                self.objects[source] = out
                with open(out[:-2] + ".d", encoding="utf-8") as file:
                    self.includes[source] = set(os.path.normpath(name) for name in file.read()
                                                .replace("\\\n", " ").split(":", 1)[1].split())

    def users_of(self, path):
        return [s for s, names in self.includes.items() if os.path.normpath(path) in names]

    def link(self, program, folder, changed):
        common = [changed.get(s, o) for s, o in self.objects.items()
                  if s.startswith(("src/", "tests/harness/"))]
        out = os.path.join(folder, program)
        main = self.objects["tests/%s.c" % program]
        main = changed.get("tests/%s.c" % program, main)
        code = run([self.compiler, main] + common + ["-lm", "-pthread", "-o", out], 60, TREE)
        return out if code == 0 else None


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).digest()


def try_fault(builder, fault, slot):
    """"killed by X", "survived", or None if it does not count."""
    path, number, text, _ = fault
    folder = os.path.join(WORK, "job%d" % slot)
    tree = os.path.join(folder, "tree")
    source = os.path.join(tree, path)
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        original = file.read()
    lines = original.split("\n")
    lines[number] = text
    try:
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        changed, differs = {}, False
        for user in builder.users_of(path):
            out, code = builder.compile(user, folder, tree)
            if code:
                return None
            changed[user] = out
            differs = differs or digest(out) != digest(builder.objects[user])
        if not differs:
            return None
        for command, limit in SUITE:
            if command[0] not in builder.programs:
                continue
            program = builder.link(command[0], folder, changed)
            if program is None:
                return None
            code = run([program] + command[1:], limit, tree)
            if code:
                return "killed by " + command[0] + (" (time)" if code == 124 else "")
        return "survived"
    finally:
        with open(source, "w", encoding="utf-8") as file:
            file.write(original)


def copy_tree():
    shutil.rmtree(WORK, ignore_errors=True)
    for part in ("src", "include", "tests", "app", "bench"):
        if os.path.isdir(os.path.join(ROOT, part)):
            shutil.copytree(os.path.join(ROOT, part), os.path.join(TREE, part))


def choose(faults, count, seed):
    """`count` queues, one for each stretch of the sorted list: the first that compiles is taken."""
    pick = random.Random(seed)
    count = min(count, len(faults))
    queues = []
    for k in range(count):
        stretch = faults[k * len(faults) // count:(k + 1) * len(faults) // count]
        pick.shuffle(stretch)
        queues.append(stretch)
    return queues


def main():
    parser = argparse.ArgumentParser(description="plant faults and see whether the tests find them")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--least", type=float, default=90, help="percent to be killed")
    parser.add_argument("--files", nargs="+", default=["src/detect/*.c", "src/detect/*.inc.h"],
                        help="patterns; without, all of src/detect but *_check.c")
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    options = parser.parse_args()

    copy_tree()
    os.chdir(TREE)
    files = sorted(set(name for pattern in options.files for name in glob.glob(pattern)))
    # the validity checks that only tests call would be tested by their own absence
    files = [name for name in files if not name.endswith("_check.c") or name in options.files]
    faults = [fault for name in files for fault in faults_of_file(name)]
    if options.list:
        for path, number, text, what in faults:
            print("%s:%d: %s: %s" % (path, number + 1, what, text.strip()))
        return 0
    if not faults:
        sys.exit("mutate: no faults in %s" % " ".join(options.files))
    builder = Builder(os.environ.get("CC", "cc"))
    wanted = sorted(set(command[0] for command, _ in SUITE))
    builder.programs = [p for p in wanted if os.path.exists("tests/%s.c" % p)]
    sources = sorted(glob.glob("src/*/*.c") + glob.glob("tests/harness/*.c") +
                     ["tests/%s.c" % p for p in builder.programs])
    builder.build_all(sources, options.jobs)
    for slot in range(options.jobs):
        shutil.copytree(TREE, os.path.join(WORK, "job%d" % slot, "tree"))
    for command, limit in SUITE:
        if command[0] in builder.programs:
            program = builder.link(command[0], WORK, {})
            if program is None or run([program] + command[1:], limit, TREE):
                sys.exit("mutate: %s fails without a fault" % " ".join(command))

    slots = list(range(options.jobs))
    lock = threading.Lock()
    tally = {"killed": 0, "survived": 0}

    def work(queue):
        with lock:
            slot = slots.pop()
        for fault in queue:
            verdict = try_fault(builder, fault, slot)
            if verdict:
                break
        with lock:
            slots.append(slot)
            if verdict:
                tally["survived" if verdict == "survived" else "killed"] += 1
                path, number, text, what = fault
                print("%-9s %s:%d: %s: %s%s" % (verdict.split()[0], path, number + 1, what,
                                                text.strip(), verdict[8:] and "   [" + verdict + "]"
                                                if verdict != "survived" else ""), flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, choose(faults, options.count, options.seed)))
    total = tally["killed"] + tally["survived"]
    percent = 100.0 * tally["killed"] / total if total else 0.0
    print("mutate: %d of %d faults killed, %.1f %%" % (tally["killed"], total, percent))
    return 0 if percent >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
