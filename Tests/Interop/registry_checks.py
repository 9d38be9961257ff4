"""Signet and python-tuf: registries of modules in both directions

python-tuf's client reads what signet repo writes: delegations, hash bins, changes of keys, expired roles. signet repo
verify reads what python-tuf's metadata API writes.
"""

import datetime
import hashlib
import json
import urllib.parse
import zipfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from checks import Mismatch, expect
from securesystemslib.signer import CryptoSigner
from tuf.api.exceptions import DownloadHTTPError, ExpiredMetadataError
from tuf.api.metadata import (
    DelegatedRole, Delegations, Metadata, MetaFile, Root, Snapshot, SuccinctRoles, TargetFile, Targets, Timestamp)
from tuf.ngclient import FetcherInterface, Updater
from workbench import Workbench

BASE = "https://registry.example/"
# With a bundle beside each, more files than one role has.
MANY = 1001


class Folder(FetcherInterface):
    """A server that is a directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requests: list[str] = []

    def _fetch(self, url: str) -> Iterator[bytes]:
        name = urllib.parse.unquote(url.removeprefix(BASE))
        self.requests.append(name)
        path = self.folder / name
        if not path.is_file():
            raise DownloadHTTPError("not there", 404)
        yield path.read_bytes()


class Client:
    """python-tuf's client, with the first root and a folder of its own."""

    def __init__(self, registry: Path, folder: Path) -> None:
        self.registry = registry
        self.folder = folder
        self.first = (registry / "metadata/1.root.json").read_bytes()
        (folder / "targets").mkdir(parents=True)

    def updater(self) -> Updater:
        self.server = Folder(self.registry)
        return Updater(
            str(self.folder / "metadata"), BASE + "metadata/", str(self.folder / "targets"), BASE + "targets/",
            self.server, bootstrap=self.first)

    def target(self, path: str) -> bytes | None:
        updater = self.updater()
        info = updater.get_targetinfo(path)
        return None if info is None else Path(updater.download_target(info)).read_bytes()


class Registry:
    def __init__(self, bench: Workbench, name: str) -> None:
        self.signet = bench.signet
        self.folder = bench.folder(name)
        self.path = self.folder / "registry"
        self.keys = {name: self.signet.keygen("ed25519", self.folder / name)
                     for name in ("root", "root2", "targets", "online", "online2", "publisher", "publisher2")}
        self.repo("init", "--root-key", self.public("root"), "--targets-key", self.public("targets"),
                  "--online-key", self.public("online"))
        self.repo("add-publisher", "example", "--key", self.public("publisher"), "--modules", "com.example.**")
        self.sign("root", "targets", "publisher")
        self.refresh("online")

    def public(self, name: str) -> str:
        return str(self.keys[name].public)

    def repo(self, command: str, *arguments: object) -> None:
        self.signet.run("repo", command, str(self.path), *map(str, arguments))

    def sign(self, *names: str) -> None:
        for name in names:
            self.repo("sign", "--key", self.keys[name].private, "--yes")

    def refresh(self, *names: str) -> None:
        self.repo("refresh", *(word for name in names for word in ("--online-key", self.keys[name].private)))

    def modules(self, count: int, start: int = 0, key: str = "publisher") -> list[Path]:
        files = []
        for number in range(start, start + count):
            path = self.folder / f"m{number}.zip"
            description = {"identifier": f"com.example.m{number}", "version": "1.0.0", "sequence": 1}
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("module.json", json.dumps(description))
            files.append(path)
        self.signet.run("sign", *files, "--key", self.keys[key].private)
        return files

    def push(self, files: list[Path], key: str = "publisher", online: str = "online") -> None:
        self.repo("push", *files, "--publisher", "example", "--key", self.keys[key].private,
                  "--online-key", self.keys[online].private)


def path(number: int) -> str:
    return f"com/example/m{number}/1.0.0/module.zip"


def run(bench: Workbench) -> None:
    _read_by_python(bench)
    _bins(bench)
    _read_by_signet(bench)


def _read_by_python(bench: Workbench) -> None:
    registry = Registry(bench, "registry/read")
    files = registry.modules(2)
    registry.push(files[:1])
    client = Client(registry.path, registry.folder / "client")
    with bench.checks.check("python-tuf finds a pushed module and its bundle, and nothing else"):
        expect("the module", client.target(path(0)), files[0].read_bytes())
        expect("the bundle", client.target(path(0) + ".sigstore.json"),
               Path(f"{files[0]}.sigstore.json").read_bytes())
        expect("another module", client.target(path(1)), None)
    with bench.checks.check("python-tuf's refresh of a registry without news takes two requests"):
        client.updater().refresh()
        expect("the requests", client.server.requests, ["metadata/2.root.json", "metadata/timestamp.json"])
    with bench.checks.check("python-tuf reads why a release was withdrawn"):
        registry.repo("yank", "com.example.m0", "1.0.0", "--reason", "a fault", "--key",
                      registry.keys["publisher"].private, "--online-key", registry.keys["online"].private)
        release = json.loads(client.target("com/example/m0/releases/index.json"))["releases"][0]
        expect("the reason", (release["yanked"], release["module"]["identifier"], release["module"]["sequence"]),
               ("a fault", "com.example.m0", 1))
        expect("the archive", release["archive"]["sha256"], hashlib.sha256(files[0].read_bytes()).hexdigest())
    with bench.checks.check("python-tuf goes on after all keys were replaced, from the old state and from the first root"):
        for role, old, new in (("root", "root", "root2"), ("online", "online", "online2"),
                               ("example", "publisher", "publisher2")):
            registry.repo("rotate", role, "--add-key", registry.public(new), "--remove-key", registry.public(old))
        registry.sign("root", "root2", "targets", "publisher2")
        registry.refresh("online", "online2")
        client.updater().refresh()
        registry.refresh("online2")
        registry.push(registry.modules(1, 5, "publisher2"), "publisher2", "online2")
        for each in (client, Client(registry.path, registry.folder / "new")):
            expect("an old module", each.target(path(0)), files[0].read_bytes())
            expect("a new module", each.target(path(5)) is not None, True)
    with bench.checks.check("python-tuf refuses the timestamp when it has expired, and takes the next one"):
        real = datetime.datetime
        with mock.patch("tuf.ngclient._internal.trusted_metadata_set.datetime.datetime") as clock:
            clock.now.return_value = real.now(datetime.timezone.utc) + datetime.timedelta(days=8)
            try:
                client.updater().refresh()
            except ExpiredMetadataError:
                pass
            else:
                raise Mismatch("the expired timestamp was taken")
        registry.repo("refresh", "--online-key", registry.keys["online2"].private, "--timestamp-days", 9)
        client.updater().refresh()
    with bench.checks.check("python-tuf finds nothing of a publisher that was removed"):
        registry.repo("remove-publisher", "example")
        registry.sign("targets")
        registry.refresh("online2")
        expect("a module", client.target(path(0)), None)


def _bins(bench: Workbench) -> None:
    registry = Registry(bench, "registry/bins")
    client = Client(registry.path, registry.folder / "client")
    files = registry.modules(MANY)
    with bench.checks.check("python-tuf finds modules in the hash bins of a large publisher"):
        registry.push(files)
        expect("bins", sorted(each.name for each in (registry.path / "metadata").glob("1.example.bin-*")),
               [f"1.example.bin-{number}.json" for number in range(4)])
        for number in (0, 17, 500, MANY - 1):
            expect("a module", client.target(path(number)), files[number].read_bytes())
        expect("another module", client.target(path(MANY)), None)


class Written:
    """A repository that python-tuf's metadata API writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.signers = {role: CryptoSigner.generate_ed25519() for role in ("root", "online", "targets", "role", "bins")}
        (folder / "metadata").mkdir()
        (folder / "targets").mkdir()
        self.snapshot = Snapshot()

    def write(self, role: str, content: object, *signers: str) -> None:
        content.expires = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(days=1)
        metadata = Metadata(content)
        for signer in signers:
            metadata.sign(self.signers[signer], append=True)
        name = "timestamp.json" if role == "timestamp" else f"{content.version}.{role}.json"
        metadata.to_file(str(self.folder / "metadata" / name))
        if isinstance(content, Targets):
            self.snapshot.meta[f"{role}.json"] = MetaFile(content.version)

    def targets(self, *paths: str) -> Targets:
        targets = Targets()
        for each in paths:
            data = each.encode()
            file = TargetFile.from_data(each, data)
            for place in file.get_prefixed_paths():
                (self.folder / "targets" / place).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / "targets" / place).write_bytes(data)
            targets.targets[each] = file
        return targets

    def publish(self) -> None:
        root = Root(consistent_snapshot=True)
        for role in ("root", "targets"):
            root.add_key(self.signers[role].public_key, role)
        for role in ("snapshot", "timestamp"):
            root.add_key(self.signers["online"].public_key, role)
        self.write("root", root, "root")
        role_key, bins_key = self.signers["role"].public_key, self.signers["bins"].public_key
        top = self.targets("top")
        top.delegations = Delegations(
            {role_key.keyid: role_key},
            {"a role": DelegatedRole("a role", [role_key.keyid], 1, False, paths=["a/*", "b/*"])})
        self.write("targets", top, "targets")
        below = self.targets("a/one")
        bins = SuccinctRoles([bins_key.keyid], 1, 2, "bin")
        below.delegations = Delegations({bins_key.keyid: bins_key}, None, bins)
        self.write("a%20role", below, "role")
        self.snapshot.meta["a role.json"] = self.snapshot.meta.pop("a%20role.json")
        for name in bins.get_roles():
            held = [each for each in ("b/two", "b/three") if bins.get_role_for_target(each) == name]
            self.write(name, self.targets(*held), "bins")
        self.write("snapshot", self.snapshot, "online")
        timestamp = Timestamp()
        timestamp.snapshot_meta = MetaFile(1)
        self.write("timestamp", timestamp, "online")


def _read_by_signet(bench: Workbench) -> None:
    written = Written(bench.folder("registry/written"))
    written.publish()
    with bench.checks.check("signet reads a repository that python-tuf has written, with delegations and hash bins"):
        bench.signet.run("repo", "verify", written.folder, "--root", written.folder / "metadata/1.root.json")
    with bench.checks.check("signet finds a changed byte in it"):
        (file,) = (written.folder / "targets/b").glob("*.two")
        file.write_bytes(b"b/tWo")
        ended, document = bench.signet._documented("repo", "verify", str(written.folder))
        expect("the status", ended, 1)
        expect("the reason", document["results"][-1]["reasons"][0]["code"], "tuf.hash-mismatch")
