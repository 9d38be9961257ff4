"""What every check works with."""

from pathlib import Path

from checks import Checks
from openssl import OpenSSL
from signet import Signet

# Everything JSON escapes and much that it need not.
ODD_NAME = 'gr\u00fc\u00df "\\ \u0007\u007f\u2028 \U0001f511.bin'


class Workbench:
    def __init__(self, signet: str, folder: Path) -> None:
        self.checks = Checks()
        self.signet = Signet(signet)
        self.openssl = OpenSSL()
        self._root = folder

    def folder(self, name: str) -> Path:
        """A new, empty folder: no check finds what another has left."""
        folder = self._root / name
        folder.mkdir(parents=True)
        return folder

    def file(self, folder: Path, content: bytes = b"an artifact\n", name: str = "artifact.bin") -> Path:
        path = folder / name
        path.write_bytes(content)
        return path
