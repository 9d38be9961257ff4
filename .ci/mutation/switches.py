"""Finds what can be switched in a source of Swift, and puts the switches there, for .ci/mutants.

This is no parser. It knows comments, strings, brackets, lines and operators, and takes only shapes that it is sure of. What
it gets wrong does not compile, and is left out."""
import bisect
import dataclasses
import re

from tokens import CLOSERS, tokens

ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "&+=", "&-=", "->"}
# What stands before an expression and is no part of it.
LEADING = {"return", "throw", "try", "try?", "try!", "unsafe", "await", "in", "where", "case", "if", "guard", "while", "else", "let",
           "var", "switch", "default", "repeat", "do", "for", "func", "static", "private", "package", "mutating"}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
CONNECTIVES = {"&&": "||", "||": "&&"}
BOUNDS = re.compile(r"(?i)max|min|limit|least|most|longest|bound|depth|budget|size|length|count|range")


@dataclasses.dataclass
class Mutant:
    number: int
    file: str
    line: int
    kind: str
    # The source line as it is, and as it would be.
    before: str
    after: str
    # Lines that its switch is on.
    lines: frozenset

    @property
    def key(self):
        return f"{self.file}|{self.kind}|{self.before.strip()}|{self.after.strip()}"


class Source:
    """A file, and the switches that are put into it."""

    def __init__(self, file, text, first):
        self.file, self.text, self.next = file, text, first
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.tokens = tokens(text)
        self.mutants, self.wraps, self.replaced, self.forced = [], [], {}, set()
        self.match()
        self.conditions = []
        self.bodies, self.patterns = set(), set()
        self.find_statements()
        self.find_mutants()
        # What only a caller's mistake breaks ends the program, and no input can show it.
        kept = {mutant.number for mutant in self.mutants if not re.match(r"(precondition|assert)\(", mutant.before)}
        self.mutants = [mutant for mutant in self.mutants if mutant.number in kept]
        self.unused = set(range(first, self.next)) - kept

    # Brackets and runs

    def match(self):
        self.partner, stack = {}, []
        for index, token in enumerate(self.tokens):
            if token.text in CLOSERS and token.kind == "bracket":
                stack.append(index)
            elif token.kind == "bracket":
                self.partner[index] = stack.pop()
                self.partner[self.partner[index]] = index

    def begins_line(self, index):
        """Whether a statement may begin with the token: its line does, and goes on with nothing that was before it."""
        token, before = self.tokens[index], self.tokens[index - 1] if index else None
        if not token.is_first or before is None:
            return token.is_first
        if before.text in LEADING or before.text in (",", ":") or before.text in CLOSERS and before.kind == "bracket":
            return before.text == "{"
        if before.kind == "operator" and before.spaced[0]:
            return False
        return not (token.kind == "operator" and (token.spaced[1] or token.text.startswith(".")) or token.text in ("?", ":"))

    def separates(self, token, stops):
        return token.text in LEADING or token.text in (",", ";", ":") or token.text in ASSIGNMENTS or token.text in stops \
            or token.text == "?" and all(token.spaced)

    def left(self, index, stops=()):
        """The first token of the run that ends before the token."""
        while index > 0:
            before = self.tokens[index - 1]
            if self.begins_line(index) or self.separates(before, stops) or before.text in CLOSERS and before.kind == "bracket":
                return index
            if before.text == "}" and not (index < len(self.tokens) and not self.tokens[index].is_first):
                return index
            index = self.partner[index - 1] if before.kind == "bracket" else index - 1
        return index

    def right(self, index, stops=()):
        """The last token of the run that begins after the token."""
        index += 1
        first = index
        while index < len(self.tokens):
            token = self.tokens[index]
            if self.separates(token, stops) or token.text in CLOSERS.values() and token.kind == "bracket" \
                    or index in self.bodies or index > first and self.begins_line(index):
                return index - 1
            index = self.partner[index] + 1 if token.text in CLOSERS and token.kind == "bracket" else index + 1
        return index - 1

    def find_statements(self):
        for index, token in enumerate(self.tokens):
            if token.kind != "name" or index and self.tokens[index - 1].text == ".":
                continue
            if token.text in ("if", "while", "guard", "for", "switch", "catch"):
                self.header(index)
            elif token.text == "case":
                self.pattern(index)

    def header(self, index):
        word = self.tokens[index].text
        if word == "while" and self.tokens[index - 1].text == "}" and not self.tokens[index].is_first:
            return
        place, clauses, start, where = index + 1, [], index + 1, None
        while place < len(self.tokens):
            token = self.tokens[place]
            if word == "guard" and token.text == "else" or word != "guard" and token.text == "{":
                break
            if token.text == "," and token.kind == "mark":
                clauses.append((start, place - 1))
                start = place + 1
            if token.text == "where":
                where = place + 1
            place = self.partner[place] + 1 if token.text in CLOSERS and token.kind == "bracket" else place + 1
        if word == "guard":
            place += 1
        self.bodies.add(place)
        if word in ("if", "guard", "while"):
            self.conditions.append((word, index, [*clauses, (start, place - (2 if word == "guard" else 1))]))
        elif where and word == "for":
            self.conditions.append(("where", where, [(where, place - 1)]))

    def pattern(self, index):
        """The tokens of a pattern, up to its colon, its equals sign or where it ends otherwise."""
        place, where = index + 1, None
        while place < len(self.tokens):
            token = self.tokens[place]
            if token.text in (":", "=") or token.text == "where" or self.begins_line(place):
                break
            place = self.partner[place] + 1 if token.text in CLOSERS and token.kind == "bracket" else place + 1
        self.patterns.update(range(index, place))
        if self.tokens[place].text == "where":
            end = self.right(place)
            self.conditions.append(("where", place + 1, [(place + 1, end)]))

    # Switches

    def line_of(self, place):
        return bisect.bisect_right(self.starts, place)

    def mutant(self, kind, first, last, old, new, at=None):
        """A new mutant, whose text in the range of the tokens becomes `new`. Its number is returned."""
        start, end = self.tokens[first].start, self.tokens[last].end
        line = self.tokens[at if at is not None else first].line
        begin, stop = self.starts[self.line_of(start) - 1], self.starts[self.line_of(end - 1)] - 1
        shown = self.text[begin:start] + new + self.text[end:stop]
        touched = {self.tokens[first].line, self.line_of(end - 1), line}
        self.mutants.append(Mutant(self.next, self.file, line, kind, re.sub(r"\s+", " ", self.text[begin:stop]).strip(),
                                   re.sub(r"\s+", " ", shown).strip(), frozenset(touched)))
        self.next += 1
        return self.next - 1

    def source(self, first, last):
        return self.text[self.tokens[first].start:self.tokens[last].end]

    def wrap(self, first, last, before, after, numbers, innermost=False):
        order = len(self.wraps) + (1_000_000 if innermost else 0)
        self.wraps.append((self.tokens[first].start, self.tokens[last].end, order, before, after, numbers))

    def find_mutants(self):
        for word, index, clauses in self.conditions:
            self.condition(word, index, clauses)
        for index, token in enumerate(self.tokens):
            if token.text == "?" and all(token.spaced) and index not in self.patterns:
                self.force("ternary", self.left(index), index - 1)
        for index, token in enumerate(self.tokens):
            before = self.tokens[index - 1].text if index else ""
            in_pattern = index in self.patterns
            if token.text in COMPARISONS and all(token.spaced) and token.kind == "operator" and not in_pattern and before != "func":
                self.comparison(index)
            elif token.text in CONNECTIVES and all(token.spaced) and not in_pattern and before != "func":
                self.connective(index)
            elif token.text in ("true", "false") and not in_pattern and before != "while":
                other = "false" if token.text == "true" else "true"
                self.flip("literal", index, index, token.text, other)
            elif token.text == "!" and not token.spaced[1] and (token.spaced[0] or before in ("(", "[")):
                last = self.postfix(index + 1)
                if (index, last) not in self.forced:
                    self.flip("not", index, last, self.source(index, last), self.source(index + 1, last))
            elif token.text in ("...", "..<") and token.kind == "operator":
                for place in (index - 1, index + 1):
                    self.literal("bound", place, (1, -1))
            elif token.kind == "name" and token.text == "let" and before == "static":
                self.constant(index)
            elif token.kind == "name" and BOUNDS.search(token.text + before) and self.tokens[index + 1].text == ":" \
                    and self.tokens[index + 2].kind == "number" and self.tokens[index + 3].text in (",", ")"):
                self.literal("bound", index + 2, (1, -1))
            elif token.text == "try" and self.begins_statement(index):
                self.call(index)

    def begins_statement(self, index):
        return self.begins_line(index) or self.tokens[index - 1].text == "{" and (index - 1) in self.bodies

    def condition(self, word, index, clauses):
        plain = 0
        for first, last in clauses:
            start = self.tokens[first].text
            # The compiler knows that a loop while true has no end.
            if first > last or start in ("let", "var", "case", "true") or start.startswith("#"):
                continue
            plain += 1
            self.force(word, first, last, holds=word != "while")
        if not plain and word != "where" and self.tokens[clauses[0][0]].text != "true":
            first = clauses[0][0]
            text = self.source(first, first)
            number = self.mutant(word, first, first, text, "false, " + text)
            self.wrap(first, first, f"mutantFlip({number}, true), ", "", {number})

    def force(self, kind, first, last, holds=True):
        if first > last:
            return
        self.forced.add((first, last))
        text = self.source(first, last)
        no = self.mutant(kind, first, last, text, "false")
        yes = self.mutant(kind, first, last, text, "true") if holds else 0
        self.wrap(first, last, f"mutantForce({no}, {yes}, ", ")", {no, yes})

    def flip(self, kind, first, last, old, new):
        number = self.mutant(kind, first, last, old, new)
        self.wrap(first, last, f"mutantFlip({number}, ", ")", {number})

    def comparison(self, index):
        first, last = self.left(index, CONNECTIVES), self.right(index, CONNECTIVES)
        # Requirements of generics compare types.
        if first >= index or last <= index or self.is_requirement(first):
            return
        operator = self.tokens[index].text
        # A condition that is forced to be either says more.
        if operator in ("==", "!=") and (first, last) in self.forced:
            return
        new = self.source(first, index - 1) + " " + COMPARISONS[operator] + " " + self.source(index + 1, last)
        number = self.mutant("comparison", first, last, "", new, index)
        if operator in ("==", "!="):
            self.wrap(first, last, f"mutantFlip({number}, (", "))", {number})
            return
        name = {"<": "Less", "<=": "LessOrSame", ">": "Greater", ">=": "GreaterOrSame"}[operator]
        # Its comma is an argument's.
        self.wrap(first, last, f"mutant{name}({number}, ", ")", {number}, innermost=True)
        self.replaced[index] = (",", number)
        # One of the neighbours of an integer is what the other operator says.
        if last == index + 1:
            self.literal("bound", last, (-1,) if operator in ("<", ">=") else (1,))
        elif first == index - 1:
            self.literal("bound", first, (1,) if operator in ("<", ">=") else (-1,))

    def is_requirement(self, first):
        if self.tokens[first - 1].text not in ("where", ","):
            return False
        while first > 0 and not self.begins_line(first):
            first -= 1
        return any(token.text in ("func", "extension", "init", "struct", "enum", "protocol")
                   for token in self.tokens[first:first + 5])

    def connective(self, index):
        operator = self.tokens[index].text
        # A run of one operator; && binds closer.
        stops = ("||",) if operator == "&&" else ()
        first = self.left(index, stops)
        last = self.right(index, ("&&", "||") if operator == "&&" else ("||",))
        right_first, left_last = index + 1, index - 1
        if first > left_last or last < right_first:
            return
        left, right = self.source(first, left_last), self.source(right_first, last)
        other = self.mutant("connective", first, last, "", f"{left} {CONNECTIVES[operator]} {right}", index)
        self.wrap(first, last, f"mutantFlip({other}, (", "))", {other})
        for start, end, shown in ((first, left_last, right), (right_first, last, left)):
            dropped = self.mutant("operand", first, last, "", shown, index)
            numbers = f"0, {dropped}" if operator == "&&" else f"{dropped}, 0"
            self.wrap(start, end, f"mutantFlip({other}, mutantForce({numbers}, ", "))", {other, dropped})

    def literal(self, kind, index, steps):
        token = self.tokens[index]
        if token.kind != "number" or "." in token.text:
            return
        value = int(token.text.replace("_", ""), 0)
        numbers = [self.mutant(kind, index, index, token.text, str(value + step)) if step in steps and value + step >= 0 else 0
                   for step in (1, -1)]
        self.wrap(index, index, f"mutantBound({numbers[0]}, {numbers[1]}, ", ")", set(numbers))

    def constant(self, index):
        """static let NAME = a number, or a product, sum or shift of numbers."""
        if not BOUNDS.search(self.tokens[index + 1].text):
            return
        place = index + 2
        if self.tokens[place].text == ":":
            place += 2
        if self.tokens[place].text != "=":
            return
        first = place + 1
        last = self.right(place)
        kinds = [token.kind for token in self.tokens[first:last + 1]]
        if not kinds or kinds[0] != "number" or any(
                token.kind != "number" and token.text not in ("<<", "*", "+", "-") for token in self.tokens[first:last + 1]):
            return
        text = self.source(first, last)
        up = self.mutant("bound", first, last, text, f"{text} + 1")
        down = self.mutant("bound", first, last, text, f"{text} - 1")
        self.wrap(first, last, f"mutantBound({up}, {down}, ", ")", {up, down})

    def postfix(self, index):
        """The last token of a name, literal or parenthesis with its members, calls and subscripts."""
        while True:
            token = self.tokens[index]
            if token.kind == "bracket" and token.text in CLOSERS:
                index = self.partner[index]
            following = self.tokens[index + 1]
            if following.text in ("(", "[") and not following.spaced[0] or following.text in ("?", "!") and not following.spaced[0]:
                index += 1
            elif following.text in (".", "?.", "!.") and not following.spaced[0]:
                index += 2
            else:
                return index

    def call(self, index):
        """A statement that only calls what throws; an initializer may not leave out the one that it calls."""
        last, place = self.right(index), index
        if self.source(index + 1, min(index + 3, last)) == "self.init":
            return
        while place <= last:
            if self.tokens[place].text in ASSIGNMENTS:
                return
            place = self.partner[place] + 1 if self.tokens[place].text in CLOSERS and self.tokens[place].kind == "bracket" else place + 1
        if last <= index:
            return
        number = self.mutant("call", index, last, "", "")
        self.wrap(index, last, f"if mutantFlip({number}, true) {{ ", " }", {number})

    def written(self, dropped):
        """The source with its switches, without those dropped."""
        dropped = dropped | self.unused
        edits = []
        for start, end, order, before, after, numbers in self.wraps:
            for number in numbers & dropped:
                # A switch without a number is never on.
                before = re.sub(rf"\b{number}\b", "0", before)
            if not (numbers - dropped - {0}):
                continue
            edits.append((start, 1, -(end - start), order, before))
            edits.append((end, 0, end - start, -order, after))
        for index, (new, number) in self.replaced.items():
            if number not in dropped:
                token = self.tokens[index]
                edits.append((token.start, 2, 0, 0, ("replace", token.end, new)))
        out, place = [], 0
        for start, _, _, _, edit in sorted(edits, key=lambda edit: edit[:4]):
            out.append(self.text[place:start])
            place = start
            if isinstance(edit, tuple):
                place, edit = edit[1], edit[2]
            out.append(edit)
        return "".join(out) + self.text[place:]
