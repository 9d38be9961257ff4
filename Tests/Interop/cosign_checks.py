"""Signet and cosign: its demands, read from its sources, on signet's bundles

cosign is no program one can count on finding, so what it demands is written down in cosign_demands.py. For every demand
there is also a bundle that was spoiled so as not to meet it: a demand that never objects would say nothing.
"""

import base64
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import statement
from bundle import changed
from checks import Mismatch, expect
from cosign_demands import DEMANDS, Call, unmet
from envelope import pre_authentication_encoding
from key_type import ED25519, KEY_TYPES, P384, KeyType
from workbench import ODD_NAME, Workbench


def run(bench: Workbench) -> None:
    for kind in KEY_TYPES:
        folder = bench.folder(f"cosign/{kind.name}")
        call = _call(bench, kind, folder)
        if kind == P384:
            with bench.checks.check("p384: cosign's demands are met but for SHA-256 inside the signature"):
                expect("what is unmet", sorted(unmet(call)), ["signature_holds"])
            with bench.checks.check("p384: cosign's demands are met with --signature-digest-algorithm sha384"):
                expect("what is unmet", unmet(dataclasses.replace(call, digest="sha384")), {})
        else:
            with bench.checks.check(f"{kind.name}: cosign's demands are met"):
                expect("what is unmet", unmet(call), {})
    _odd_name(bench)
    _several_signers(bench)
    _spoiled(bench)


def _call(bench: Workbench, kind: KeyType, folder: Path) -> Call:
    key = bench.signet.keygen(kind.name, folder / "key")
    file = bench.file(folder)
    signed = bench.signet.sign(file, key.private)
    return Call(signed.read_bytes(), key.public.read_bytes(), statement.FILE_TYPE, file)


def _odd_name(bench: Workbench) -> None:
    with bench.checks.check("a name with quotes, controls and other scripts, and an end: cosign's demands are met"):
        folder = bench.folder("cosign/odd")
        key = bench.signet.keygen("ed25519", folder / "key")
        file = bench.file(folder, name=ODD_NAME)
        signed = bench.signet.sign(file, key.private, "--not-after", "2999-12-31T23:59:59Z")
        call = Call(signed.read_bytes(), key.public.read_bytes(), statement.FILE_TYPE, file)
        expect("what is unmet", unmet(call), {})


def _several_signers(bench: Workbench) -> None:
    with bench.checks.check("two signers: cosign's demands are met by each line of the bundles, not by the whole file"):
        folder = bench.folder("cosign/several")
        keys = [bench.signet.keygen("ed25519", folder / name) for name in ("first", "second")]
        file = bench.file(folder)
        bench.signet.sign(file, keys[0].private)
        bundles = bench.signet.sign(file, keys[1].private, "--append").read_bytes()
        whole = Call(bundles, keys[0].public.read_bytes(), statement.FILE_TYPE, file)
        lines = bundles.splitlines()
        expect("the number of bundles", len(lines), 2)
        for line, key in zip(lines, keys):
            call = dataclasses.replace(whole, bundle=line, key=key.public.read_bytes())
            expect(f"what is unmet by the bundle of {key.private.name}", unmet(call), {})
        expect("whether the whole file is a bundle", "bundle_is_read" in unmet(whole), True)


class Spoiler:
    """Makes a good call bad, in one way at a time."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._folder = bench.folder("cosign/spoiled")
        self._call = _call(bench, ED25519, self._folder)
        self._private = self._folder / "key"
        if unmet(self._call):
            raise Mismatch(f"the bundle to be spoiled does not meet the demands: {unmet(self._call)}")

    def with_text(self, change: Callable[[bytes], bytes]) -> Call:
        return dataclasses.replace(self._call, bundle=change(self._call.bundle))

    def with_bundle(self, change: Callable[[dict], object]) -> Call:
        document = json.loads(self._call.bundle)
        change(document)
        return dataclasses.replace(self._call, bundle=json.dumps(document).encode())

    def with_signature(self, change: Callable[[dict], object]) -> Call:
        return self.with_bundle(lambda bundle: change(bundle["dsseEnvelope"]["signatures"][0]))

    def with_statement(self, change: Callable[[dict], object]) -> Call:
        """The statement is signed anew, so that nothing but the statement is wrong."""
        said = json.loads(base64.b64decode(json.loads(self._call.bundle)["dsseEnvelope"]["payload"]))
        change(said)
        payload = json.dumps(said).encode()
        signature = self._bench.openssl.sign(ED25519, self._private, pre_authentication_encoding(payload))

        def replace(bundle: dict) -> None:
            bundle["dsseEnvelope"]["payload"] = base64.b64encode(payload).decode()
            bundle["dsseEnvelope"]["signatures"][0]["sig"] = base64.b64encode(signature).decode()

        return self.with_bundle(replace)

    def with_subject(self, change: Callable[[dict], object]) -> Call:
        return self.with_statement(lambda said: change(said["subject"][0]))

    def with_key(self, *genpkey: str, form: str = "PEM") -> Call:
        private = self._folder / "other"
        self._bench.openssl.must("genpkey", *genpkey, "-out", private)
        return dataclasses.replace(self._call, key=self._bench.openssl.publish(private, form).read_bytes())

    def with_artifact(self, content: bytes, size: int | None = None) -> Call:
        file = self._bench.file(self._folder, content, "other.bin")
        if size is not None:
            with file.open("r+b") as artifact:
                artifact.truncate(size)
        return dataclasses.replace(self._call, artifact=file)

    def with_type(self, uri: str) -> Call:
        return dataclasses.replace(self._call, type=uri)

    def with_payload_byte_changed(self) -> Call:
        def change(bundle: dict) -> None:
            payload = base64.b64decode(bundle["dsseEnvelope"]["payload"])
            bundle["dsseEnvelope"]["payload"] = base64.b64encode(changed(payload)[1]).decode()

        return self.with_bundle(change)


def _spoiled(bench: Workbench) -> None:
    spoiler = Spoiler(bench)
    seen = set()
    for demand, how, make in _ways(spoiler):
        seen.add(demand)
        with bench.checks.check(f"the demand {demand} objects to {how}"):
            found = unmet(make())
            if demand not in found:
                raise Mismatch(f"it does not; unmet are {found}")
    with bench.checks.check("each of cosign's demands has objected to something"):
        expect("the demands that never did", {demand.__name__ for demand in DEMANDS} - seen, set())


def _ways(spoiler: Spoiler) -> list[tuple[str, str, Callable[[], Call]]]:
    text, whole, signature = spoiler.with_text, spoiler.with_bundle, spoiler.with_signature
    said, subject = spoiler.with_statement, spoiler.with_subject

    def material(change: Callable[[dict], object]) -> Call:
        return whole(lambda bundle: change(bundle["verificationMaterial"]))

    def sized(size: int) -> Call:
        return spoiler.with_artifact(b"", size)

    return [
        ("bundle_is_read", "an unknown field", lambda: whole(lambda b: b.update(extra=1))),
        ("bundle_is_read", "an unknown field of the signature", lambda: signature(lambda s: s.update(alg="x"))),
        ("bundle_is_read", "a field that stands twice", lambda: text(lambda t: b'{"mediaType":"",' + t[1:])),
        ("bundle_is_read", "a byte-order mark", lambda: text(lambda t: b"\xef\xbb\xbf" + t)),
        ("bundle_is_read", "something behind the bundle", lambda: text(lambda t: t + b"{}")),
        ("bundle_is_read", "two kinds of material", lambda: material(lambda m: m.update(certificate={}))),
        ("bundle_is_read", "a signature that is not base64", lambda: signature(lambda s: s.update(sig="?"))),
        ("media_type", "a version to come", lambda: text(lambda t: t.replace(b"bundle.v0.3", b"bundle.v0.4"))),
        ("log_entries", "an entry without a proof", lambda: material(lambda m: m.update(tlogEntries=[{}]))),
        ("content", "a bundle without content", lambda: whole(lambda b: b.pop("dsseEnvelope"))),
        ("content", "an envelope without payload", lambda: whole(lambda b: b["dsseEnvelope"].pop("payload"))),
        ("material", "no key", lambda: material(lambda m: m.pop("publicKey"))),
        ("same_hint", "another hint", lambda: material(lambda m: m.update(publicKey={"hint": "x"}))),
        ("key_file", "a key in DER", lambda: spoiler.with_key("-algorithm", "ED25519", form="DER")),
        ("key_file", "a key of another kind", lambda: spoiler.with_key("-algorithm", "ED448")),
        ("key_file", "an RSA exponent above 31 bits", lambda: spoiler.with_key(
            "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_pubexp:{2**32 + 15}")),
        ("one_signature", "two signatures", lambda: whole(lambda b: b["dsseEnvelope"].update(
            signatures=b["dsseEnvelope"]["signatures"] * 2))),
        ("one_signature", "no signature", lambda: whole(lambda b: b["dsseEnvelope"].update(signatures=[]))),
        ("key_id", "the fingerprint in hexadecimal", lambda: signature(lambda s: s.update(keyid="00" * 32))),
        ("key_id", "another key's fingerprint", lambda: spoiler.with_key("-algorithm", "ED25519")),
        ("signature_holds", "a payload of which a byte changed", spoiler.with_payload_byte_changed),
        ("signature_holds", "another key", lambda: spoiler.with_key("-algorithm", "ED25519")),
        ("payload_type", "another payload type", lambda: whole(lambda b: b["dsseEnvelope"].update(payloadType="x"))),
        ("statement_is_read", "an unknown field", lambda: said(lambda s: s.update(extra=1))),
        ("statement_is_read", "an unknown field of the subject", lambda: subject(lambda s: s.update(size=1))),
        ("statement_is_read", "a predicate that is a list", lambda: said(lambda s: s.update(predicate=[]))),
        ("subjects", "no subject", lambda: said(lambda s: s.update(subject=[]))),
        ("subjects", "a digest of another kind alone", lambda: subject(lambda s: s.update(digest={"sha1": "00"}))),
        ("artifact_digest", "another artifact", lambda: spoiler.with_artifact(b"another artifact\n")),
        ("artifact_size", "an artifact of 128 MiB and a byte", lambda: sized((128 << 20) + 1)),
        ("predicate_type", "another type", lambda: spoiler.with_type(statement.PROVENANCE_TYPE)),
    ]
