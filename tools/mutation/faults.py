"""Faults: one operator, constant or statement of one line, changed."""
import random
import re

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
