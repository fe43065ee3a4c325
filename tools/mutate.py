#!/usr/bin/env python3
"""Plants faults in the library, one at a time, and sees whether the tests find them.

    tools/mutate.py [--rooms ROOM,...] [--files GLOB ...] [--at FILE:LINE ...] [--count N] [--seed S]
                    [--effort quick|full|both] [--least PERCENT] [--share PERCENT] [--sanitize]
                    [--near] [--patience SECONDS] [--minutes M] [--again] [--list] [--jobs J]
                    [--work FOLDER] [--root FOLDER]

Works on a copy in build/mutate; the working tree is not touched. Each fault changes one operator,
constant or statement of one line; the object it is in is compiled again and the library linked, and
tests run until one fails, crashes or takes far too long (the fault is killed) or none does (it
survives). Faults that do not compile, or that compile to the same code, do not count: another is
planted nearby.

A room is a folder of src/ with all that is below it. Tests are those of the folders of tests/ that have
the name of a room: they need no more than the library. They are optimised, with SCREE_DEBUG, so that
defensive branches abort. Before faults are planted, every program runs once; those that take long are
split into their tests, and some of these into methods. Each such command must pass without a fault.
Then each runs once more where gcov counts which lines it reaches, and a fault is tried only with the
commands that reach its line: those first that found most in the time they take, above all in the same
file. A line that none reaches is said to be "not reached", and its fault survives. Lines are counted in
quick effort alone, because counting in full effort would take longer than the faults; there programs
of the file's name are added to those that reach the line.

With --effort both, all faults are first tried in quick effort. Those that survive are tried in full
effort, with the tests that do more there: those that use TEST_EFFORT. Commands of over a minute run last.
What quick effort finds counts as found by both. At the end the figures of both are printed, and the
share of quick in full. Exit code 1 if that share is below --share (95), or fewer faults are killed than
--least (90); 2 if a test fails without a fault, which is left out.

Verdicts are kept in the folder until a source changes: a run that was stopped goes on where it was.
Objects, times and counts are kept as well. With --minutes, each effort stops by itself, and figures are those of what was tried.
With --patience, a fault survives an effort after so many seconds of processor time, though not all
commands that reach it have run; this is said beside it.

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
import json
import os
import queue
import shutil
import sys
import threading
import time

from mutation.build import COUNT, DOES_NOT_COMPILE, OUT_OF_TIME, PLAIN, SAME_CODE, SANITIZE, Build, Mutant, Stopped
from mutation.faults import choose, faults_of_file
from mutation.reach import Reach
from mutation.suite import Suite, find_programs, rooms_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# what only tests call: it looks through the world, and would be tested by its own absence
ONLY_TESTS = ("src/detect/cell_space_check.c",)


def say(text):
    print("mutate: " + text, flush=True)


def name_of(fault):
    path, number, text, what = fault
    return "%s:%d: %s: %s" % (path, number + 1, what, text.strip())


class Verdicts:
    """{(fault, effort): verdict}, kept line by line, for one state of all sources."""

    def __init__(self, work, key, is_new):
        folder = os.path.join(work, "verdicts")
        os.makedirs(folder, exist_ok=True)
        self.file = os.path.join(folder, key + ".jsonl")
        self.lock, self.known = threading.Lock(), {}
        if is_new and os.path.exists(self.file):
            os.remove(self.file)
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as file:
                for line in file:
                    if line.endswith("\n"):
                        fault, effort, verdict = json.loads(line)
                        self.known[fault, effort] = verdict

    def get(self, fault, effort):
        return self.known.get((fault, effort))

    def put(self, fault, effort, verdict):
        with self.lock:
            self.known[fault, effort] = verdict
            with open(self.file, "a", encoding="utf-8") as file:
                file.write(json.dumps([fault, effort, verdict]) + "\n")


class Trial:
    """Tries faults. A verdict is "killed by X", "survived" with why, or what keeps the fault from counting."""

    def __init__(self, options, work, suite, reach, sanitized, verdicts):
        self.options, self.work, self.suite, self.reach = options, work, suite, reach
        self.sanitized, self.verdicts = sanitized, verdicts
        self.slots = queue.Queue()
        for slot in range(options.jobs):
            self.slots.put(self.make_slot(slot))

    def make_slot(self, slot):
        """The folder of a job, with sources of its own."""
        folder = os.path.join(self.work, "job%d" % slot)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(os.path.join(self.work, "tree"), os.path.join(folder, "tree"))
        return folder

    def judge(self, fault, effort):
        verdict = self.verdicts.get(name_of(fault), effort)
        if verdict is None:
            folder = self.slots.get()
            try:
                verdict = self.run(fault, effort, folder)
            finally:
                self.slots.put(folder)
            self.verdicts.put(name_of(fault), effort, verdict)
        return verdict

    def run(self, fault, effort, folder):
        mutant = Mutant(self.suite.build, fault, folder)
        if mutant.flaw:
            return mutant.flaw
        path, after_quick = fault[0], effort == "full" and self.options.effort == "both"
        reached = self.reach.of(path, fault[1] + 1)
        commands = self.suite.of(path, reached, effort, after_quick, self.options.near)
        verdict = self.run_plain(mutant, commands, effort, path)
        if not is_killed(verdict) and self.sanitized and not after_quick:
            verdict = self.run_sanitized(fault, commands, folder) or verdict
        if not is_killed(verdict) and not reached:
            verdict += ", not reached"
        return verdict

    def run_plain(self, mutant, commands, effort, path):
        spent = 0.0
        for number, command in enumerate(commands):
            if self.options.patience and spent > self.options.patience:
                return "survived, %d of %d commands run" % (number, len(commands))
            if not self.suite.prove(command, effort):
                continue
            outcome = mutant.run(command, effort, self.suite.limit(command, effort))
            spent += outcome.seconds
            if outcome.code:
                self.suite.note_kill(command, path)
                what = ": " + outcome.failed if outcome.failed else ""
                late = " (time)" if outcome.code == OUT_OF_TIME else ""
                return "killed by " + command + what + late
        return "survived"

    def run_sanitized(self, fault, commands, folder):
        """Tries once more what takes little time. None if it survives."""
        mutant = Mutant(self.sanitized, fault, folder)
        for command in [] if mutant.flaw else commands:
            seconds = self.suite.seconds(command, "quick")
            if seconds < 4 and mutant.run(command, "quick", 50 + 50 * seconds, False).code:
                return "killed by sanitized " + command
        return None


def copy_tree(root, work):
    """The sources, with times as they are; objects of earlier calls stay."""
    shutil.rmtree(os.path.join(work, "tree"), ignore_errors=True)
    for part in ("src", "include", "tests", "app", "common", "bench"):
        if os.path.isdir(os.path.join(root, part)):
            shutil.copytree(os.path.join(root, part), os.path.join(work, "tree", part))


def find_faults(options, tree):
    patterns = options.files or ["src/%s/**/*.%s" % (room, end) for room in options.rooms
                                 for end in ("c", "inc.h")]
    names = sorted(set(name for pattern in patterns
                       for name in glob.glob(pattern, root_dir=tree, recursive=True)))
    names = [name for name in names if name not in ONLY_TESTS]
    if options.at:
        names = sorted(set(place.rsplit(":", 1)[0] for place in options.at))
    faults = []
    for name in names:
        with open(os.path.join(tree, name), encoding="utf-8") as file:
            faults += faults_of_file(name, file.read())
    if options.at:
        faults = [f for f in faults if "%s:%d" % (f[0], f[1] + 1) in options.at]
    return faults


class Campaign:
    """Many faults, in one effort after the other."""

    def __init__(self, options, trial):
        self.options, self.trial = options, trial
        self.end, self.is_stopped = 0.0, False
        self.found = {}  # {fault: {effort: verdict}}, of those that count
        self.flaws = {SAME_CODE: 0, DOES_NOT_COMPILE: 0}
        self.lock = threading.Lock()

    def plant(self, faults, effort):
        """Tries the first of some faults that counts."""
        for fault in faults:
            if time.monotonic() > self.end:
                return
            verdict = self.trial.judge(fault, effort)
            with self.lock:
                if verdict in self.flaws:
                    self.flaws[verdict] += 1
                    continue
                self.found.setdefault(fault, {})[effort] = verdict
                print("%4d  %s\n      %s: %s" % (len(self.found), name_of(fault), effort, verdict), flush=True)
                return

    def run(self, queues, effort):
        self.end = time.monotonic() + 60 * self.options.minutes if self.options.minutes else float("inf")
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            try:
                list(pool.map(lambda faults: self.plant(faults, effort), queues))
            except (KeyboardInterrupt, Stopped):
                say("stopped; the next call goes on from here")
                self.end, self.is_stopped = 0.0, True
        self.trial.suite.save()

    def run_efforts(self, queues):
        for effort in self.options.efforts:
            if self.is_stopped:
                return
            self.run(queues, effort)
            queues = [[fault] for fault, found in self.found.items() if not any(map(is_killed, found.values()))]


def is_killed(verdict):
    return verdict.startswith("killed")


def print_files(results):
    tally = {}
    for (path, _, _, _), found in results:
        tally.setdefault(path, [0, 0])[not any(map(is_killed, found.values()))] += 1
    for path in sorted(tally):
        print("%4d killed %4d survived  %s" % (*tally[path], path))


def print_fault(tree, fault, verdicts):
    """Where it is, the line without it and with it, and the verdict of each effort."""
    path, number, text, what = fault
    with open(os.path.join(tree, path), encoding="utf-8") as file:
        line = file.read().split("\n")[number]
    print("  %s:%d: %s\n    - %s\n    + %s" % (path, number + 1, what, line.strip(), text.strip()))
    for pair in verdicts.items():
        print("      %s: %s" % pair)


def print_figures(campaign, tree):
    """Lists what survived. The percentage killed in the largest effort, and the share of quick effort in it."""
    efforts, results = campaign.options.efforts, sorted(campaign.found.items(), key=lambda r: name_of(r[0]))
    print_files(results)
    print("\nfound in full effort alone:")
    for fault, found in results:
        if len(found) > 1 and is_killed(found["full"]):
            print_fault(tree, fault, found)
    print("\nnot found:")
    for fault, found in results:
        if not any(map(is_killed, found.values())):
            print_fault(tree, fault, found)
    print()
    say("%d faults planted; %d more compile to the same code, %d do not compile" %
        (len(results), campaign.flaws[SAME_CODE], campaign.flaws[DOES_NOT_COMPILE]))
    killed, percent = 0, 0.0
    kills = []
    for number, effort in enumerate(efforts):
        # what an effort was not yet tried on is known of neither
        killed += sum(is_killed(found.get(effort, "")) for _, found in results)
        known = sum(is_killed(found[efforts[0]]) or len(found) > number for _, found in results)
        percent = 100.0 * killed / known if known else 0.0
        kills.append(killed)
        say("%s effort: %d of %d faults killed, %.1f %%" % (effort, killed, known, percent))
    share = 100.0 * kills[0] / kills[-1] if kills[-1] else 100.0
    if len(efforts) > 1:
        say("quick effort finds %.1f %% of what full effort finds" % share)
    return percent, share


def read_options():
    parser = argparse.ArgumentParser(description="plant faults and see whether the tests find them")
    parser.add_argument("--rooms", help="of src/, with commas: detect,world; all without it")
    parser.add_argument("--files", nargs="+", default=[], help="patterns, instead of rooms")
    parser.add_argument("--at", nargs="+", default=[], help="FILE:LINE: all faults of these lines")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--effort", choices=("quick", "full", "both"), default="quick", help="of the tests")
    parser.add_argument("--least", type=float, default=90, help="percent to be killed")
    parser.add_argument("--share", type=float, default=95, help="percent of full effort's that quick must kill")
    parser.add_argument("--sanitize", action="store_true",
                        help="try survivors once more with the sanitizers; not by default, for it takes as long again")
    parser.add_argument("--near", action="store_true",
                        help="only the tests that belong to the file by its name: takes less long, finds less")
    parser.add_argument("--patience", type=float, default=0,
                        help="seconds of processor time for a fault in an effort; without end if 0")
    parser.add_argument("--minutes", type=float, default=0, help="of each effort, after which no fault is planted; without end if 0")
    parser.add_argument("--again", action="store_true", help="forget the verdicts of earlier runs")
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--work", help="a folder; build/mutate without it")
    parser.add_argument("--root", default=ROOT, help="another project with src/ and tests/, as for a test of this one")
    options = parser.parse_args()
    rooms = rooms_of(options.root)
    options.rooms = options.rooms.split(",") if options.rooms else rooms
    unknown = [room for room in options.rooms if room not in rooms]
    if unknown:
        parser.error("no room %s: there are %s" % (", ".join(unknown), ", ".join(rooms)))
    options.efforts = ["quick", "full"] if options.effort == "both" else [options.effort]
    options.work = os.path.abspath(options.work or os.path.join(options.root, "build", "mutate"))
    return options


def make_trial(options, work):
    """Builds all, runs all programs, and counts the lines they reach."""
    programs = find_programs(os.path.join(work, "tree"))
    plain, counted, sanitized = Build(work, "plain", PLAIN), Build(work, "counted", COUNT, "gcc"), None
    for build in (plain, counted):
        say("the build %s" % os.path.basename(build.folder))
        build.make(programs, options.jobs)
    if options.sanitize:
        sanitized = Build(work, "sanitized", SANITIZE)
        sanitized.make(programs, options.jobs)
    suite = Suite(work, plain, say)
    suite.prepare(options.jobs)
    say("%d programs, %d commands" % (len(programs), len(suite.commands)))
    reach = Reach(work, counted)
    reach.measure(suite.commands, options.jobs, lambda c: 60 + 20 * suite.seconds(c, "quick"), say)
    key = plain.key_of_all()[:16] + "".join("-" + word for word, is_so in (
        ("near", options.near), ("sanitize", options.sanitize),
        ("%gs" % options.patience, options.patience)) if is_so)
    return Trial(options, work, suite, reach, sanitized, Verdicts(work, key, options.again))


def main():
    options = read_options()
    work = options.work
    tree = os.path.join(work, "tree")
    copy_tree(options.root, work)
    faults = find_faults(options, tree)
    if options.list:
        for fault in faults:
            print(name_of(fault))
        return 0
    if not faults:
        sys.exit("mutate: no faults in %s" % " ".join(options.at or options.files or options.rooms))
    campaign = Campaign(options, make_trial(options, work))
    count = len(faults) if options.at else options.count
    campaign.run_efforts(choose(faults, count, options.seed))
    percent, share = print_figures(campaign, tree)
    if campaign.is_stopped:
        return 130
    if campaign.trial.suite.broken:
        return 2
    return 0 if percent >= options.least and share >= options.share else 1


if __name__ == "__main__":
    sys.exit(main())
