#!/usr/bin/env python3
"""Makes the list of other programs' signatures anew: one fault a case.

Needs only the openssl program and the published test keys in keys/. Signatures are put together byte by byte, as the
programs' own documents describe them; `make interop` holds the programs themselves against Signet.

  tool         the file that is signed
  tool.…       its signature, where the case does not name another one
  arguments    what follows `signet verify tool`
  expected     "verified" and the format, or the code of the first reason

Signing Ed25519, RSA (PKCS #1 v1.5) and ECDSA with a number that follows from the message is deterministic, and the times are
fixed, so running it again changes nothing.
"""

import base64
import hashlib
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from vectors import Cases  # noqa: E402

KEYS = HERE.parents[2] / "keys"
TOOL = b"a tool, for what it is worth\n" * 9
NUMBER, OTHER_NUMBER = bytes(range(1, 9)), bytes(range(9, 17))
FILE, MADE = "file", "timestamp:1700000000\tfile:tool\thashed"


def b64(data):
    return base64.b64encode(data).decode()


def string(data):
    return struct.pack(">I", len(data)) + data


def mpint(number):
    return number.to_bytes(number.bit_length() // 8 + 1, "big") if number else b""


# Keys


class Ed25519:
    def __init__(self, seed):
        self.pkcs8 = bytes.fromhex("302e020100300506032b657004220420") + bytes([seed]) * 32
        self.raw = openssl(["pkey", "-inform", "DER", "-pubout", "-outform", "DER"], self.pkcs8)[-32:]
        self.wire = string(b"ssh-ed25519") + string(self.raw)
        self.type = "ssh-ed25519"

    def sign(self, message):
        return signed(["pkeyutl", "-sign", "-rawin", "-keyform", "DER"], "-inkey", self.pkcs8, message, "-in")

    def ssh(self, message):
        return string(b"ssh-ed25519") + string(self.sign(message))


class Token(Ed25519):
    """A key in a token of FIDO: it signs the digests of the message and of what it is for, flags and a counter."""

    def __init__(self, seed, flags=1):
        super().__init__(seed)
        self.flags = flags
        self.type = "sk-ssh-ed25519@openssh.com"
        self.wire = string(self.type.encode()) + string(self.raw) + string(b"ssh:")

    def ssh(self, message):
        extra = bytes([self.flags]) + struct.pack(">I", 7)
        body = hashlib.sha256(b"ssh:").digest() + extra + hashlib.sha256(message).digest()
        return string(self.type.encode()) + string(self.sign(body)) + extra


class RSA:
    type = "ssh-rsa"

    def __init__(self, name, algorithm="rsa-sha2-512", digest="sha512"):
        self.path, self.algorithm, self.digest = KEYS / name, algorithm, digest
        text = openssl(["pkey", "-in", str(self.path), "-noout", "-text"]).decode().replace("\n", "").replace(" ", "")
        modulus = text.split("modulus:")[1].split("publicExponent")[0].replace(":", "")
        self.wire = string(b"ssh-rsa") + string(mpint(65537)) + string(mpint(int(modulus, 16)))

    def ssh(self, message):
        signature = signed(["dgst", f"-{self.digest}"], "-sign", self.path.read_bytes(), message)
        return string(self.algorithm.encode()) + string(signature)


class ECDSA:
    """P-256, with numbers instead of a library: the random number of a signature follows from its message."""

    p = 2**256 - 2**224 + 2**192 + 2**96 - 1
    n = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    g = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
         0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
    type = "ecdsa-sha2-nistp256"

    def __init__(self, secret):
        self.secret = secret
        point = self.times(secret, self.g)
        self.encoded = b"\4" + b"".join(number.to_bytes(32, "big") for number in point)
        self.wire = string(self.type.encode()) + string(b"nistp256") + string(self.encoded)

    def add(self, one, two):
        if one is None or two is None:
            return one or two
        if one[0] == two[0] and (one[1] + two[1]) % self.p == 0:
            return None
        slope = ((3 * one[0] ** 2 - 3) * pow(2 * one[1], -1, self.p) if one == two
                 else (two[1] - one[1]) * pow(two[0] - one[0], -1, self.p))
        x = (slope * slope - one[0] - two[0]) % self.p
        return x, (slope * (one[0] - x) - one[1]) % self.p

    def times(self, number, point):
        result = None
        while number:
            if number & 1:
                result = self.add(result, point)
            number, point = number >> 1, self.add(point, point)
        return result

    def der(self, message):
        numbers = b"".join(b"\2" + bytes([len(mpint(number))]) + mpint(number) for number in self.numbers(message))
        return b"\x30" + bytes([len(numbers)]) + numbers

    def numbers(self, message):
        digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
        k = int.from_bytes(hashlib.sha512(message).digest(), "big") % (self.n - 1) + 1
        r = self.times(k, self.g)[0] % self.n
        return r, pow(k, -1, self.n) * (digest + r * self.secret) % self.n

    def ssh(self, message, negative=False):
        r, s = self.numbers(message)
        if negative:
            # Both s and n - s are valid; the larger one has its highest bit set.
            s = max(s, self.n - s)
        last = s.to_bytes(32, "big") if negative else mpint(s)
        return string(self.type.encode()) + string(string(mpint(r)) + string(last))


def openssl(arguments, given=None):
    return subprocess.run(["openssl", *arguments], input=given, check=True, stdout=subprocess.PIPE).stdout


def signed(arguments, option, key, message, of=None):
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "key").write_bytes(key)
        (place / "message").write_bytes(message)
        rest = [of, str(place / "message")] if of else [str(place / "message")]
        return openssl([*arguments, option, str(place / "key"), *rest])


ANN, BOB, EVE = Ed25519(7), Ed25519(8), Ed25519(9)


# minisign and signify


def minisig(key=ANN, content=TOOL, number=NUMBER, comment=MADE, prehashed=True, **changes):
    message = hashlib.blake2b(content).digest() if prehashed else content
    signature = key.sign(message)
    trusted = changes.get("signed", signature + comment.encode())
    lines = [
        changes.get("first", "untrusted comment: signature from minisign secret key"),
        b64((b"ED" if prehashed else b"Ed") + number + signature),
        "trusted comment: " + changes.get("comment", comment),
        b64(changes.get("by", key).sign(trusted))]
    return changes.get("end", "\n").join(lines) + changes.get("end", "\n")


def signify(key=ANN, content=TOOL, number=NUMBER, rest=""):
    return f"untrusted comment: verify with ann.pub\n{b64(b'Ed' + number + key.sign(content))}\n{rest}"


def public(key=ANN, number=NUMBER, comment="untrusted comment: minisign public key 0807060504030201"):
    return f"{comment}\n{b64(b'Ed' + number + key.raw)}\n"


def add_minisign(cases):
    """Cases of minisign and signify."""

    def add(name, expected, reason, signature, file="tool.minisig", arguments="--key k.pub", **inputs):
        given = {"tool": TOOL, "k.pub": public(), file: signature, "arguments": arguments, **inputs}
        cases.add(name, expected, reason, {file: raw(content) for file, content in given.items()})

    number = NUMBER[::-1].hex().upper()
    add("minisign", f"verified minisign:{number}", "As minisign writes it today: over the file's BLAKE2b.", minisig())
    add("minisign-legacy", f"verified minisign:{number}", "As minisign wrote it: over the file itself.",
        minisig(prehashed=False))
    add("minisign-windows", f"verified minisign:{number}", "Lines end as Windows ends them, in the key, too.",
        minisig(end="\r\n"), **{"k.pub": public().replace("\n", "\r\n")})
    add("minisign-no-newline", f"verified minisign:{number}", "The last line has no end.", minisig()[:-1])
    add("minisign-blank-lines", f"verified minisign:{number}", "Blank lines follow, as editors add them.", minisig() + "\n \r\n")
    add("minisign-empty-comment", f"verified minisign:{number}", "The trusted comment is empty.", minisig(comment=""))
    add("minisign-key-as-text", f"verified minisign:{number}", "The key is given as text.", minisig(),
        arguments=f"--key {public().splitlines()[1]}")
    add("minisign-key-without-comment", f"verified minisign:{number}", "The key's file has the key alone.", minisig(),
        **{"k.pub": public().splitlines()[1]})
    add("minisign-named", f"verified minisign:{number}", "The signature is named.", minisig(), "elsewhere",
        "--key k.pub --signature elsewhere")
    add("minisign-format", f"verified minisign:{number}", "The key is in another form, and the format is said.", minisig(),
        arguments=f"--key {b64(bytes.fromhex('302a300506032b6570032100') + ANN.raw)} --format minisign")
    add("minisign-other-tool", "signature.invalid", "The file was changed.", minisig(), tool=TOOL + b"\n")
    add("minisign-hash-as-file", "bundle.message-signature",
        "The signature over a digest is made one over the file that the digest is, by changing two letters.",
        minisig().replace("RUQ", "RWQ"), tool=hashlib.blake2b(TOOL).digest())
    prehashed = ANN.sign(hashlib.blake2b(TOOL).digest())
    add("minisign-comment-as-file", "signature.missing",
        "The signature over the trusted comment is taken for one of signify over a file.",
        f"untrusted comment: x\n{b64(b'Ed' + NUMBER + ANN.sign(prehashed + MADE.encode()))}\n", "tool.sig",
        tool=prehashed + MADE.encode())
    add("minisign-stripped", "signature.malformed", "The trusted comment was taken away: what is left has signify's lines.",
        "\n".join(minisig(prehashed=False).splitlines()[:2]) + "\n")
    add("minisign-stripped-half", "signature.malformed", "The third line is another one, so that what follows is signify's text.",
        minisig(prehashed=False).replace("trusted comment: timestamp", "Trusted comment: timestamp"),
        **{"k.pub": public(comment="untrusted comment: ann public key")})
    add("minisign-comment", "signature.invalid", "The trusted comment was changed.", minisig(comment=MADE).replace("file:tool", "file:evil"))
    add("minisign-comment-elsewhere", "signature.invalid", "The trusted comment is signed without the signature.",
        minisig(signed=MADE.encode()))
    add("minisign-comment-by-another", "signature.invalid", "Somebody else has signed the trusted comment.", minisig(by=EVE))
    add("minisign-another", "signer.untrusted", "Somebody else has signed, with a key number of their own.", minisig(EVE, number=OTHER_NUMBER))
    add("minisign-claimed", "signature.invalid", "Somebody else has signed, and claims the key's number.", minisig(EVE))
    add("minisign-other-number", "signer.untrusted", "The signature names another number than the key has.", minisig(number=OTHER_NUMBER))
    add("minisign-small-order", "key.insecure", "The key is a point of small order: one signature is good for every file.",
        minisig(), **{"k.pub": f"untrusted comment: x\n{b64(b'Ed' + NUMBER + bytes([1] + [0] * 31))}\n"})
    add("minisign-more", "signature.malformed", "Something follows the lines, which minisign does not see.", minisig() + "more\n")
    add("minisign-no-global", "signature.malformed", "The signature over the trusted comment is missing.",
        "\n".join(minisig().splitlines()[:3]) + "\n")
    add("minisign-cut-off", "signature.malformed", "The file ends within the signature.", minisig()[:90])
    add("minisign-junk", "signature.malformed", "The file of the signature is a page that tells of an error.", "<html>404</html>\n")
    add("minisign-second-text", "signature.malformed", "The base64 has bits set behind its value.",
        "\n".join([minisig().splitlines()[0], minisig().splitlines()[1], minisig().splitlines()[2],
                   minisig().splitlines()[3].replace("==", "").rstrip("=")[:-1] + "B==", ""]))
    add("minisign-hashed-without-comment", "signature.missing", "It is over a digest, and has the lines of signify.",
        "\n".join(minisig().splitlines()[:2]) + "\n", "tool.sig")
    add("minisign-name", "bundle.message-signature", "A name is asked for, of which the signature says nothing.", minisig(),
        arguments="--key k.pub --name tool")
    add("minisign-for-own-key", "signature.missing", "The key is trusted for bundles alone: the signature counts for nothing.", minisig(),
        arguments=f"--key {b64(bytes.fromhex('302a300506032b6570032100') + ANN.raw)}")
    add("minisign-envelope", "bundle.message-signature", "The file is what an envelope's signature covers.", minisig(content=b"DSSEv1 4 text 1 x"),
        tool=b"DSSEv1 4 text 1 x")
    add("minisign-missing", "signature.missing", "There is no signature.", "", "unrelated")
    own = {"k.pub": public(comment="untrusted comment: ann public key")}
    add("signify", f"verified signify:{number}", "As signify writes it.", signify(), "tool.sig", **own)
    add("signify-embedded", f"verified signify:{number}", "The signature holds the file, too.", signify(rest=TOOL.decode()),
        "tool.sig", **own)
    add("signify-embedded-other", "signature.malformed", "The signature holds another file, which it is over.",
        signify(content=b"other\n", rest="other\n"), "tool.sig", **own)
    add("signify-embedded-more", "signature.malformed", "The signature holds more than the file.",
        signify(rest=TOOL.decode() + "x"), "tool.sig", **own)
    add("signify-other-tool", "signature.invalid", "The file was changed.", signify(), "tool.sig", tool=TOOL[:-1], **own)
    add("signify-another", "signer.untrusted", "Somebody else has signed.", signify(EVE, number=OTHER_NUMBER), "tool.sig", **own)
    add("signify-by-minisign", "signature.missing", "The key is minisign's, and signs nothing of signify.", signify(), "tool.sig")
    add("signify-named", f"verified signify:{number}", "The key is minisign's, and the format is said.", signify(), "tool.sig",
        "--key k.pub --format signify")


# OpenSSH


def armored(body, label="SSH SIGNATURE"):
    text = b64(body)
    lines = "\n".join(text[at:at + 70] for at in range(0, len(text), 70))
    return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n"


def sshsig(key=ANN, content=TOOL, namespace=FILE, digest="sha512", **changes):
    hashed = hashlib.new(changes.get("by", digest), content).digest()
    reserved = changes.get("reserved", b"")
    message = b"SSHSIG" + string(namespace.encode()) + string(reserved) + string(digest.encode()) + string(hashed)
    wire, version = changes.get("wire", key.wire), changes.get("version", 1)
    body = (b"SSHSIG" + struct.pack(">I", version) + string(wire) + string(namespace.encode()) + string(reserved)
            + string(digest.encode()) + string(changes.get("signature") or key.ssh(message)))
    return armored(body + changes.get("rest", b""))


def line(key=ANN, principals="ann@example.com", options=""):
    return f"{principals}{' ' if options else ''}{options} {key.type} {b64(key.wire)} comment\n"


def certificate(key=ANN, authority=BOB, principals=("ann@example.com",), **changes):
    kind = key.type.replace("@openssh.com", "") + "-cert-v01@openssh.com"
    fields = key.wire[len(string(key.type.encode())):]
    body = (string(kind.encode()) + string(b"nonce") + fields + struct.pack(">QI", 1, changes.get("kind", 1))
            + string(b"ann") + string(b"".join(string(name.encode()) for name in principals))
            + struct.pack(">QQ", changes.get("after", 0), changes.get("before", 2**64 - 1))
            + string(changes.get("options", b"")) + string(b"") + string(b"") + string(authority.wire))
    return body + string(changes.get("signer", authority).ssh(body))


def add_ssh(cases):
    """Cases of OpenSSH."""

    def add(name, expected, reason, signature, signers=None, arguments="", **inputs):
        given = {"tool": TOOL, "signers": line() if signers is None else signers, "tool.sig": signature,
                 "arguments": f"--key signers {arguments}".strip(), **inputs}
        cases.add(name, expected, reason, {file: raw(content) for file, content in given.items()})

    rsa, p256, token = RSA("insecure-test-rsa3072"), ECDSA(12345), Token(11)
    add("ssh", "verified ssh:file", "As ssh-keygen writes it, by a key of the file.", sshsig())
    add("ssh-sha256", "verified ssh:file", "Over SHA-256.", sshsig(digest="sha256"))
    add("ssh-rsa-sha512", "verified ssh:file", "RSA with SHA-512.", sshsig(rsa), line(rsa))
    add("ssh-rsa-sha256", "verified ssh:file", "RSA with SHA-256.",
        sshsig(RSA("insecure-test-rsa3072", "rsa-sha2-256", "sha256")), line(rsa))
    add("ssh-ecdsa", "verified ssh:file", "ECDSA over P-256.", sshsig(p256), line(p256))
    add("ssh-token", "verified ssh:file", "A token of FIDO that somebody has touched.", sshsig(token), line(token))
    add("ssh-key", "verified ssh:file", "A key alone, and the format is said.", sshsig(), f"ssh-ed25519 {b64(ANN.wire)} ann\n", "--format ssh")
    add("ssh-namespace", "verified ssh:git", "Another namespace is asked for.", sshsig(namespace="git"), arguments="--format ssh:git")
    add("ssh-reserved", "verified ssh:file", "The reserved text is there, and is signed.", sshsig(reserved=b"later"))
    add("ssh-principal", "verified ssh:file", "The principal is asked for.", sshsig(), arguments="--principal ann@example.com")
    add("ssh-patterns", "verified ssh:file", "The principals are patterns.", sshsig(), line(principals="!eve@*,*@example.com"),
        "--principal ann@example.com")
    add("ssh-quoted", "verified ssh:file", "The principals and the options are in quotes; comments and blank lines are left out.", sshsig(),
        "# signers\n\n" + line(principals='"ann@example.com"', options='namespaces="file,git",valid-after="20200101Z"'))
    add("ssh-second-line", "verified ssh:file", "The second line is about the key.", sshsig(), line(BOB, "bob@example.com") + line())
    add("ssh-certificate", "verified ssh:file", "An authority of the file has certified the key.", sshsig(wire=certificate()),
        line(BOB, "*@example.com", "cert-authority"))
    add("ssh-certificate-of-token", "verified ssh:file", "An authority has certified a token's key.", sshsig(token, wire=certificate(token)),
        line(BOB, "*@example.com", "cert-authority"))
    add("ssh-other-tool", "signature.invalid", "The file was changed.", sshsig(), tool=TOOL + b"\n")
    add("ssh-another", "signer.untrusted", "Somebody else has signed.", sshsig(EVE))
    add("ssh-claimed", "signature.invalid", "Somebody else has signed, and names the key of the file.", sshsig(EVE, wire=ANN.wire))
    add("ssh-key-claimed", "signature.invalid", "Somebody else has signed, and names the key that is trusted.", sshsig(EVE, wire=ANN.wire),
        f"ssh-ed25519 {b64(ANN.wire)} ann\n", "--format ssh")
    add("ssh-git", "signer.untrusted", "It is for another namespace.", sshsig(namespace="git"))
    add("ssh-line-namespaces", "signer.out-of-scope", "The line allows other namespaces.", sshsig(), line(options='namespaces="git"'))
    add("ssh-namespace-renamed", "signature.invalid", "The namespace was changed.", 
        armored_with(sshsig(namespace="post"), b"post", b"file"))
    add("ssh-ended", "signer.outside-window", "The line is over.", sshsig(), line(options='valid-before="20200101Z"'))
    add("ssh-not-begun", "signer.outside-window", "The line has not begun.", sshsig(), line(options='valid-after="29990101Z"'))
    add("ssh-other-principal", "signer.identity", "It is by another principal of the file.", sshsig(), line() + line(BOB, "bob@example.com"),
        "--principal bob@example.com")
    add("ssh-no-principal", "key.malformed", "The file has no such principal.", sshsig(), arguments="--principal eve@example.com")
    add("ssh-authority-itself", "signer.untrusted", "The authority has signed itself.", sshsig(BOB), line(BOB, "*", "cert-authority"))
    add("ssh-certificate-as-key", "signer.untrusted", "A line names the key, and not its authority.", sshsig(wire=certificate()), line())
    add("ssh-certificate-nobody", "signer.identity", "The certificate has no principals.", sshsig(wire=certificate(principals=())),
        line(BOB, "*", "cert-authority"))
    add("ssh-certificate-other", "signer.identity", "The certificate is somebody else's.", sshsig(wire=certificate(principals=("eve@evil.org",))),
        line(BOB, "*@example.com", "cert-authority"))
    add("ssh-certificate-host", "signer.identity", "The certificate is a host's.", sshsig(wire=certificate(kind=2)),
        line(BOB, "*", "cert-authority"))
    add("ssh-certificate-ended", "signer.outside-window", "The certificate is over.", sshsig(wire=certificate(before=1700000000)),
        line(BOB, "*", "cert-authority"))
    add("ssh-certificate-options", "signer.identity", "The certificate has an option that a verifier must know.",
        sshsig(wire=certificate(options=string(b"force-command") + string(string(b"true")))), line(BOB, "*", "cert-authority"))
    add("ssh-certificate-forged", "signature.invalid", "Somebody else has made the certificate.", sshsig(wire=certificate(signer=EVE)),
        line(BOB, "*", "cert-authority"))
    add("ssh-certificate-authority", "signer.untrusted", "Another authority has made the certificate.", sshsig(wire=certificate(authority=EVE)),
        line(BOB, "*", "cert-authority"))
    add("ssh-token-untouched", "signature.invalid", "Nobody has touched the token.", sshsig(Token(11, flags=0)), line(token))
    add("ssh-token-as-key", "signer.untrusted", "The token's key is trusted as one that is in no token.", sshsig(token), line(Ed25519(11)))
    add("ssh-sha1", "signature.invalid", "RSA with SHA-1.", sshsig(RSA("insecure-test-rsa3072", "ssh-rsa", "sha1")), line(rsa))
    add("ssh-ecdsa-negative", "signature.invalid", "A number of ECDSA has its highest bit set: as it stands there, it is negative.",
        sshsig(p256, signature=negative(p256)), line(p256))
    add("ssh-digest", "signature.unsupported", "It is over another digest.", sshsig(digest="md5"))
    add("ssh-digest-confused", "signature.invalid", "It names another digest than it is over.", sshsig(digest="sha512", by="sha384"))
    add("ssh-version", "signature.malformed", "It is of another version.", sshsig(version=2))
    add("ssh-rest", "signature.malformed", "Something follows the signature in its armor.", sshsig(rest=b"x"))
    add("ssh-cut-off", "signature.malformed", "The file ends within the signature.", sshsig()[:150])
    add("ssh-line-options", "key.malformed", "A line has an option that nobody knows.", sshsig(), line() + line(BOB, "bob", "no-touch-required"))
    add("ssh-line-time", "key.malformed", "A line has a day that there is not.", sshsig(), line(options='valid-before="20230230"'))
    add("ssh-line-key", "key.malformed", "A line's key is not of its type.", sshsig(), line().replace(" ssh-ed25519 ", " ssh-rsa "))
    add("ssh-armor-before", "signature.malformed", "Text stands before the armor.", "text\n" + sshsig())
    add("ssh-armor-twice", "signature.malformed", "A second signature follows the first.", sshsig() + sshsig(EVE))
    add("ssh-armor-blanks", "verified ssh:file", "Blank lines are around the armor.", "\n" + sshsig() + "\n\n")
    for name, mark in (("separator", "\u2028"), ("next-line", "\u0085"), ("return", "\r"), ("form-feed", "\f")):
        add(f"ssh-line-{name}", "key.malformed", "A comment holds what some take for the end of a line, and a line of somebody else.",
            sshsig(EVE), line().rstrip("\n") + mark + line(EVE, "release@example.com"), "--principal release@example.com")
    add("ssh-line-unquoted", "key.malformed", "An option has no quotes.", sshsig(), line(options="namespaces=file"))
    add("ssh-windows", "verified ssh:file", "Lines end as Windows ends them.", sshsig(), line(BOB, "bob").replace("\n", "\r\n") + line().replace("\n", "\r\n"))
    weak = RSA("insecure-test-rsa2048")
    add("ssh-weak", "policy.weak-key", "The key is weaker than any key may be.", sshsig(weak), line(weak))
    add("ssh-blob", "bundle.message-signature", "The file is what a signature of OpenSSH is over.", sshsig(content=b"SSHSIG\0\0\0\4file"),
        tool=b"SSHSIG\0\0\0\4file")


# openssl


def add_raw(cases):
    """Cases of bare signatures."""

    def add(name, expected, reason, signature, key, arguments="--format raw", file="tool.sig", **inputs):
        given = {"tool": TOOL, file: signature, "k.pub": key, "arguments": f"--key k.pub {arguments}".strip(), **inputs}
        cases.add(name, expected, reason, {file: raw(content) for file, content in given.items()})

    rsa, rsa_key = KEYS / "insecure-test-rsa3072", (KEYS / "insecure-test-rsa3072.pub").read_bytes()
    ann = pem(bytes.fromhex("302a300506032b6570032100") + ANN.raw)
    p256 = ECDSA(12345)
    curve = pem(bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200") + p256.encoded)

    def of_rsa(digest="sha256", content=TOOL):
        return signed(["dgst", f"-{digest}"], "-sign", rsa.read_bytes(), content)

    add("raw-ed25519", "verified raw", "As openssl pkeyutl -rawin writes it.", ANN.sign(TOOL), ann)
    add("raw-rsa", "verified raw:sha256", "As openssl dgst -sha256 writes it.", of_rsa(), rsa_key)
    add("raw-rsa-sha512", "verified raw:sha512", "The digest is said.", of_rsa("sha512"), rsa_key, "--format raw:sha512")
    add("raw-rsa-sha384", "verified raw:sha384", "The digest is said.", of_rsa("sha384"), rsa_key, "--format raw:sha384")
    add("raw-ecdsa", "verified raw:sha256", "ECDSA over P-256.", p256.der(TOOL), curve)
    add("raw-base64", "verified raw:sha256", "In base64, as cosign wrote it.", b64(of_rsa()) + "\n", rsa_key)
    add("raw-named", "verified raw", "The file of the signature is named.", ANN.sign(TOOL), ann, "--format raw --signature other", "other")
    add("raw-not-asked", "signature.missing", "Nobody has said that bare signatures count.", ANN.sign(TOOL), ann, "")
    add("raw-other-digest", "signer.untrusted", "It is over another digest.", of_rsa("sha512"), rsa_key)
    add("raw-other-tool", "signer.untrusted", "The file was changed.", of_rsa(), rsa_key, tool=TOOL + b"\n")
    add("raw-another", "signer.untrusted", "Somebody else has signed.", EVE.sign(TOOL), ann)
    add("raw-ecdsa-more", "signature.missing", "A byte follows the two numbers, which openssl does not see.", p256.der(TOOL) + b"\0", curve)
    add("raw-ecdsa-more-named", "signature.malformed", "The same, and the file is named.", p256.der(TOOL) + b"\0", curve,
        "--format raw --signature tool.sig")
    add("raw-ed25519-digest", "key.unsupported", "Ed25519 signs no digest.", ANN.sign(TOOL), ann, "--format raw:sha256")
    add("raw-envelope", "bundle.message-signature", "The file is what an envelope's signature covers.", ANN.sign(b"DSSEv1 4 text 1 x"), ann,
        tool=b"DSSEv1 4 text 1 x")
    attributes = bytes.fromhex("311a301806092a864886f70d010903310b06092a864886f70d010701")
    add("raw-attributes", "bundle.message-signature", "The file is the signed attributes of CMS.", ANN.sign(attributes), ann,
        tool=attributes)
    def structure(tag, *parts):
        content = b"".join(parts)
        size = len(content)
        length = [size] if size < 0x80 else [0x81, size] if size < 0x100 else [0x82, size >> 8, size & 0xff]
        return bytes([tag, *length]) + content

    sequence = structure(0x30, b"\x06\x01\x01" * 40)
    for name, parts in (
            ("certificate", (structure(0xa0, b"\2\1\2"), b"\2\1\1", *[sequence] * 5)),
            ("old-certificate", (b"\2\1\1", *[sequence] * 5)), ("request", (b"\2\1\0", sequence, sequence, structure(0xa0))),
            ("list", (b"\2\1\1", sequence, sequence, b"\x17\x0d260101000000Z")),
            ("answer", (structure(0xa1, b""), b"\x18\x0f20260101000000Z", sequence))):
        file = structure(0x30, *parts)
        add(f"raw-{name}", "bundle.message-signature", f"The file is what is signed in a {name}.", ANN.sign(file), ann, tool=file)
    keys = structure(0x30, b"\2\1\0", sequence, structure(4, b"key"))
    add("raw-der", "verified raw", "The file is in DER, and nothing that is signed in that form.", ANN.sign(keys), ann, tool=keys)
    add("minisign-attributes", "bundle.message-signature", "The same, signed by minisign as a file.",
        minisig(content=attributes, prehashed=False), public(), "", "tool.minisig", tool=attributes)


def pem(der):
    text = b64(der)
    return "-----BEGIN PUBLIC KEY-----\n" + "\n".join(text[at:at + 64] for at in range(0, len(text), 64)) + "\n-----END PUBLIC KEY-----\n"


def armored_with(text, old, new):
    body = base64.b64decode("".join(text.splitlines()[1:-1]))
    return armored(body.replace(old, new, 1))


def negative(key):
    """A signature whose second number has its highest bit set, and no zero before it."""
    hashed = hashlib.sha512(TOOL).digest()
    message = b"SSHSIG" + string(b"file") + string(b"") + string(b"sha512") + string(hashed)
    signature = key.ssh(message, negative=True)
    return signature


def raw(content):
    return content if isinstance(content, bytes) else content.encode()


cases = Cases("others")
cases.share("tool", TOOL)
add_minisign(cases)
add_ssh(cases)
add_raw(cases)
cases.write()
