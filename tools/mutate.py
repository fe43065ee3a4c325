#!/usr/bin/env python3
"""Plants faults in the library, one at a time, and sees whether the tests find them.

    tools/mutate.py [--count N] [--seed S] [--files GLOB ...] [--at FILE:LINE ...] [--jobs J]
                    [--least PERCENT] [--list] [--near] [--work FOLDER]

Works on a copy in build/mutate; the working tree is not touched. Each fault changes one operator,
constant or statement of one line; the object it is in is compiled again, and test programs run until
one fails, crashes or takes far too long (the fault is killed) or none does (it survives). Faults that
do not compile, or that compile to the same code, do not count. Exit code 1 below 90 %.

Programs are those of tests/, built as the debug build is, so that defensive branches abort; what no
program finds is tried again with the sanitizers. Tests belong to a file by its name and by the methods
that it serves: test_hash_grids_change.c and random scenes with the method hash-grids belong to
hash_grids_fill.c. Files of no method are those of all: every program runs for them. Those programs run
first that killed most in the time they take; before it is first used, each must pass without a fault.
Objects and times are kept for the next call.

Left out are the functions *_is_valid and what only they call: tests look through them, so they would be
tested by their own absence. Left out, too, are faults that change nothing: the zero of a row or a box
that is filled right after, `a < b ? a : b` made `a <= b ? a : b`, `if (a < b) b = a` made `if (a <= b) b = a`,
the parity of a - 1 made that of a + 1, an array that is longer by one.

Some lines change only speed, as how a tree chooses where to put a box: no test can find a fault there,
and none should. A comment that says "only speed" excuses the line it is on; if it stands alone, the
line below it; if that line begins a function, the whole function; and the comment that begins a file,
the whole file."""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMON = ["-std=c17", "-O1", "-w", "-D_POSIX_C_SOURCE=200809L", "-DSCREE_DEBUG", "-fPIC",
          "-ffp-contract=off", "-Iinclude", "-Isrc", "-Itests", "-Ibench"]
SANITIZE = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]

# rooms of src/ that faults are planted in; a room is added when it has tests of its own
ROOMS = ("base", "detect")

# about the tests themselves
ALIEN = re.compile(r"test_(scenes|read_table|lies|study)$")
INCLUDE = re.compile(r'^#include "([\w/.]+)"', re.M)

# parts of programs that take long as a whole
PARTS = {
    "test_differential_threads": "test_differential_threads small",
    "test_differential": None,
    "test_figures": "test_figures methods_work",
    "test_margins_figures": "test_margins_figures margins_work",
    "test_faults": None,
    "test_margins_adversary": None,
    "campaign": None,
}

# programs for files that have another name
KIN = [
    (r"rtree|rank_|dess|spatial|stripe|hash|cgrid|nbs", "test_store"),
    (r"rtree|rank_", "test_tree_methods"),
    (r"dess|spatial_sort|stripe|sweep|axis_sort", "test_sorting_methods"),
    (r"hashing|nbs_grid|cgrid", "test_hashing_methods"),
    (r"nbs_grid|cgrid|hashing", "test_gcd_grids"),
    (r"dess|spatial_sort|stripe", "test_gcd_sorts"),
    (r"margin|plan|motion|advance|change", "test_margins"),
    (r"margin|plan|motion|advance", "test_margins_faults"),
    (r"margin|plan", "test_margins_adversary"),
    (r"hash|cgrid|nbs_grid|lattice|spatial_sort", "test_work"),
    (r"images|cell\.|lattice", "test_periodic"),
    (r"query", "test_queries"),
    (r"table|definition|query_def", "test_bad_input"),
    (r"lattice|conformal|lazy_list", "test_cell_space_lists"),
    (r"pair_set|axis_sort", "test_insertion_sort"),
    (r"scratch|collect|result|pair_list|change|advance|detector", "test_store"),
    (r"result|pair_list|store|change|table|collect|scratch|probe", "test_detector"),
    (r"conformal", "test_cell_space"),
    (r"collect|result|tasks|pool", "test_tasks_are_used"),
    (r"simd|error|status", "test_base_memory"),
    (r"portable_math", "test_base_math"),
    (r"radix_sort", "test_base_sort"),
    (r"pool|simd", "test_base_tasks"),
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


# ---- faults ----

def blank(text):
    """The text with comments, strings and directives as blanks, so that places stay."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*'
    return re.sub(pattern, spaces, text, flags=re.S | re.M)


def excused_lines(lines, codes):
    """Numbers of the lines that change only speed, from 0."""
    excused = set()
    says = re.compile(r"only speed\b", re.I)
    for number, line in enumerate(lines):
        if not says.search(line):
            continue
        if all(re.match(r"/\*|\s", text) for text in lines[:number + 1]):
            return set(range(len(lines)))
        if codes[number].strip():
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


def checking_lines(codes):
    """Numbers of the lines of functions *_is_valid, and of static functions that only these call."""
    spans, begin = [], None  # (name, is static, first line, last line)
    for number, code in enumerate(codes):
        head = re.match(r"(static )?[\w *]*?\b(\w+)\(", code)
        if head and not code.rstrip().endswith(";"):
            begin = (head.group(2), bool(head.group(1)), number)
        if code.startswith("}") and begin:
            spans.append(begin + (number,))
            begin = None
    checking = [span for span in spans if span[0].endswith("_is_valid")]
    for _ in spans:
        for span in spans:
            name, is_static, first, last = span
            calls = [n for n, code in enumerate(codes) if re.search(r"\b%s\b" % name, code) and
                     not first <= n <= last]
            if (is_static and span not in checking and calls and
                    all(any(s[2] <= n <= s[3] for s in checking) for n in calls)):
                checking.append(span)
    return set(n for span in checking for n in range(span[2], span[3] + 1))


def is_choice_of_either(code, match):
    """a < b ? a : b, or b : a: what it gives does not depend on who wins when they are equal."""
    value = r"((?:[\w.>\-]|\[[^\]]*\])+)"
    left = re.search(value + r"\s*$", code[:match.start()])
    right = re.match(r"\s*%s \? %s : %s\s*(?=[;,)]|$)" % (value, value, value), code[match.end():])
    return bool(left and right and
                sorted(right.groups()[1:]) == sorted((left.group(1), right.group(1))))


def is_update_of_bound(code, below):
    """if (a < b) b = a, in whatever form: when they are equal, it changes nothing."""
    value = r"((?:[\w.>\-+* ]|\[[^\]]*\])+?)"
    test = re.match(r"\s*(?:\} else )?if \(%s (?:[<>]=?) %s\)\s*$" % (value, value), code)
    change = re.match(r"\s*%s = %s;\s*$" % (value, value), below)
    return bool(test and change and sorted(test.groups()) == sorted(change.groups()))


def faults_of_line(number, line, code, below, first, last):
    """All (line number, text, what) for one line; `code` is the line without comments and strings,
    `below` the next one."""
    for pattern, to in SWAPS:
        for match in re.finditer(pattern, code):
            if to in ("<=", ">=", "<", ">") and (is_choice_of_either(code, match) or
                                                 is_update_of_bound(code, below)):
                continue
            # (a - 1) & 1 is (a + 1) & 1
            if to in "+-" and re.match(r" 1\) & 1\b", code[match.end():]):
                continue
            yield number, line[:match.start()] + to + line[match.end():], match.group(0) + " -> " + to
    for match in NUMBER.finditer(code):
        value = int(match.group(1))
        # also of the second dimension, and of the second name
        is_length = re.match(r"\s+(static |const |struct )*[a-z_]\w* (\**\w+(\[[^\]]*\])*, )*\**\w+"
                             r"(\[[^\]]*\])*\[[^\]]*$", code[:match.start()])
        for other in (value + 1, value - 1):
            if other >= 0 and not (is_length and other > value):
                yield (number, line[:match.start(1)] + str(other) + line[match.end(1):],
                       "%d -> %d" % (value, other))
    match = BARE_IF.match(code)
    if match and code.count("(") == code.count(")"):
        inner = line[match.start(2):match.end(2)]
        yield (number, match.group(1) + "(!(" + inner + "))" + (match.group(3) or ""), "negated")
    if first and last and STATEMENT.match(code) and code.count("(") == code.count(")"):
        yield number, re.match(r"\s*", line).group(0) + ";", "dropped"


def faults_of_file(path, text):
    lines, codes = text.split("\n"), blank(text).split("\n")
    excused = excused_lines(lines, codes) | checking_lines(codes)
    depth = 0
    ended = True  # the statement of the line before
    for number, (line, code) in enumerate(zip(lines, codes)):
        inside = depth > 0 or path.endswith((".h", ".inc"))
        stripped = code.strip()
        # what a method claims of itself is for people
        claim = ".exponent" in code or ".capabilities" in code
        claim = claim or re.search(r"scree_row \w+ = \{0\}|= (\(scree_box\))?\{\{0(, 0)*\}, \{0(, 0)*\}", code)
        if stripped and inside and number not in excused and not claim and "SCREE_NEVER" not in code:
            for fault in faults_of_line(number, line, code, (codes + [""])[number + 1], ended,
                                        stripped.endswith(";")):
                if fault[1] != line:
                    yield (path,) + fault
        if stripped:
            ended = stripped[-1] in ";{}:" or bool(BARE_IF.match(code)) or stripped.endswith("else")
        depth += code.count("{") - code.count("}")


def choose(faults, count, seed):
    """`count` queues, one for each stretch of the sorted list: the first that compiles is taken."""
    pick = random.Random(seed)
    count = min(count, len(faults))
    queues = []
    for k in range(count):
        stretch = faults[k * len(faults) // count:(k + 1) * len(faults) // count]
        pick.shuffle(stretch)
        queues.append(stretch)
    pick.shuffle(queues)
    return queues


# ---- which files are of these rooms ----

def is_of_rooms(tree, path):
    """Includes no header of another room, nor does a header of tests or benchmarks that it includes:
    what needs the world above is left to the measure of that room."""
    with open(os.path.join(tree, path), encoding="utf-8") as file:
        names = INCLUDE.findall(file.read())
    for name in names:
        folder, stem = os.path.split(name)
        stem = stem.split(".")[0]
        if folder == "scree":
            if stem not in ROOMS + ("scree",):
                return False
        elif folder and os.path.isdir(os.path.join(tree, "src", folder)):
            if folder not in ROOMS:
                return False
        elif folder and folder != "harness":
            return False  # its sources are not linked here
        else:
            for place in (os.path.dirname(path), "tests", "bench"):
                header = os.path.normpath(os.path.join(place, name))
                if os.path.exists(os.path.join(tree, header)):
                    if not is_of_rooms(tree, header):
                        return False
                    break
    return True


# ---- building and running ----

def run(command, limit, cwd, library=None, bounded=True):
    """The exit code; 124 for a program that ran out of time. A command may begin with NAME=VALUE."""
    def limits():
        if bounded:
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # nothing runs on if this script is stopped
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))
    place = dict(os.environ, LD_LIBRARY_PATH=library) if library else dict(os.environ)
    while "=" in command[0]:
        name, value = command[0].split("=", 1)
        place[name] = value
        command = command[1:]
    try:
        done = subprocess.run(command, cwd=cwd, timeout=limit, stdout=subprocess.DEVNULL, env=place,
                              stderr=subprocess.DEVNULL, preexec_fn=limits, check=False)
        return 124 if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done.returncode
    except subprocess.TimeoutExpired:
        return 124


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Build:
    """The library as one shared object, and test programs that find it where they are told."""

    def __init__(self, work, name, extra):
        self.tree = os.path.join(work, "tree")
        self.folder = os.path.join(work, name)
        self.compiler = os.environ.get("CC", "cc")
        self.extra = extra
        self.objects, self.includes, self.programs = {}, {}, []
        os.makedirs(self.folder, exist_ok=True)

    def compile(self, source, folder, tree):
        out = os.path.join(folder, source.replace("/", "_")[:-2] + ".o")
        return out, run([self.compiler] + COMMON + self.extra + ["-MMD", "-c", source, "-o", out],
                        300, tree)

    def key(self, depends):
        """What an object is made of."""
        with open(depends, encoding="utf-8") as file:
            names = file.read().replace("\\\n", " ").split(":", 1)[1].split()
        names = set(os.path.normpath(name) for name in names)
        text = [self.compiler] + COMMON + self.extra
        for name in sorted(names):
            path = os.path.join(self.tree, name)
            text.append(name + (digest(path) if os.path.exists(path) else ""))
        return names, hashlib.sha256("\n".join(text).encode()).hexdigest()

    def make_object(self, source):
        out = os.path.join(self.folder, source.replace("/", "_")[:-2] + ".o")
        depends, stamp = out[:-2] + ".d", out[:-2] + ".key"
        if os.path.exists(depends) and os.path.exists(out) and os.path.exists(stamp):
            names, key = self.key(depends)
            with open(stamp, encoding="utf-8") as file:
                if file.read() == key:
                    return source, out, names
        if self.compile(source, self.folder, self.tree)[1]:
            sys.exit("mutate: %s does not compile" % source)
        names, key = self.key(depends)
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(key)
        return source, out, names

    def link_library(self, folder, changed):
        out = os.path.join(folder, "libmutant.so")
        parts = [changed.get(s, o) for s, o in self.objects.items() if not s.startswith("tests/test_")
                 and s != "tests/campaign/campaign.c"]
        return run([self.compiler, "-shared"] + self.extra + parts + ["-lm", "-pthread", "-o", out],
                   120, self.tree)

    def link_program(self, name, folder, changed):
        source = "tests/%s.c" % name
        out = os.path.join(folder, name)
        main = changed.get(source, self.objects[source])
        code = run([self.compiler] + self.extra + [main, "-L" + self.folder, "-lmutant", "-lm",
                                                   "-pthread", "-o", out], 120, self.tree)
        return out if code == 0 else None

    def make(self, programs, jobs):
        os.chdir(self.tree)
        sources = glob.glob("src/**/*.c", recursive=True) + glob.glob("tests/harness/*.c") + glob.glob("bench/*.c")
        sources = sorted(sources + ["tests/%s.c" % p for p in programs])
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for source, out, names in pool.map(self.make_object, sources):
                self.objects[source], self.includes[source] = out, names
            if self.link_library(self.folder, {}):
                sys.exit("mutate: the library cannot be linked")
            for name, out in zip(programs, pool.map(
                    lambda p: self.link_program(p, self.folder, {}), programs)):
                if out is None:
                    sys.exit("mutate: %s cannot be linked" % name)
        self.programs = programs

    def users_of(self, path):
        return [s for s, names in self.includes.items() if os.path.normpath(path) in names]


class Mutant:
    """One fault, built in the folder of a job; its programs are linked when first needed."""

    def __init__(self, build, fault, folder):
        self.build, self.folder, self.changed = build, folder, {}
        self.is_valid = self.compile(fault)

    def compile(self, fault):
        path, number, text, _ = fault
        tree = os.path.join(self.folder, "tree")
        source = os.path.join(tree, path)
        with open(os.path.join(self.build.tree, path), encoding="utf-8") as file:
            original = file.read()
        lines = original.split("\n")
        lines[number] = text
        differs = False
        try:
            with open(source, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
            for user in self.build.users_of(path):
                out, code = self.build.compile(user, self.folder, tree)
                if code:
                    return False
                self.changed[user] = out
                differs = differs or digest(out) != digest(self.build.objects[user])
        finally:
            with open(source, "w", encoding="utf-8") as file:
                file.write(original)
        return differs and self.build.link_library(self.folder, self.changed) == 0

    def fails(self, command, limit, bounded):
        """Exit code of a test command, given as one text."""
        words = command.split()
        at = next(k for k, word in enumerate(words) if "=" not in word)
        source = "tests/%s.c" % words[at]
        words[at] = os.path.join(self.build.folder, words[at])
        if source in self.changed:
            words[at] = self.build.link_program(os.path.basename(words[at]), self.folder,
                                                self.changed)
            if words[at] is None:
                return 0
        return run(words, limit, os.path.join(self.folder, "tree"), self.folder, bounded)


# ---- which tests for which file ----

class Suite:
    """Commands with what they take and how often they killed."""

    def __init__(self, work, build):
        self.tree = build.tree
        self.build = build
        self.programs = build.programs
        self.memory = os.path.join(work, "suite.json")
        self.lock = threading.Lock()
        self.seconds, self.kills, self.passed = {}, {}, set()
        if os.path.exists(self.memory):
            with open(self.memory, encoding="utf-8") as file:
                kept = json.load(file)
                self.seconds, self.kills = kept["seconds"], kept["kills"]
        self.methods = self.find_methods()

    def save(self):
        with self.lock, open(self.memory, "w", encoding="utf-8") as file:
            json.dump({"seconds": self.seconds, "kills": self.kills}, file)

    def find_methods(self):
        """{file: methods that are in it, or in files that include its header}"""
        texts, result = {}, {}
        for path in glob.glob(os.path.join(self.tree, "src/detect/*.[ch]")):
            with open(path, encoding="utf-8") as file:
                texts[os.path.basename(path)] = file.read()
        for name in texts:
            stem, found = name.split(".")[0], set()
            for other, text in texts.items():
                headers = re.findall(r'"detect/(\w+)\.(?:inc\.)?h"', text)
                if other == name or stem in headers or any(stem.startswith(h + "_") for h in headers):
                    found.update(re.findall(r'\.name = "([\w-]+)"', text))
            result[name] = sorted(found) if len(found) <= 6 else []
        return result

    def of_name(self, path):
        """Programs that belong to a file by its name: test_base_random.c to src/base/random.c."""
        name = os.path.basename(path)
        words = name.split(".")[0].split("_")
        if path.startswith("src/base/"):
            words.insert(0, "base")
        found = []
        for length in range(len(words), 1 if words[0] == "base" else 0, -1):
            prefix = "test_" + "_".join(words[:length])
            found += [p for p in self.programs if p in (prefix, prefix + "s", prefix + "_methods") or
                      p.startswith((prefix + "_", prefix + "s_"))]
            # test_cell_space_lists.c belongs to cell_space_layout.c, test_cell.c does not
            if found and length <= 2:
                break
        return found + [p for pattern, p in KIN if re.match(pattern, name)]

    def of(self, path):
        """In the order in which they are to run: what costs least for a kill first."""
        name = os.path.basename(path)
        methods, named = self.methods.get(name, []), self.of_name(path)
        near = [PARTS.get(p) or p for p in named]
        near += ["SCREE_TEST_METHOD=%s test_figures methods_work" % method for method in methods]
        near += ["campaign detect --scenes 1500 --shrink no --method " + m for m in methods]
        far = ["test_detector", "test_queries", "test_bad_input"]
        for method in methods or ["dess", "cell-space"]:
            far.append("SCREE_TEST_METHOD=%s test_differential many_bodies" % method)
            far.append("SCREE_TEST_METHOD=%s test_faults once" % method)
        if not methods:
            near += ["test_figures methods_work", "test_margins_figures margins_work"]
            near.append("campaign detect --scenes 300 --shrink no")
            far.append("campaign detect --seed 100000 --scenes 1500 --shrink no")
            far += [PARTS.get(p, p) for p in self.programs if PARTS.get(p, p)]
        near = list(dict.fromkeys(near))
        names = near + [n for n in dict.fromkeys(far) if n not in near]

        def price(command):
            bonus = 5 if command in near else 0
            return (self.seconds.get(command, 1.0) + 0.05) / (self.kills.get(command, 0) + bonus + 1)
        with self.lock:
            return sorted(names, key=price), [n for n in near if self.seconds.get(n, 1) < 4]

    def limit(self, command):
        return 10 + 10 * self.seconds[command]

    def prove(self, command):
        """Once a command: sees that it passes without a fault, and how long that takes."""
        with self.lock:
            if command in self.passed:
                return
        words = command.split()
        at = next(k for k, word in enumerate(words) if "=" not in word)
        words[at] = os.path.join(self.build.folder, words[at])
        begin = time.monotonic()
        if run(words, 600, self.tree, self.build.folder):
            print("mutate: %s fails without a fault" % command, flush=True)
            os._exit(2)
        self.note_pass(command, time.monotonic() - begin)

    def note_pass(self, command, seconds):
        with self.lock:
            self.passed.add(command)
            self.seconds[command] = min(seconds, self.seconds.get(command, seconds))

    def note_kill(self, command):
        with self.lock:
            self.kills[command] = self.kills.get(command, 0) + 1


class Trial:
    """Tries faults: in the plain build, and if none of its programs fails, in the sanitized one."""

    def __init__(self, suite, plain, sanitized, work):
        self.suite, self.plain, self.sanitized, self.work = suite, plain, sanitized, work
        self.only_near = False

    def judge(self, fault, slot):
        """"killed by X", "survived", or None if it does not count."""
        folder = os.path.join(self.work, "job%d" % slot)
        mutant = Mutant(self.plain, fault, folder)
        if not mutant.is_valid:
            return None
        commands, near = self.suite.of(fault[0])
        if self.only_near:
            commands = [command for command in commands if command in near]
        for command in commands:
            self.suite.prove(command)
            begin = time.monotonic()
            code = mutant.fails(command, self.suite.limit(command), True)
            if code:
                self.suite.note_kill(command)
                return "killed by " + command + (" (time)" if code == 124 else "")
            self.suite.note_pass(command, time.monotonic() - begin)
        if self.only_near:
            return "survived"
        mutant = Mutant(self.sanitized, fault, folder)
        for command in near if mutant.is_valid else []:
            code = mutant.fails(command.replace("--scenes 1500", "--scenes 300"),
                                5 * self.suite.limit(command), False)
            if code:
                return "killed by sanitized " + command + (" (time)" if code == 124 else "")
        return "survived"


def copy_tree(work):
    """The sources, with times as they are; objects of earlier calls stay."""
    shutil.rmtree(os.path.join(work, "tree"), ignore_errors=True)
    for part in ("src", "include", "tests", "app", "bench"):
        if os.path.isdir(os.path.join(ROOT, part)):
            shutil.copytree(os.path.join(ROOT, part), os.path.join(work, "tree", part))


def print_tally(tally):
    for path in sorted(tally):
        killed, survived = tally[path]
        print("%4d killed %4d survived  %s" % (killed, survived, path))
    killed = sum(pair[0] for pair in tally.values())
    total = killed + sum(pair[1] for pair in tally.values())
    percent = 100.0 * killed / total if total else 0.0
    print("mutate: %d of %d faults killed, %.1f %%" % (killed, total, percent))
    return percent


def find_faults(options, tree):
    names = sorted(set(name for pattern in options.files for name in glob.glob(pattern, root_dir=tree)))
    # the validity checks that only tests call would be tested by their own absence
    names = [name for name in names if not name.endswith("_check.c") or name in options.files]
    if options.at:
        names = sorted(set(place.rsplit(":", 1)[0] for place in options.at))
    faults = []
    for name in names:
        with open(os.path.join(tree, name), encoding="utf-8") as file:
            faults += faults_of_file(name, file.read())
    if options.at:
        faults = [f for f in faults if "%s:%d" % (f[0], f[1] + 1) in options.at]
    return faults


def try_all(trial, queues, jobs):
    slots, tally, lock = list(range(jobs)), {}, threading.Lock()

    def work(queue):
        verdict = None
        with lock:
            slot = slots.pop()
        for fault in queue:
            verdict = trial.judge(fault, slot)
            if verdict:
                break
        with lock:
            slots.append(slot)
            if verdict:
                path, number, text, what = fault
                pair = tally.setdefault(path, [0, 0])
                pair[verdict == "survived"] += 1
                by = "" if verdict == "survived" else "   [" + verdict[10:] + "]"
                print("%-9s %s:%d: %s: %s%s" % (verdict.split()[0], path, number + 1, what,
                                                text.strip(), by), flush=True)
                trial.suite.save()

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, queues))
    return tally


def main():
    parser = argparse.ArgumentParser(description="plant faults and see whether the tests find them")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--least", type=float, default=90, help="percent to be killed")
    parser.add_argument("--files", nargs="+",
                        default=["src/%s/*.%s" % (r, e) for r in ROOMS for e in ("c", "inc.h")],
                        help="patterns; without, all of src/base and src/detect but *_check.c")
    parser.add_argument("--at", nargs="+", default=[], help="FILE:LINE: all faults of these lines")
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    parser.add_argument("--near", action="store_true",
                        help="only the tests that belong to the file: quick, finds less")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "mutate"), help="a folder")
    options = parser.parse_args()
    work = os.path.abspath(options.work)
    copy_tree(work)
    faults = find_faults(options, os.path.join(work, "tree"))
    if options.list:
        for path, number, text, what in faults:
            print("%s:%d: %s: %s" % (path, number + 1, what, text.strip()))
        return 0
    if not faults:
        sys.exit("mutate: no faults in %s" % " ".join(options.at or options.files))
    programs = sorted(os.path.basename(p)[:-2] for p in
                      glob.glob(os.path.join(work, "tree", "tests", "test_*.c")))
    programs = [p for p in programs if not ALIEN.match(p) and
                is_of_rooms(os.path.join(work, "tree"), "tests/%s.c" % p)] + ["campaign"]
    plain, sanitized = Build(work, "plain", []), Build(work, "sanitized", SANITIZE)
    plain.make(programs, options.jobs)
    if not options.near:
        sanitized.make(programs, options.jobs)
    suite = Suite(work, plain)
    for slot in range(options.jobs):
        folder = os.path.join(work, "job%d" % slot)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(os.path.join(work, "tree"), os.path.join(folder, "tree"))
    count = len(faults) if options.at else options.count
    trial = Trial(suite, plain, sanitized, work)
    trial.only_near = options.near
    tally = try_all(trial, choose(faults, count, options.seed), options.jobs)
    return 0 if print_tally(tally) >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
