"""The library as one shared object, and test programs that find it where they are told."""
import collections
import concurrent.futures
import glob
import hashlib
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time

COMMON = ["-std=c17", "-w", "-D_POSIX_C_SOURCE=200809L", "-DSCREE_DEBUG", '-DTEST_ROOT="."', "-fPIC",
          "-ffp-contract=off", "-Iinclude", "-Isrc", "-Itests", "-Ibench", "-I."]
# optimised: what compiles to the same code is no fault, and more of it is seen
PLAIN = ["-O2", "-fno-semantic-interposition"]
SANITIZE = ["-O1", "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
COUNT = ["-O1", "-DSCREE_COVERAGE", "--coverage", "-fprofile-update=single"]

# programs that stand before the C library's own calls: they hold the library, which would not see them otherwise
WRAPPED = {"world/test_library_memory": (["-DLIBRARY_MEMORY_FAILS"],
                                         ["-Wl,--wrap=malloc,--wrap=realloc,--wrap=free"])}

OUT_OF_TIME = 124
MEMORY, FILE = 6 << 30, 1 << 30  # bytes that a program may have, and write to one file
# makes a file of 16 GB that is empty
SPARSE, SPARSE_FILE = ("io/test_mesh_read",), 1 << 35

# why a fault does not count
SAME_CODE, DOES_NOT_COMPILE = "same code", "does not compile"

# code: exit code; failed: the test that failed, if it said so; seconds: of processor time
Outcome = collections.namedtuple("Outcome", "code failed seconds")

STOPS = (-signal.SIGINT, -signal.SIGTERM)


class Stopped(Exception):
    """A program was told to stop from outside, as by Ctrl-C: this says nothing of a fault."""


def call(command, cwd, limit=300):
    """The exit code of a compiler or a linker."""
    try:
        code = subprocess.run(command, cwd=cwd, timeout=limit, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode
    except subprocess.TimeoutExpired:
        return OUT_OF_TIME
    if code in STOPS:
        raise Stopped
    return code


def run_test(command, cwd, place, limit, bounded=True, to_end=False, file=FILE):
    """Runs a program of tests until its first test fails, or it ends; `to_end`: whatever fails. `limit` is of
    processor time, for all threads together; one that waits for ever is stopped as well. `bounded`: memory is
    limited, which sanitizers do not bear."""
    def limits():
        if bounded:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))
        # nothing runs on if this script is stopped
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))
    process = subprocess.Popen(command, cwd=cwd, env=place, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               preexec_fn=limits)
    said, failed, is_late, end = b"\n", None, False, time.monotonic() + 30 + 4 * limit
    source = process.stdout.fileno()
    while not is_late and (to_end or not failed):
        if select.select([source], [], [], 1.0)[0]:
            data = os.read(source, 1 << 16)
            if not data:
                break
            said += data
            match = re.search(rb"\nFAILED: (\w*)", said)
            failed = match.group(1).decode() if match else failed
            said = said[-200:]
        is_late = time.monotonic() > end
    if is_late or (failed and not to_end):
        # Popen.kill would also collect what has ended by itself, and with it the time it took
        os.kill(process.pid, signal.SIGKILL)
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    code = process.returncode = os.waitstatus_to_exitcode(status)
    if failed:
        code = 1
    elif code in STOPS:
        raise Stopped
    elif code in (-signal.SIGXCPU, -signal.SIGKILL):
        code = OUT_OF_TIME
    return Outcome(code, failed, usage.ru_utime + usage.ru_stime)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def name_of_object(source):
    """src/a/b.c and src/a_b.c have two."""
    return source[:-len(".c")].replace("/", "+") + ".o"


def read_key(path):
    """What something was made of, or None."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_key(path, key):
    with open(path, "w", encoding="utf-8") as file:
        file.write(key)


def place_of(command):
    """What comes before the program, NAME=VALUE, and the program with its arguments."""
    words = command.split()
    at = next(k for k, word in enumerate(words) if "=" not in word)
    return dict(word.split("=", 1) for word in words[:at]), words[at], words[at + 1:]


class Build:
    """All objects of one kind. What did not change since the last call is not compiled again."""

    def __init__(self, work, name, flags, compiler=None):
        self.tree = os.path.join(work, "tree")
        self.folder = os.path.join(work, name)
        self.compiler = compiler or os.environ.get("CC", "cc")
        self.flags = flags
        self.objects, self.includes, self.keys = {}, {}, {}
        self.sources = {}  # of each program
        self.digests = {}  # of each source and header
        os.makedirs(self.folder, exist_ok=True)

    def command(self, source):
        return ([self.compiler] + COMMON + self.flags +
                WRAPPED.get(source[len("tests/"):-len(".c")], ([], []))[0])

    def compile(self, source, folder, tree):
        out = os.path.join(folder, name_of_object(source))
        return out, call(self.command(source) + ["-MMD", "-c", source, "-o", out], tree)

    def key(self, source, depends):
        """What an object is made of."""
        with open(depends, encoding="utf-8") as file:
            names = file.read().replace("\\\n", " ").split(":", 1)[1].split()
        names = set(os.path.normpath(name) for name in names)
        text = self.command(source)
        for name in sorted(names):
            path = os.path.join(self.tree, name)
            if path not in self.digests:
                self.digests[path] = digest(path) if os.path.exists(path) else ""
            text.append(name + self.digests[path])
        return names, hashlib.sha256("\n".join(text).encode()).hexdigest()

    def make_object(self, source):
        out = os.path.join(self.folder, name_of_object(source))
        depends, stamp = out[:-2] + ".d", out + ".key"
        if os.path.exists(depends) and os.path.exists(out):
            names, key = self.key(source, depends)
            if read_key(stamp) == key:
                return source, out, names, key
        if self.compile(source, self.folder, self.tree)[1]:
            sys.exit("mutate: %s does not compile" % source)
        names, key = self.key(source, depends)
        write_key(stamp, key)
        return source, out, names, key

    def is_shared(self, source):
        """Of the library, or of what all tests use."""
        return source.startswith(("src/", "bench/", "tests/harness/"))

    def parts(self, changed):
        return [changed.get(s, o) for s, o in self.objects.items() if self.is_shared(s)]

    def link_library(self, folder, changed):
        out = os.path.join(folder, "libmutant.so")
        return call([self.compiler, "-shared"] + self.flags + self.parts(changed) +
                    ["-lm", "-pthread", "-o", out], self.tree)

    def link_program(self, name, folder, changed):
        out = os.path.join(folder, name.replace("/", "+"))
        objects = [changed.get(source, self.objects[source]) for source in self.sources[name]]
        if name in WRAPPED:
            objects += self.parts(changed) + WRAPPED[name][1]
        else:
            objects += ["-L" + self.folder, "-lmutant"]
        code = call([self.compiler] + self.flags + objects + ["-lm", "-pthread", "-o", out], self.tree)
        return out if code == 0 else None

    def make(self, sources, jobs):
        """`sources` of each program."""
        self.sources = sources
        shared = [name for pattern in ("src/**/*.c", "tests/harness/**/*.c", "bench/[!p]*/*.c")
                  for name in glob.glob(pattern, root_dir=self.tree, recursive=True)]
        names = sorted(set(shared + [name for group in sources.values() for name in group]))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for source, out, used, key in pool.map(self.make_object, names):
                self.objects[source], self.includes[source], self.keys[source] = out, used, key
            if self.link_library(self.folder, {}):
                sys.exit("mutate: the library cannot be linked")
            list(pool.map(self.make_program, sources))

    def make_program(self, name):
        out = os.path.join(self.folder, name.replace("/", "+"))
        # most find the library when they run
        key = self.key_of(name) if name in WRAPPED else " ".join(self.keys[s] for s in self.sources[name])
        if os.path.exists(out) and read_key(out + ".key") == key:
            return
        if self.link_program(name, self.folder, {}) is None:
            sys.exit("mutate: %s cannot be linked" % name)
        write_key(out + ".key", key)

    def key_of(self, program=None):
        """What the library is made of, or a program with it."""
        sources = [s for s in sorted(self.objects) if self.is_shared(s)] + self.sources.get(program, [])
        return hashlib.sha256(" ".join(self.keys[s] for s in sources).encode()).hexdigest()

    def key_of_all(self):
        """What the library and all programs are made of."""
        return hashlib.sha256(" ".join(self.keys[s] for s in sorted(self.keys)).encode()).hexdigest()

    def users_of(self, path):
        return [s for s, names in self.includes.items() if os.path.normpath(path) in names]

    def run(self, command, effort, limit, cwd=None, library=None, program=None, bounded=True, to_end=False):
        """A command of tests, in an effort; `program` and `library` (a folder) where a fault has them."""
        place, name, arguments = place_of(command)
        place = dict(os.environ, SCREE_TEST_EFFORT=effort, LD_LIBRARY_PATH=library or self.folder,
                     **place)
        program = program or os.path.join(self.folder, name.replace("/", "+"))
        return run_test([program] + arguments, cwd or self.tree, place, limit, bounded, to_end,
                        SPARSE_FILE if name in SPARSE else FILE)


class Mutant:
    """One fault, built in the folder of a job; its programs are linked when first needed. `flaw` says why it does not
    count, if so."""

    def __init__(self, build, fault, folder):
        self.build, self.folder, self.changed, self.linked = build, folder, {}, {}
        self.flaw = self.compile(fault)

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
                    return DOES_NOT_COMPILE
                self.changed[user] = out
                differs = differs or digest(out) != digest(self.build.objects[user])
        finally:
            with open(source, "w", encoding="utf-8") as file:
                file.write(original)
        if not differs:
            return SAME_CODE
        return DOES_NOT_COMPILE if self.build.link_library(self.folder, self.changed) else None

    def program(self, name):
        """Linked anew only if the fault is in it."""
        touched = name in WRAPPED or any(s in self.changed for s in self.build.sources[name])
        if not touched:
            return os.path.join(self.build.folder, name.replace("/", "+"))
        if name not in self.linked:
            self.linked[name] = self.build.link_program(name, self.folder, self.changed)
        return self.linked[name]

    def run(self, command, effort, limit, bounded=True):
        program = self.program(place_of(command)[1])
        if program is None:
            return Outcome(0, None, 0.0)
        return self.build.run(command, effort, limit, os.path.join(self.folder, "tree"), self.folder, program,
                              bounded)
