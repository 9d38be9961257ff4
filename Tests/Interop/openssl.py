"""The openssl program."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checks import Mismatch
from key_type import KeyType


class OpenSSL:
    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["openssl", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)

    def must(self, *arguments: str | Path) -> bytes:
        ended = self.run(*arguments)
        if ended.returncode != 0:
            raise Mismatch(f"openssl {arguments[0]} failed: {ended.stderr.decode(errors='replace').strip()}")
        return ended.stdout

    def generate(self, kind: KeyType, private: Path) -> Path:
        """A private key in PKCS#8 and PEM, and beside it the public one, whose path is given back."""
        self.must("genpkey", *kind.genpkey, "-out", private)
        return self.publish(private)

    def publish(self, private: Path, form: str = "PEM") -> Path:
        """Writes the public half of a private key that is not encrypted."""
        public = private.with_name(f"{private.name}.public.{form.lower()}")
        self.must("pkey", "-in", private, "-pubout", "-outform", form, "-out", public)
        return public

    def sign(self, kind: KeyType, private: Path, message: bytes) -> bytes:
        with _files(message, b"") as (data, signature):
            if kind.digest:
                self.must("dgst", f"-{kind.digest}", "-sign", private, "-out", signature, data)
            else:
                self.must("pkeyutl", "-sign", "-rawin", "-inkey", private, "-in", data, "-out", signature)
            return signature.read_bytes()

    def accepts(self, kind: KeyType, public: Path, message: bytes, signature: bytes) -> None:
        said = self._verify(kind, public, message, signature)
        if said != (0, "Verified OK" if kind.digest else "Signature Verified Successfully"):
            raise Mismatch(f"openssl does not verify the signature: {said}")

    def refuses(self, kind: KeyType, public: Path, message: bytes, signature: bytes) -> None:
        status, said = self._verify(kind, public, message, signature)
        # The text too: a file that cannot be read has the same exit status.
        if status == 0 or "verification failure" not in said.lower():
            raise Mismatch(f"openssl does not refuse the signature: {status}, {said}")

    def _verify(self, kind: KeyType, public: Path, message: bytes, signature: bytes) -> tuple[int, str]:
        with _files(message, signature) as (data, sig):
            if kind.digest:
                ended = self.run("dgst", f"-{kind.digest}", "-verify", public, "-signature", sig, data)
            else:
                ended = self.run(
                    "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", public, "-sigfile", sig, "-in", data)
        return ended.returncode, ended.stdout.decode(errors="replace").strip()


@contextmanager
def _files(*contents: bytes) -> Iterator[list[Path]]:
    """Files for the program to read: pkeyutl wants to know a message's size beforehand, so a pipe would not do."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, str(number)) for number in range(len(contents))]
        for path, content in zip(paths, contents):
            path.write_bytes(content)
        yield paths
