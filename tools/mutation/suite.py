"""Commands of tests: what they take, how often they found a fault, and in which order they are to run."""
import concurrent.futures
import glob
import json
import os
import re
import threading

from .build import OUT_OF_TIME, place_of

# tests of the tests themselves
ALIEN = ("detect/test_lies",)
# what `./do test` runs of the campaign
CAMPAIGN = "campaign/campaign triangles --pairs 1000000"
# tests that run for every method, or for the one that the environment names
OF_METHODS = {
    "detect/test_differential": ("random_scenes", "many_steps", "many_bodies"),
    "detect/test_faults": ("each_allocation_fails_once", "each_allocation_and_all_after_fail"),
}
SPLIT = 2.0    # seconds from which on the tests of a program are run one by one
LONG = 60.0    # seconds from which on a command comes last
USES_EFFORT = re.compile(r"\b(TEST_EFFORT|test_is_full|SCREE_TEST_EFFORT)\b")


def rooms_of(tree):
    """Folders of src/. Their tests, in folders of the same names, need no more than the library."""
    return sorted(name for name in os.listdir(os.path.join(tree, "src"))
                  if os.path.isdir(os.path.join(tree, "src", name)))


def find_programs(tree):
    """{program: its sources}"""
    programs = {}
    for room in rooms_of(tree):
        for path in sorted(glob.glob("tests/%s/**/test_*.c" % room, root_dir=tree, recursive=True)):
            name = path[len("tests/"):-len(".c")]
            if name not in ALIEN:
                programs[name] = [path]
    campaign = sorted(glob.glob("tests/campaign/campaign*.c", root_dir=tree))
    if campaign:
        programs[place_of(CAMPAIGN)[1]] = campaign
    return programs


def functions_of(text):
    """{function or test: its text}, and what is left outside them."""
    functions, outside, name = {}, [], None
    for line in text.split("\n"):
        head = re.match(r"TEST\((\w+)\)", line) or re.match(r"[a-z][\w *]*?\b(\w+)\(", line)
        if name is None and head and not line.rstrip().endswith(";"):
            name = head.group(1)
            functions[name] = ""
        if name is None:
            outside.append(line)
            continue
        functions[name] += line + "\n"
        if line.startswith("}"):
            name = None
    return functions, "\n".join(outside)


def depend_on_effort(text):
    """Functions and tests of a source that do more in full effort; None if all may."""
    functions, outside = functions_of(text)
    if USES_EFFORT.search(outside):
        return None
    found = {name for name, body in functions.items() if USES_EFFORT.search(body)}
    grown = bool(found)
    while grown:
        names = re.compile(r"\b(%s)\b" % "|".join(found))
        more = {name for name, body in functions.items() if name not in found and names.search(body)}
        found |= more
        grown = bool(more)
    return found


class Suite:
    """`commands` reach what they reach; `wholes` stand for many of them at once."""

    def __init__(self, work, build, say):
        self.build, self.tree, self.say = build, build.tree, say
        self.file = os.path.join(work, "suite.json")
        self.lock = threading.Lock()
        self.passed = {}  # {effort and command: [what it was made of, seconds]}; None for one that fails
        self.kills = {}   # {command: {file: faults found}}
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as file:
                kept = json.load(file)
                self.passed, self.kills = kept["passed"], kept["kills"]
        self.keys = {name: build.key_of(name) for name in build.sources}
        self.methods = self.find_methods()
        self.commands, self.wholes, self.full = [], {}, set()
        self.broken = set()

    def save(self):
        with self.lock:
            with open(self.file + ".part", "w", encoding="utf-8") as file:
                json.dump({"passed": self.passed, "kills": self.kills}, file)
            os.replace(self.file + ".part", self.file)

    def find_methods(self):
        names = set()
        for path in glob.glob(os.path.join(self.tree, "src/detect/**/*.c"), recursive=True):
            with open(path, encoding="utf-8") as file:
                names.update(re.findall(r'\.name = "([\w-]+)"', file.read()))
        return sorted(names)

    # ---- commands ----

    def prepare(self, jobs):
        """Finds the commands: programs, and parts of those that take long. What was never run is run in quick effort;
        the rest is once more before it is used."""
        campaign = place_of(CAMPAIGN)[1]
        programs = [p for p in self.build.sources if p != campaign]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(self.know, programs))
            for program in programs:
                self.commands += self.split(program)
            if campaign in self.build.sources:
                self.commands.append(CAMPAIGN)
            list(pool.map(self.know, self.commands))
        self.save()
        self.commands = [c for c in self.commands if ("quick " + c) not in self.broken]

    def know(self, command):
        if "quick " + command not in self.passed:
            self.prove(command, "quick")

    def split(self, program):
        """Commands that together are the program."""
        with open(os.path.join(self.tree, self.build.sources[program][0]), encoding="utf-8") as file:
            text = file.read()
        cases = re.findall(r"\bCASE\((\w+)\)", text)
        larger = depend_on_effort(text)
        if larger is None or self.headers_use_effort(program):
            larger = set(cases)
        if len(cases) < 2 or not (larger & set(cases) or self.seconds(program, "quick") > SPLIT):
            if larger & set(cases):
                self.full.add(program)
            return [program]
        commands = []
        for case in cases:
            whole = "%s %s" % (program, case)
            parts = [whole]
            if case in OF_METHODS.get(program, ()):
                parts = ["SCREE_TEST_METHOD=%s %s" % (method, whole) for method in self.methods]
                self.wholes[whole] = parts
            if case in larger:
                self.full.update(parts + [whole])
            commands += parts
        return commands

    def headers_use_effort(self, program):
        """Whether what it includes of tests/, or the harness, does more in full effort."""
        own = self.build.sources[program]
        harness = [s for s in self.build.objects if s.startswith("tests/harness/")]
        used = set(harness).union(*(self.build.includes[s] for s in own + harness))
        for name in sorted(used - set(own) - {"tests/test.h"}):
            if name.startswith("tests/"):
                with open(os.path.join(self.tree, name), encoding="utf-8") as file:
                    if USES_EFFORT.search(file.read()):
                        return True
        return False

    def of_name(self, path):
        """Programs that belong to a file by its name: world/test_bonds.c to src/world/bonds_pull.c, and
        world/test_contacts_list.c to src/world/contacts/list.c, as world/test_list.c does."""
        folders = os.path.dirname(path).split("/")[1:]
        words = os.path.basename(path).split(".")[0].split("_")
        found = self.of_words(folders[0], words)
        return found + (self.of_words(folders[0], folders[1:] + words) if folders[1:] else [])

    def of_words(self, room, words):
        """Programs of a room whose names begin with as many of these words as there is a program for."""
        found = []
        for length in range(len(words), 0, -1):
            prefix = "test_" + "_".join(words[:length])
            found += [p for p in self.build.sources if p.split("/")[0] == room and
                      (os.path.basename(p) in (prefix, prefix + "s", prefix + "_methods") or
                       os.path.basename(p).startswith((prefix + "_", prefix + "s_")))]
            # test_cell_space_lists.c belongs to cell_space_layout.c, test_cell.c does not
            if found and length <= 2:
                break
        return found

    def of(self, path, reached, effort, more_only=False, named_only=False):
        """Commands for a file in the order in which they are to run: what costs least for a fault found first.
        `reached`: those that reach the line. In full effort those of the file's name are added, and `more_only` leaves
        out what does no more than in quick effort."""
        named = set(self.of_name(path))
        names = list(reached)
        if effort == "full":
            names += [c for c in self.commands if place_of(c)[1] in named]
        for whole, parts in self.wholes.items():
            if len(set(parts) & set(names)) > len(parts) / 3:
                names = [whole] + [name for name in names if name not in parts]
        names = list(dict.fromkeys(names))
        if more_only:
            names = [name for name in names if name in self.full]
        if named_only:
            names = [name for name in names if place_of(name)[1] in named]

        def price(command):
            kills = self.kills.get(command, {})
            seconds = self.seconds(command, effort)
            weight = 1 + 0.2 * sum(kills.values()) + 5 * kills.get(path, 0) + 5 * (place_of(command)[1] in named)
            return seconds > LONG, (seconds + 0.05) / weight
        with self.lock:
            return sorted(names, key=price)

    # ---- what they take ----

    def seconds(self, command, effort):
        """Of processor time; a guess before it first ran."""
        known = self.passed.get(effort + " " + command) or self.passed.get("quick " + command)
        if known:
            return known[1]
        return sum(self.seconds(part, effort) for part in self.wholes.get(command, [])) or 1.0

    def limit(self, command, effort):
        return 10 + 4 * self.seconds(command, effort)

    def prove(self, command, effort):
        """Once a command: sees that it passes without a fault, and what it takes. False if it fails."""
        name, key = effort + " " + command, self.keys[place_of(command)[1]]
        with self.lock:
            if name in self.broken:
                return False
            if self.passed.get(name, [None])[0] == key:
                return True
        for _ in range(2):
            outcome = self.build.run(command, effort, 1800)
            if outcome.code == 0:
                with self.lock:
                    self.passed[name] = [key, round(outcome.seconds, 3)]
                return True
        self.say("%s fails without a fault in %s effort%s: it is left out" %
                 (command, effort, " (time)" if outcome.code == OUT_OF_TIME else ""))
        with self.lock:
            self.broken.add(name)
        return False

    def note_kill(self, command, path):
        with self.lock:
            kills = self.kills.setdefault(command, {})
            kills[path] = kills.get(path, 0) + 1
