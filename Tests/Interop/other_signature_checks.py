"""Signatures of minisign, signify, ssh-keygen and openssl, verified by Signet

What these programs sign, Signet verifies, and refuses once the file is changed. Files of allowed signers, with keys of each
kind, certificates, patterns, namespaces and times, get the same verdict from `signet verify` as from `ssh-keygen -Y verify`.
"""

import itertools
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from checks import Mismatch, expect
from key_type import ED25519, KEY_TYPES
from workbench import Workbench

KINDS = [["ed25519"], ["rsa", "3072"], ["ecdsa", "256"], ["ecdsa", "384"], ["ecdsa", "521"]]
SIZES = [0, 1, 127, 128, 129, 3_000_001]
# What stands before the key in a line, the namespaces, and the principal that is asked for.
PRINCIPALS = ["ann@example.com", "*@example.com", "!bob@example.com,*", "a?n@example.com", "bob@example.com", '"ann@example.com,x"']
OPTIONS = [
    "", 'namespaces="file"', 'namespaces="git,f*"', 'namespaces="git"', 'valid-after="20200101"',
    'valid-before="20200101Z"', 'valid-before="29990101Z",namespaces="file"', 'valid-after="202001010000Z"',
    'valid-after="20200101000000"', "cert-authority"]


def run(bench: Workbench) -> None:
    _minisign(bench)
    _signify(bench)
    _ssh(bench)
    _raw(bench)
    with bench.checks.check(f"ssh-keygen and signet agree about {len(PRINCIPALS) * len(OPTIONS) * 3} lines of allowed signers"):
        _lines(bench)
    with bench.checks.check("ssh-keygen and signet agree about certificates of OpenSSH"):
        _certificates(bench)
    with bench.checks.check("ssh-keygen and signet agree about lists of revoked keys"):
        _revocations(bench)


def _done(*command: str | Path, **options) -> None:
    ended = subprocess.run([str(word) for word in command], capture_output=True, timeout=60, **options)
    if ended.returncode != 0:
        raise Mismatch(f"{command[0]} ended with {ended.returncode}: {ended.stderr.decode(errors='replace')}")


def _files(bench: Workbench, folder: Path) -> Iterator[Path]:
    for size in SIZES:
        yield bench.file(folder, bytes(number * 7 % 251 for number in range(size)), f"file-{size}")


def _verified(
        bench: Workbench, file: Path, key: Path, form: str, *options: str, refusal: str = "signature.invalid") -> dict:
    """Signet verifies the file, and refuses it with a byte more."""
    found = bench.signet.accepts(file, key, *options)
    expect("the format", found["signatures"][0]["format"].split(":")[0], form)
    content = file.read_bytes()
    file.write_bytes(content + b"x")
    bench.signet.refuses(refusal, file, key, *options)
    file.write_bytes(content)
    return found


def _minisign(bench: Workbench) -> None:
    program = shutil.which("minisign")
    if not program:
        bench.checks.skip("signet verifies what minisign signs", "minisign is not installed")
        return
    folder = bench.folder("minisign")
    key, secret = folder / "k.pub", folder / "k.key"
    _done(program, "-G", "-W", "-p", key, "-s", secret)
    for option, what in (("-H", "over a digest"), ("-l", "over the file")):
        with bench.checks.check(f"signet verifies what minisign signs {what}"):
            for file in _files(bench, bench.folder(f"minisign/{what}")):
                _done(program, "-S", option, "-s", secret, "-m", file, "-t", "for the world", "-x", f"{file}.minisig")
                _done(program, "-V", "-p", key, "-m", file)
                found = _verified(bench, file, key, "minisign")
                expect("the comment", found["signatures"][0]["remarks"], {"comment": "for the world"})


def _signify(bench: Workbench) -> None:
    program = shutil.which("signify-openbsd") or shutil.which("signify")
    if not program:
        bench.checks.skip("signet verifies what signify signs", "signify is not installed")
        return
    folder = bench.folder("signify")
    key, secret = folder / "k.pub", folder / "k.sec"
    _done(program, "-G", "-n", "-p", key, "-s", secret)
    with bench.checks.check("signet verifies what signify signs, beside the file and with the file in it"):
        for file in _files(bench, bench.folder("signify/files")):
            # A signature that holds its file is small: Signet reads up to 1 MiB of one.
            for more in ([], ["-e"]) if file.stat().st_size < 1000 else ([],):
                _done(program, "-S", *more, "-s", secret, "-m", file, "-x", f"{file}.sig")
                # The text in it is then another one than the file.
                _verified(
                    bench, file, key, "signify",
                    refusal="signature.malformed" if more and file.stat().st_size else "signature.invalid")


def _ssh(bench: Workbench) -> None:
    folder = bench.folder("ssh")
    for kind in KINDS:
        name = "-".join(kind)
        with bench.checks.check(f"signet verifies what ssh-keygen signs with a key of {name}"):
            key = folder / name
            bits = ["-b", kind[1]] if len(kind) > 1 else []
            _done("ssh-keygen", "-q", "-t", kind[0], *bits, "-N", "", "-C", "", "-f", key)
            signers = bench.file(folder, f"ann@example.com {key.with_suffix('.pub').read_text()}".encode(), f"{name}.signers")
            for file, digest in itertools.product(_files(bench, bench.folder(f"ssh/files/{name}")), ("sha256", "sha512")):
                Path(f"{file}.sig").unlink(missing_ok=True)
                _done("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "file", "-O", f"hashalg={digest}", file)
                _verified(bench, file, signers, "ssh")
                _verified(bench, file, key.with_suffix(".pub"), "ssh", "--format", "ssh")


def _raw(bench: Workbench) -> None:
    for kind in KEY_TYPES:
        folder = bench.folder(f"raw/{kind.name}")
        public = bench.openssl.generate(kind, folder / "key")
        digests = [None] if kind == ED25519 else ["sha256", "sha384", "sha512"]
        with bench.checks.check(f"signet verifies what openssl signs with a key of {kind.name}, and nothing else"):
            for file, digest in itertools.product(_files(bench, bench.folder(f"raw/files/{kind.name}")), digests):
                # openssl signs nothing of an empty file by Ed25519.
                if not digest and not file.stat().st_size:
                    continue
                command = ["dgst", f"-{digest}", "-sign"] if digest else ["pkeyutl", "-rawin", "-sign", "-inkey"]
                _done("openssl", *command, folder / "key", "-out", f"{file}.sig", *([file] if digest else ["-in", file]))
                form = f"raw:{digest}" if digest else "raw"
                bench.signet.accepts(file, public, "--format", form)
                file.write_bytes(file.read_bytes() + b"x")
                bench.signet.refuses("signer.untrusted", file, public, "--format", form)
                file.write_bytes(file.read_bytes()[:-1])


def _same(bench: Workbench, file: Path, signers: Path, namespace: str, what: str, revoked: Path | None = None) -> bool:
    """Both programs have the same verdict, for ann."""
    with open(file, "rb") as content:
        theirs = subprocess.run(
            ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", "ann@example.com", "-n", namespace, "-s", f"{file}.sig",
             *(["-r", revoked] if revoked else [])],
            stdin=content, capture_output=True, timeout=60).returncode
    ours, said = bench.signet.verify(
        file, "--key", str(signers), "--principal", "ann@example.com", "--format", f"ssh:{namespace}",
        *(["--revoked-keys", str(revoked)] if revoked else []))
    if (theirs == 0) != (ours == 0):
        raise Mismatch(f"{what}: ssh-keygen ends with {theirs}, signet with {ours}: {said.get('reasons') or said}")
    return ours == 0


def _lines(bench: Workbench) -> None:
    folder = bench.folder("ssh-lines")
    _done("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder / "key")
    public = (folder / "key.pub").read_text()
    accepted = 0
    for namespace in ("file", "git", "post"):
        file = bench.file(folder, b"content\n", f"for-{namespace}")
        _done("ssh-keygen", "-q", "-Y", "sign", "-f", folder / "key", "-n", namespace, file)
        for number, (principals, options) in enumerate(itertools.product(PRINCIPALS, OPTIONS)):
            line = " ".join(part for part in (principals, options, public) if part)
            signers = bench.file(folder, f"# team\n\n{line}".encode(), f"{namespace}-{number}.signers")
            accepted += _same(bench, file, signers, namespace, line)
    if not 30 <= accepted <= 120:
        raise Mismatch(f"{accepted} lines were accepted, which shows nothing")


def _certificates(bench: Workbench) -> None:
    folder = bench.folder("ssh-certificates")
    for name in ("authority", "other", "key"):
        _done("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder / name)
    authority = (folder / "authority.pub").read_text()
    accepted = 0
    for number, options in enumerate([
            ["-n", "ann@example.com"], ["-n", "bob@example.com,ann@example.com"], ["-n", "bob@example.com"], [],
            ["-h", "-n", "ann@example.com"], ["-n", "ann@example.com", "-V", "20200101:20200201"],
            ["-n", "ann@example.com", "-V", "+1w:+2w"], ["-n", "ann@example.com", "-z", "7", "-O", "no-pty"]]):
        for signer in ("authority", "other"):
            (folder / "key-cert.pub").unlink(missing_ok=True)
            _done("ssh-keygen", "-q", "-s", folder / signer, "-I", "ann", *options, folder / "key.pub")
            file = bench.file(folder, b"content\n", f"file-{number}-{signer}")
            _done("ssh-keygen", "-q", "-Y", "sign", "-f", folder / "key-cert.pub", "-n", "file", file)
            for line in (f"*@example.com cert-authority {authority}", f"ann@example.com {authority}",
                         f"bob@example.com cert-authority {authority}",
                         f'*@example.com cert-authority,namespaces="git" {authority}'):
                signers = bench.file(folder, line.encode(), f"{number}.signers")
                accepted += _same(bench, file, signers, "file", f"{options} by {signer}, {line}")
    expect("the number of accepted certificates", accepted, 3)


def _revocations(bench: Workbench) -> None:
    folder = bench.folder("ssh-revocations")
    for name in ("authority", "other", "key"):
        _done("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder / name)
    public = {name: (folder / f"{name}.pub").read_text().strip() for name in ("authority", "other", "key")}
    plain = bench.file(folder, b"plain\n", "plain")
    _done("ssh-keygen", "-q", "-Y", "sign", "-f", folder / "key", "-n", "file", plain)
    _done("ssh-keygen", "-q", "-s", folder / "authority", "-I", "ann", "-n", "ann@example.com", "-z", "77", folder / "key.pub")
    certified = bench.file(folder, b"certified\n", "certified")
    _done("ssh-keygen", "-q", "-Y", "sign", "-f", folder / "key-cert.pub", "-n", "file", certified)
    signers = bench.file(
        folder, f"ann@example.com {public['key']}\nann@example.com cert-authority {public['authority']}\n".encode(), "signers")
    lists = [
        [public["key"]], [public["other"]], [public["authority"]], ["serial: 77"], ["serial: 76"], ["serial: 70-80"],
        ["serial: 70", "serial: 75", "serial: 77", "serial: 90"], [f"serial: {number}" for number in range(60, 200, 3)],
        [f"serial: {number}" for number in range(65, 200, 3)], ["id: ann"], ["id: bob"], [f"sha256: {public['key']}"],
        [f"sha1: {public['key']}"], [f"sha256: {public['other']}"], [f"key: {public['key']}", "serial: 1"]]
    verdicts = []
    for number, lines in enumerate(lists):
        specification = bench.file(folder, "\n".join(lines).encode() + b"\n", f"{number}.spec")
        revoked = folder / f"{number}.krl"
        authority = ["-s", folder / "authority.pub"] if any(line.startswith(("serial", "id")) for line in lines) else []
        _done("ssh-keygen", "-q", "-k", "-f", revoked, *authority, specification)
        verdicts += [_same(bench, file, signers, "file", f"{lines}, {file.name}", revoked) for file in (plain, certified)]
    for name in ("key", "other", "authority"):
        verdicts += [
            _same(bench, file, signers, "file", f"a list with {name}", folder / f"{name}.pub") for file in (plain, certified)]
    if not 8 <= sum(verdicts) <= len(verdicts) - 8:
        raise Mismatch(f"{sum(verdicts)} of {len(verdicts)} were accepted, which shows nothing")
