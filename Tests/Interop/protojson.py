"""What protojson makes of a text: a strict JSON reader, and messages without unknown fields.

protobuf-go encoding/protojson/decode.go (unmarshalMessage, unmarshalBytes) and internal/encoding/json. Stricter than
that in what Signet never writes: no field may be null, none may have the name from the .proto file, and bytes are
padded standard base64.
"""

import base64
import binascii
import json
import math
from dataclasses import dataclass, field


class Unreadable(Exception):
    """protojson would not read it."""


@dataclass(frozen=True)
class Message:
    name: str
    fields: dict[str, object]
    """By its JSON name, what a field holds: `str`, `bytes`, a Message, `[one of these]`, STRUCT or STRINGS."""
    oneof: set[str] = field(default_factory=set)
    """The fields of which only one may be set."""


STRUCT = "google.protobuf.Struct"
STRINGS = "map<string, string>"


def read(text: bytes, message: Message) -> dict:
    """The message's fields, bytes decoded."""
    try:
        # utf-8 and not utf-8-sig: a byte-order mark is no JSON.
        value = json.loads(
            text.decode("utf-8"), object_pairs_hook=_without_duplicates, parse_constant=_no_constant,
            parse_float=_float)
    except (UnicodeDecodeError, RecursionError, json.JSONDecodeError) as error:
        raise Unreadable(f"is not JSON: {error}") from error
    return _message(value, message)


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable(f"has a name twice among {[name for name, _ in pairs]}")
    return found


def _no_constant(name: str) -> float:
    raise Unreadable(f"has the number {name}")


def _float(text: str) -> float:
    # structpb.Value holds a double; a number beyond its range is refused.
    if math.isinf(float(text)):
        raise Unreadable(f"has a number out of range: {text}")
    return float(text)


def _message(value: object, message: Message) -> dict:
    if not isinstance(value, dict):
        raise Unreadable(f"{message.name} is no object")
    unknown = set(value) - set(message.fields)
    if unknown:
        raise Unreadable(f"{message.name} has unknown fields: {sorted(unknown)}")
    if len(message.oneof & set(value)) > 1:
        raise Unreadable(f"{message.name} has several of {sorted(message.oneof)}")
    return {name: _field(item, message.fields[name], f"{message.name}.{name}") for name, item in value.items()}


def _field(value: object, kind: object, path: str) -> object:
    if isinstance(kind, Message):
        return _message(value, kind)
    if isinstance(kind, list):
        if not isinstance(value, list):
            raise Unreadable(f"{path} is no list")
        return [_field(item, kind[0], path) for item in value]
    if kind is str:
        return _text(value, path)
    if kind is bytes:
        try:
            return base64.b64decode(_text(value, path), validate=True)
        except binascii.Error as error:
            raise Unreadable(f"{path} is not base64: {error}") from error
    if not isinstance(value, dict):
        raise Unreadable(f"{path} is no object")
    if kind == STRINGS:
        return {_text(name, path): _text(item, path) for name, item in value.items()}
    _values(value, path)
    return value


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise Unreadable(f"{path} is no string")
    try:
        value.encode()
    except UnicodeEncodeError as error:  # half of a surrogate pair, as an escape
        raise Unreadable(f"{path} is not Unicode: {error}") from error
    return value


def _values(value: object, path: str) -> None:
    """Anything, as long as its strings are Unicode."""
    if isinstance(value, str):
        _text(value, path)
    elif isinstance(value, list):
        for item in value:
            _values(item, path)
    elif isinstance(value, dict):
        for name, item in value.items():
            _values([name, item], path)
