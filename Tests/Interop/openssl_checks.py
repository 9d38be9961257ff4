"""Signet and the openssl program: keys, signatures and statements in both directions

What Signet signs is taken apart here and handed to openssl; what openssl signs is put together here and handed to
Signet. Neither way uses a line of Signet's code.
"""

import hashlib
import json
from pathlib import Path

import bundle
import fingerprint
import fsverity
import key_form
import statement
from bundle import Content
from checks import expect
from envelope import pre_authentication_encoding
from key_type import ED25519, KEY_TYPES, KeyType
from signet import Key
from workbench import ODD_NAME, Workbench

# Around the edges of a block of fs-verity, of a tree block of 128 hashes, and of the level above it.
SIZES = [0, 1, 4095, 4096, 4097, 128 * 4096, 128 * 4096 + 1, 3_000_000, 128 * 128 * 4096 + 1]


def run(bench: Workbench) -> None:
    for kind in KEY_TYPES:
        _signet_signs(bench, kind)
    for kind in KEY_TYPES:
        for form in key_form.all_of(kind, bench.folder(f"forms/{kind.name}"), bench.openssl):
            with bench.checks.check(f"{kind.name}: signet signs with {form.name}, openssl verifies"):
                _sign_with(bench, kind, form)
    for kind in KEY_TYPES:
        _openssl_signs(bench, kind)
    _digests(bench)
    _names(bench)
    _statements(bench)


def _signet_signs(bench: Workbench, kind: KeyType) -> None:
    folder = bench.folder(f"signet/{kind.name}")
    key = bench.signet.keygen(kind.name, folder / "key")
    file = bench.file(folder)
    content = bundle.unwrap(bench.signet.sign(file, key.private))

    with bench.checks.check(f"{kind.name}: openssl verifies what signet signs"):
        bench.openssl.accepts(kind, key.public, pre_authentication_encoding(content.payload), content.signature)

    with bench.checks.check(f"{kind.name}: openssl refuses it after a byte of the payload changed"):
        for payload in bundle.changed(content.payload):
            bench.openssl.refuses(kind, key.public, pre_authentication_encoding(payload), content.signature)

    with bench.checks.check(f"{kind.name}: ssh-keygen -l prints signet's key ID"):
        _same_key_id(bench, kind, key, content)


def _same_key_id(bench: Workbench, kind: KeyType, key: Key, content: Content) -> None:
    printed = fingerprint.of(kind, key.public, bench.openssl)
    expect("the key ID of signet keygen", key.id, printed)
    expect("the envelope's keyid", content.key_id, printed)


def _sign_with(bench: Workbench, kind: KeyType, form: key_form.KeyForm) -> None:
    file = bench.file(form.path.parent, name=f"{form.path.name}.artifact")
    secret = ["--passphrase-file", str(form.passphrase)] if form.passphrase else []
    content = bundle.unwrap(bench.signet.sign(file, form.path, *secret))
    expect("the envelope's keyid", content.key_id, fingerprint.of(kind, form.public, bench.openssl))
    bench.openssl.accepts(kind, form.public, pre_authentication_encoding(content.payload), content.signature)


def _openssl_signs(bench: Workbench, kind: KeyType) -> None:
    folder = bench.folder(f"openssl/{kind.name}")
    private = folder / "key"
    public = bench.openssl.generate(kind, private)
    file = bench.file(folder)
    content = _signed(bench, kind, private, public, file)
    beside = bundle.beside(file)

    for form in ("PEM", "DER"):
        with bench.checks.check(f"{kind.name}: signet verifies what openssl signs, by the public key in {form}"):
            beside.write_bytes(bundle.wrap(content))
            found = bench.signet.accepts(file, bench.openssl.publish(private, form))
            expect("the signer", found["signatures"][0]["keyId"], content.key_id)

    with bench.checks.check(f"{kind.name}: signet refuses it after a byte of the file changed"):
        original = file.read_bytes()
        for damaged in bundle.changed(original):
            file.write_bytes(damaged)
            bench.signet.refuses("digest.mismatch", file, public)
        file.write_bytes(original)
        bench.signet.accepts(file, public)

    with bench.checks.check(f"{kind.name}: signet refuses it after a byte of the payload changed"):
        for payload in bundle.changed(content.payload):
            beside.write_bytes(bundle.wrap(Content(payload, content.signature, content.key_id)))
            bench.signet.refuses("signature.invalid", file, public)

    with bench.checks.check(f"{kind.name}: signet refuses it after a byte of the signature changed, was lost or added"):
        for signature in [*bundle.changed(content.signature), content.signature[:-1], content.signature + b"\0"]:
            beside.write_bytes(bundle.wrap(Content(content.payload, signature, content.key_id)))
            bench.signet.refuses("signature.invalid", file, public)

    with bench.checks.check(f"{kind.name}: signet refuses it by another key"):
        beside.write_bytes(bundle.wrap(content))
        bench.signet.refuses("signer.untrusted", file, bench.openssl.generate(kind, folder / "other"))


def _digests(bench: Workbench) -> None:
    folder = bench.folder("digests")
    private = folder / "key"
    public = bench.openssl.generate(ED25519, private)
    files = [bench.file(folder, _content(size), f"{size}.bin") for size in SIZES]

    with bench.checks.check(f"files of {SIZES[0]} to {SIZES[-1]} bytes: signet digest prints what Python computes"):
        for file in files:
            content = file.read_bytes()
            found = bench.signet.digest(file)
            expect(f"SHA-256 of {file.name}", found["sha256"], hashlib.sha256(content).hexdigest())
            expect(f"fs-verity digest of {file.name}", found["fsverity"], fsverity.digest(content))

    sentence = "files of these sizes: the fsverity program prints what Python computes"
    if fsverity.program_is_there():
        with bench.checks.check(sentence):
            for file in files:
                expect(f"the digest of {file.name}", fsverity.by_program(file), fsverity.digest(file.read_bytes()))
    else:
        bench.checks.skip(sentence, "it is not installed")

    with bench.checks.check("files of these sizes: signet states what Python states"):
        for file in files:
            payload = bundle.unwrap(bench.signet.sign(file, private)).payload
            statement.expect_about_file(payload, file.name, file.read_bytes())

    with bench.checks.check("files of these sizes: signet verifies statements that Python made and openssl signed"):
        for file in files:
            content = _signed(bench, ED25519, private, public, file)
            bundle.beside(file).write_bytes(bundle.wrap(content))
            bench.signet.accepts(file, public)


def _names(bench: Workbench) -> None:
    folder = bench.folder("names")
    private = folder / "key"
    public = bench.openssl.generate(ED25519, private)

    with bench.checks.check("a name with quotes, controls and other scripts: signet writes what Python writes"):
        file = bench.file(folder, name=ODD_NAME)
        payload = bundle.unwrap(bench.signet.sign(file, private)).payload
        statement.expect_about_file(payload, ODD_NAME, file.read_bytes())

    with bench.checks.check("a name with quotes, controls and other scripts: signet reads what Python writes"):
        file = bench.file(bench.folder("names/read"), name=ODD_NAME)
        bundle.beside(file).write_bytes(bundle.wrap(_signed(bench, ED25519, private, public, file)))
        bench.signet.accepts(file, public)


def _statements(bench: Workbench) -> None:
    """Statements that openssl signed and that Signet must not take as they are."""
    folder = bench.folder("statements")
    private = folder / "key"
    public = bench.openssl.generate(ED25519, private)
    file = bench.file(folder)

    def write(payload: bytes) -> None:
        bundle.beside(file).write_bytes(bundle.wrap(_signed(bench, ED25519, private, public, file, payload)))

    with bench.checks.check("a statement of Signet's type that is not canonical is refused"):
        write(json.dumps(statement.about_file(file.name, file.read_bytes()), indent=1).encode())
        bench.signet.refuses("statement.not-canonical", file, public)

    with bench.checks.check("a statement that has ended is refused, one that ends later is not"):
        said = statement.about_file(file.name, file.read_bytes())
        said["predicate"]["notAfter"] = "2999-12-31T23:59:59Z"
        write(statement.canonical(said))
        bench.signet.accepts(file, public)
        said["predicate"]["notAfter"] = "1999-12-31T23:59:59Z"
        write(statement.canonical(said))
        bench.signet.refuses("statement.expired", file, public)

    with bench.checks.check("a statement about a file of another name is refused, unless that name is given"):
        write(statement.canonical(statement.about_file("other.bin", file.read_bytes())))
        bench.signet.refuses("subject.name-mismatch", file, public)
        bench.signet.accepts(file, public, "--name", "other.bin")


def _signed(
    bench: Workbench, kind: KeyType, private: Path, public: Path, file: Path, payload: bytes | None = None
) -> Content:
    """A statement about a file, made by Python and signed by openssl."""
    if payload is None:
        payload = statement.canonical(statement.about_file(file.name, file.read_bytes()))
    signature = bench.openssl.sign(kind, private, pre_authentication_encoding(payload))
    return Content(payload, signature, fingerprint.of(kind, public, bench.openssl))


def _content(size: int) -> bytes:
    """Bytes of which no two blocks are alike, so that blocks in the wrong order are noticed."""
    blocks = (number.to_bytes(8, "big") * (fsverity.BLOCK // 8) for number in range(size // fsverity.BLOCK + 1))
    return b"".join(blocks)[:size]
