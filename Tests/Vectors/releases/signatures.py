"""The rules on signatures and attestations."""

import builder
from folders import (
    BUILD, CHAIN_KEYS, ENTRIES, RELEASE, RSA_2048, RSA_3072, SECOND, SIGNED_AT, STRANGER, TIME, Folder, canonical, case,
    entry, finding, fsverity, key_id, sha256, statement, tool, trust, warning)
from make import b64, bundle
from modules import theme

PROVENANCE, SUMMARY = "https://slsa.dev/provenance/v1", "https://slsa.dev/verification_summary/v1"
CYCLONEDX = "https://cyclonedx.org/bom"


def signature(path, code, place=None, found=None):
    return finding("signature", path, place=place, code=code, found=found)


def make_signature_cases():
    content = b"content"
    case("signature-missing", "A file that nobody has signed.", tool().put("unsigned"),
         signature("unsigned", "signature.missing"))
    case("signature-left-out", "A bundle that the policy leaves out.", tool(),
         signature("tool", "signature.missing"), exclude=["*.sigstore.json"])
    beside = "tool.sigstore.json"
    case("signature-changed", "A byte of the file was changed.", tool().put("tool", b"c0ntent"),
         signature("tool", "digest.mismatch", found=f"sha256:{sha256(b'c0ntent')}"))
    case("signature-longer", "A byte was added.", tool().put("tool", b"content\n"),
         signature("tool", "digest.mismatch", found="8 bytes"))
    case("signature-exchanged", "Another file's bundle.", Folder().put("tool").sign("tool", content=b"CONTENT"),
         signature("tool", "digest.mismatch", found=f"sha256:{sha256(content)}"))
    case("signature-stranger", "A key that nobody trusts.", tool(keys=(STRANGER,)),
         signature("tool", "signer.untrusted", beside, f"a bundle that names {key_id(STRANGER)}"))
    case("signature-folder", "A pattern for files leaves out no folder of such a name.",
         tool().put("more.md", "notes").put("evil.md/tool2"), signature("evil.md/tool2", "signature.missing"),
         exclude=["*.md"])
    for count, beside_trusted in enumerate(((STRANGER, RELEASE), (RELEASE, STRANGER, SECOND)), 1):
        line = 1 if beside_trusted[0] == STRANGER else 2
        others = [key for key in beside_trusted if key != RELEASE]
        case(f"stranger-{count}", "A stranger's bundle beside a trusted one.", tool(keys=beside_trusted),
             *[finding("stranger", "tool", None, f"tool.sigstore.jsonl, line {line + number}", "signer.untrusted",
                       f"a bundle that names {key_id(key)}") for number, key in enumerate(others)])
    case("signature-builder", "The builder may attest, and release nothing.", tool(keys=(BUILD,)),
         signature("tool", "signer.out-of-scope", beside, "tool, which is taken for no module and no URI"))
    case("signature-scope", "A key that is trusted for other names.", Folder().add("tool.exe"),
         signature("tool.exe", "signer.out-of-scope", "tool.exe.sigstore.json",
                   "tool.exe, which is taken for no module and no URI"), trusted=trust(entry("release", RELEASE, files=["*.deb"])))
    case("signature-damaged", "A bundle that is cut off.", tool().put(beside, "{"),
         signature("tool", "signature.malformed", beside))
    case("signature-damaged-besides", "A damaged bundle beside a good one.", tool().put("tool.sigstore.jsonl", "{}\n"),
         signature("tool", "signature.malformed", "tool.sigstore.jsonl, line 1"))
    case("signature-name", "A statement about a file of another name.", tool(name="other"),
         signature("tool", "subject.name-mismatch", beside, "other"))
    case("signature-expired", "The statement holds no longer.", tool(until="2026-11-20T23:59:59Z"),
         signature("tool", "statement.expired", beside, TIME))
    case("signature-window", "The key is no longer trusted.", tool(), signature("tool", "signer.outside-window", beside, TIME),
         trusted=trust({**ENTRIES[0], "validUntil": "2026-11-20T23:59:59Z"}))
    case("signature-threshold", "One signer where two are needed.", tool(), signature("tool", "policy.threshold", found="1: release"),
         trusted=trust(*ENTRIES, entry("second", SECOND), threshold=2))
    case("signature-exact", "A signer fewer than all of them.", tool(), signature("tool", "policy.exact", found="release"),
         trusted=trust(ENTRIES[0], entry("second", SECOND), exact=True))
    case("signature-revoked", "A key that was revoked.", tool(), signature("tool", "signer.revoked", beside, f"{key_id(RELEASE)}, revoked: lost"),
         trusted=trust(*ENTRIES, revoked=[{"reason": "lost", "key": key_id(RELEASE)}]))
    case("signature-revoked-digest", "Bytes that were revoked.", tool(), signature("tool", "policy.revoked", found=f"sha256:{sha256(content)}, revoked: wrong"),
         trusted=trust(*ENTRIES, revoked=[{"reason": "wrong", "sha256": sha256(content)}]))
    case("signature-policy-expired", "The policy holds no longer.", tool(), signature("tool", "policy.expired", found=TIME),
         trusted=trust(*ENTRIES, expires="2026-11-20T23:59:59Z"), rules={"expiry": "off"})
    whole = Folder().put("docs/page", "page").sign_folder("docs")
    case("signature-folder-extra", "A file more in a folder that is signed as a whole.", whole.put("docs/more", "more"),
         signature("docs", "directory.extra-entry", "docs/more", "a file"))
    case("signature-folder-missing", "A file less.",
         Folder().put("docs/page", "page").put("docs/more", "more").sign_folder("docs").without("docs/more"),
         signature("docs", "directory.missing-entry", "docs/more", "nothing"))
    case("signature-folder-bundle", "A forged bundle does not make a folder one artifact that is signed.",
         Folder().put("docs/unsigned").put("docs.sigstore.json", "{"),
         signature("docs", "signature.malformed", "docs.sigstore.json"))
    changed, signed = theme(version="1.0.1").files["theme.zip"], theme()
    case("signature-module", "A module of another version than the signed one.", signed.put("theme.zip", changed),
         signature("theme.zip", "digest.mismatch", found=f"sha256:{sha256(changed)}"))
    case("signature-certificate", "A certificate that has ended.", signed_by_certificate(end="2026-11-20T00:00:00Z"),
         signature("tool", "chain.expired", f"{beside}: certificate O=Signet,CN=Leaf (serial 1001)", TIME), trusted=certificate_policy())
    make_name_cases()
    make_key_and_time_cases()


def make_name_cases():
    case("name-renamed", "A file that was signed under another path.", Folder().add("bin/tool", name="tool"),
         finding("name", "bin/tool", found="tool"))
    case("name-top", "A file that belongs into a folder.", tool(name="linux/tool"),
         finding("name", "tool", found="linux/tool"))
    folder = Folder().add("linux/tool", b"linux").add("macos/tool", b"macos")
    folder.move("linux/tool", "x").move("macos/tool", "linux/tool").move("x", "macos/tool")
    case("name-exchanged", "Two files of the same name, exchanged with their bundles.", folder,
         finding("name", "linux/tool", found="macos/tool"), finding("name", "macos/tool", found="linux/tool"))
    case("link-file", "A link in place of a file.", tool().link("tool2", "tool"),
         finding("link", "tool2", found="a link to tool"))
    case("link-folder", "A link to a folder.", Folder().add("1.0/tool").link("latest", "1.0"),
         finding("link", "latest", found="a link to 1.0"))
    case("link-left-out", "A link to a file that is left out.", tool().put("evil.md").link("tool2", "evil.md"),
         finding("link", "tool2", found="a link to evil.md, which *.md leaves out"), exclude=["*.md"],
         rules={"link": {"allow": ["tool2"]}})
    case("link-other", "A link that the policy does not expect, beside one that it does.",
         tool().link("latest", "tool").link("newest", "tool"), finding("link", "newest", found="a link to tool"),
         rules={"link": {"allow": ["latest"]}})
    case("orphan-bundle-gone", "A bundle without its file.", tool().add("gone").without("gone"),
         finding("orphan-bundle", "gone.sigstore.json", found="nothing"))
    case("orphan-bundle-left-out", "The bundle of a file that is left out.",
         tool().add("NOTES.md"),
         finding("orphan-bundle", "NOTES.md.sigstore.json", found="a file that the pattern *.md leaves out"),
         exclude=["*.md"])
    case("checksums-changed", "A list of checksums that was made before its file was changed.",
         tool().add("SHA256SUMS", (sha256(b"before") + "  tool\n").encode()),
         finding("checksums", "tool", place="SHA256SUMS, line 1", found=sha256(b"content")))
    case("checksums-missing", "A list of checksums with a file that is not there.",
         tool().add("SHA256SUMS", (sha256(b"content") + "  tool2\n").encode()),
         finding("checksums", "SHA256SUMS", place="line 1", found="nothing"))
    case("orphan-bundle-bundle", "The bundle of a bundle.", tool().put("tool.sigstore.json.sigstore.json", "{}"),
         finding("orphan-bundle", "tool.sigstore.json.sigstore.json", found="a bundle"))


def make_key_and_time_cases():
    rsa = trust(entry("release", RSA_3072))
    case("key-strength-length", "An RSA key that is shorter than the policy wants.", tool(keys=(RSA_3072,)),
         finding("key-strength", "tool", found=f"3072 bits, {key_id(RSA_3072)}"), trusted=rsa,
         rules={"key-strength": {"leastRSABits": 4096}})
    case("key-strength-kind", "A key of a kind that the policy does not want.", tool(keys=(RSA_3072,)),
         finding("key-strength", "tool", found=f"RSA-3072, {key_id(RSA_3072)}"), trusted=rsa,
         rules={"key-strength": {"algorithms": ["Ed25519"]}})
    case("key-strength-usual", "An RSA key of 2048 bits that the trust policy accepts.", tool(keys=(RSA_2048,)),
         finding("key-strength", "tool", found=f"2048 bits, {key_id(RSA_2048)}"),
         trusted=trust(entry("release", RSA_2048), strengths={"leastRSABits": 2048}))
    attested = tool().attest("tool", "provenance", PROVENANCE, provenance(), key=RSA_3072)
    attesting = trust(entry("release", RELEASE), entry("build", RSA_3072, files=["*.*.sigstore.json"]))
    case("key-strength-attestation", "An attestation by a key that is shorter than the policy wants.", attested,
         finding("key-strength", "tool", place="tool.provenance.sigstore.json", found=f"3072 bits, {key_id(RSA_3072)}"),
         trusted=attesting, rules={"key-strength": {"leastRSABits": 4096}})
    case("expiry-signer", "A signer whom the policy trusts for a week.", tool(),
         warning("expiry", "tool", place="release", found="2026-11-28T00:00:00Z"),
         trusted=trust(entry("release", RELEASE, files=["*"], validUntil="2026-11-28T00:00:00Z")))
    case("expiry-attesting-signer", "An attestation by a signer whom the policy trusts for a week.",
         tool().attest("tool", "provenance", PROVENANCE, provenance()),
         warning("expiry", "tool", place="tool.provenance.sigstore.json, build", found="2026-11-28T00:00:00Z"),
         trusted=trust(entry("release", RELEASE), entry("build", BUILD, files=["*"], validUntil="2026-11-28T00:00:00Z")))
    case("expiry-statement", "A statement that ends in a week.", tool(until="2026-11-28T00:00:00Z"),
         warning("expiry", "tool", found="2026-11-28T00:00:00Z"))
    case("expiry-end-of-life", "A statement that ends before the users' support does.", tool(until="2027-11-28T00:00:00Z"),
         warning("expiry", "tool", found="2027-11-28T00:00:00Z"), rules={"expiry": {"endOfLife": "2028-01-01T00:00:00Z"}})
    case("expiry-policy", "A trust policy that ends in a week.", tool(), warning("expiry", found="2026-11-28T00:00:00Z"),
         trusted=trust(*ENTRIES, expires="2026-11-28T00:00:00Z"))
    case("expiry-certificate", "A certificate that ends in a week.", signed_by_certificate(end="2026-11-28T00:00:00Z"),
         warning("expiry", "tool", place="O=Signet,CN=Leaf", found="2026-11-28T00:00:00Z"), trusted=certificate_policy())
    issuer = builder.extension("1.3.6.1.4.1.57264.1.8", builder.tlv(12, b"https://accounts.example.com"))
    case("unproven-identity-certificate", "An authority of Sigstore that is trusted like any other.",
         signed_by_certificate(issuer), warning("unproven-identity", "tool", found="release@example.com, as release"),
         trusted=certificate_policy())
    case("signature-age-old", "A file that was signed years ago.", tool(at="2024-01-02T03:04:05Z"),
         warning("signature-age", "tool", found="2024-01-02T03:04:05Z"))
    case("signature-age-future", "A file that was signed by a clock that is ahead.", tool(at="2036-01-02T03:04:05Z"),
         warning("signature-age", "tool", found="2036-01-02T03:04:05Z"))


# Certificates ----------------------------------------------------------------------------------------------------------


def signed_by_certificate(*more, end="2035-01-01T00:00:00Z"):
    """A file whose signer comes with a certificate."""
    content = b"content"
    payload = statement("urn:signet:file:v1", "tool", sha256(content), {
        "size": len(content), "fsverity": fsverity(content), "signedAt": SIGNED_AT})
    made = bundle(payload, CHAIN_KEYS / "insecure-leaf.pem", "")
    chain = [builder.leaf(builder.alternative(builder.email("release@example.com")), *more, end=end), builder.inter()]
    made["verificationMaterial"] = {
        "x509CertificateChain": {"certificates": [{"rawBytes": b64(each)} for each in chain]}, "tlogEntries": []}
    del made["dsseEnvelope"]["signatures"][0]["keyid"]
    return Folder().put("tool", content).put("tool.sigstore.json", canonical(made) + b"\n")


def certificate_policy():
    return trust({
        "name": "release", "authority": {"certificates": [b64(builder.root())], "identities": ["email:release@example.com"]},
        "files": ["*"]})


# Attestations ----------------------------------------------------------------------------------------------------------

BUILDER, SOURCE, COMMIT = "https://builds.example.com/1", "https://git.example.com/tool", "1" * 40


def provenance(**changes):
    value = {"builder": BUILDER, "type": "https://builds.example.com/type", "source": SOURCE, "commit": COMMIT,
             "parameters": {"tag": "v1.0.0"}, **changes}
    return {
        "buildDefinition": {
            "buildType": value["type"], "externalParameters": {"source": value["source"], **value["parameters"]},
            "resolvedDependencies": [{"uri": f"git+{value['source']}@refs/tags/v1.0.0", "digest": {"gitCommit": value["commit"]}}]},
        "runDetails": {"builder": {"id": value["builder"]}}}


def summary(**changes):
    return {
        "verifier": {"id": "https://staging.example.com"}, "timeVerified": SIGNED_AT,
        "resourceUri": "https://example.com/releases/tool", "policy": {"uri": "p", "digest": {"sha256": "0" * 64}},
        "verificationResult": "PASSED", "verifiedLevels": ["SLSA_BUILD_LEVEL_2"], **changes}


def make_attestation_cases():
    where = "tool.provenance.sigstore.json, predicate"

    def demanded(name, why, release, *findings, **demand):
        case(f"attestation-{name}", why, release, *findings, rules={"attestation": {"demands": [
            {"type": "provenance", "signers": ["build"], **demand}]}})

    def attested(kind=PROVENANCE, label="provenance", value=None, **how):
        return tool().attest("tool", label, kind, provenance() if value is None else value, **how)

    case("continuity-attestation", "No provenance, which the last release had.", tool(),
         finding("continuity", "tool", code="continuity.attestation", found="nothing"), baseline=attested())
    demanded("missing", "No provenance.", tool(), finding("attestation", "tool", found="none"))
    demanded("other-type", "A bill of materials in place of provenance.",
             attested(CYCLONEDX, "sbom", {"bomFormat": "CycloneDX", "specVersion": "1.6"}),
             finding("attestation", "tool", found="none"))
    demanded("builder", "Another builder.", attested(),
             finding("attestation", "tool", place=f"{where}.runDetails.builder.id", found=BUILDER),
             builder="https://builds.example.com/2")
    demanded("build-type", "Another type of build.", attested(),
             finding("attestation", "tool", place=f"{where}.buildDefinition.buildType", found="https://builds.example.com/type"),
             buildType="https://builds.example.com/other")
    demanded("source", "Another repository, whose name begins alike.", attested(value=provenance(source=f"{SOURCE}-fork")),
             finding("attestation", "tool", place=f"{where}.buildDefinition.externalParameters.source", found=f"{SOURCE}-fork"),
             source=SOURCE)
    demanded("commit", "Another commit.", attested(),
             finding("attestation", "tool", place=f"{where}.buildDefinition.resolvedDependencies[0]", found=COMMIT),
             source=SOURCE, commit="2" * 40)
    demanded("parameters", "Another parameter of the build.", attested(),
             finding("attestation", "tool", place=f"{where}.buildDefinition.externalParameters.tag", found="v1.0.0"),
             parameters={"tag": "v2.0.0"})
    demanded("signer", "Whoever may release has attested it, and not the builder.", attested(key=RELEASE),
             finding("attestation", "tool", place="tool.provenance.sigstore.json", found="release"))
    demanded("form", "Provenance without a builder.", attested(value={**provenance(), "runDetails": {}}),
             finding("attestation", "tool", place=f"{where}.runDetails.builder"))
    demanded("no-artifact", "A demand that is about no artifact.", attested(),
             finding("attestation", place="rules.attestation.demands[0].artifacts", found="none of them"), artifacts=["*.deb"])
    demanded("no-signer", "A demand for a signer that the trust policy does not have.", tool().add("NOTES.md"),
             finding("attestation", place="rules.attestation.demands[0].signers", found="nobody"),
             finding("attestation", "NOTES.md", found="none"), signers=["nobody"], artifacts=["*.md"])
    demanded("bill-of-materials", "Provenance where a bill of materials is demanded.", attested(),
             finding("attestation", "tool", found="none"), type="spdx")
    place = "tool.vsa.sigstore.json, predicate"
    for name, why, field, found, value in (
            ("failed", "A verification that has failed.", "verificationResult", "FAILED", {"verificationResult": "FAILED"}),
            ("resource", "Another file was verified.", "resourceUri", "https://example.com/releases/other",
             {"resourceUri": "https://example.com/releases/other"}),
            ("level", "A lower level.", "verifiedLevels", "SLSA_BUILD_LEVEL_1", {"verifiedLevels": ["SLSA_BUILD_LEVEL_1"]}),
            ("verifier", "Another verifier.", "verifier.id", "https://example.com", {"verifier": {"id": "https://example.com"}})):
        demanded(f"summary-{name}", why, attested(SUMMARY, "vsa", summary(**value)),
                 finding("attestation", "tool", place=f"{place}.{field}", found=found), type="verification-summary",
                 verifier="https://staging.example.com", resource="https://example.com/releases/",
                 levels=["SLSA_BUILD_LEVEL_2"])
    case("attestation-none-demanded", "A rule that demands nothing.", tool(),
         finding("attestation", place="rules.attestation.demands", found="none"), rules={"attestation": "error"})
    make_unverified_cases(attested)


def make_unverified_cases(attested):
    def unverified(name, why, release, code=None, found=None, path="tool", place="tool.provenance.sigstore.json", **more):
        case(f"unverified-attestation-{name}", why, release,
             finding("unverified-attestation", path, place=place, code=code, found=found), **more)

    unverified("damaged", "A file that is none.", tool().put("tool.provenance.sigstore.json", "anything"),
               "signature.malformed")
    unverified("stranger", "A key that nobody trusts.", attested(key=STRANGER), "signer.untrusted",
               f"a bundle that names {key_id(STRANGER)}")
    unverified("bytes", "About other bytes.", attested(content=b"other"), "digest.mismatch", f"sha256:{sha256(b'content')}")
    unverified("folder", "About a folder that is not signed as a whole.",
               Folder().add("docs/page").put("docs.provenance.sigstore.json", "{}"),
               found="one of a file or folder that is no artifact",
               path="docs.provenance.sigstore.json", place=None)
