"""The program under test."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from checks import Mismatch, expect


@dataclass(frozen=True)
class Key:
    """A key pair that signet made."""

    private: Path
    public: Path
    id: str


class Signet:
    def __init__(self, program: str) -> None:
        self.program = program

    def keygen(self, kind: str, private: Path) -> Key:
        result = self._done("keygen", "--type", kind, "--no-passphrase", "--out", str(private))
        return Key(private, Path(result["publicKey"]), result["keyId"])

    def sign(self, file: Path, key: Path, *options: str) -> Path:
        return Path(self._done("sign", str(file), "--key", str(key), *options)["bundle"])

    def sign_all(self, files: list[Path], key: Path, *options: str) -> list[dict]:
        """What is said about each file, whether it could be signed or not."""
        _, document = self._documented("sign", *map(str, files), "--key", str(key), *options)
        expect("the number of results", len(document["results"]), len(files))
        return document["results"]

    def packed(self, archive: Path, out: Path) -> dict:
        """What is said about an archive that is packed anew, whether it could be or not."""
        return self._run("pack", "--from", str(archive), "--out", str(out), "--force")[1]

    def digest(self, file: Path) -> dict:
        return self._done("digest", str(file))

    def accepts(self, file: Path, key: Path, *options: str) -> dict:
        """Raises unless signet verifies the file; gives what it says about it."""
        status, result = self._run("verify", str(file), "--key", str(key), *options)
        if status != 0:
            raise Mismatch(f"signet verify ended with {status}: {result.get('reasons') or result}")
        expect("the verdict", result["verdict"], "verified")
        return result

    def refuses(self, code: str, file: Path, key: Path, *options: str) -> None:
        """Raises unless signet refuses the file, for this very reason before all others."""
        status, result = self._run("verify", str(file), "--key", str(key), *options)
        expect("signet verify's exit status", status, 1)
        expect("the reason", result["reasons"][0]["code"], code)

    def run(self, *arguments: str | Path) -> None:
        """Raises unless the command is done."""
        ended = subprocess.run(
            [self.program, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        if ended.returncode != 0:
            raise Mismatch(f"signet {arguments[0]} ended with {ended.returncode}: {ended.stderr.decode(errors='replace')}")

    def verify(self, file: Path, *options: str) -> tuple[int, dict]:
        """The exit status, and what is said about the file."""
        return self._run("verify", str(file), *options)

    def _done(self, *arguments: str) -> dict:
        status, result = self._run(*arguments)
        if status != 0:
            raise Mismatch(f"signet {arguments[0]} ended with {status}: {result}")
        return result

    def _run(self, *arguments: str) -> tuple[int, dict]:
        """The exit status, and what is said about the only file."""
        status, document = self._documented(*arguments)
        return status, document["results"][0] if "results" in document else document

    def _documented(self, *arguments: str) -> tuple[int, dict]:
        ended = subprocess.run(
            [self.program, *arguments, "--json"], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        try:
            document = json.loads(ended.stdout)
        except ValueError:
            # A command that could not start its work has no document.
            return ended.returncode, {"stderr": ended.stderr.decode(errors="replace").strip()}
        expect("the status in the document", document["status"], ended.returncode)
        return ended.returncode, document
