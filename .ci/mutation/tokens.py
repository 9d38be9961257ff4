"""Tokens of Swift, with their lines and the space around them."""
import dataclasses
import re

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>\#*(?:\"{3}|\"))
  | (?P<number>0x[0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9]+)?)
  | (?P<name>`\w+`|[#@$]?\w+)
  | (?P<bracket>[()\[\]{}])
  | (?P<mark>[,;:])
  | (?P<operator>[-+*/%=<>!&|^~?.\\@#]+)""", re.X | re.S)
CLOSERS = {"(": ")", "[": "]", "{": "}"}


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    line: int
    # Whether the token is the first of its line, and whether there is space on either side.
    is_first: bool
    spaced: tuple


def tokens(text):
    found, place, line, newline, space = [], 0, 1, True, True
    while place < len(text):
        match = TOKEN.match(text, place)
        if not match:
            raise ValueError(f"line {line}: no token begins with {text[place:place + 20]!r}")
        kind, end = match.lastgroup, match.end()
        if kind == "string":
            end = end_of_string(text, match)
        word = text[place:end]
        if kind == "space":
            newline |= "\n" in word
        else:
            found.append(Token(kind, word, place, end, line, newline, (space, text[end:end + 1] in " \n")))
            newline = False
        space = kind == "space"
        line += word.count("\n")
        place = end
    return found


def end_of_string(text, opening):
    hashes = opening[0].rstrip('"')
    quote = opening[0][len(hashes):]
    within = re.compile(rf"\\{hashes}(.)|{quote}{hashes}", re.S)
    place = opening.end()
    while True:
        found = within.search(text, place)
        place = found.end()
        if found[1] is None:
            return place
        if found[1] == "(":
            depth = 1
            while depth:
                part = TOKEN.match(text, place)
                place = end_of_string(text, part) if part.lastgroup == "string" else part.end()
                depth += {"(": 1, ")": -1}.get(part[0], 0)
