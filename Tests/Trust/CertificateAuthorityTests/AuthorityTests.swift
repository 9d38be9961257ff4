import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import SignetVerify
import TestSupport
import Testing

@testable import CertificateAuthority

/// Authorities, what they certify and revoke, by the rules of verification and as openssl reads it.
@Suite("a small authority") struct AuthorityTests {
  private static let now = UnixTime(seconds: 1_800_000_000)
  private static let day: Int64 = 86_400

  /// A root, an authority below it, and their keys.
  private struct Team {
    let rootKey: PrivateKey
    let key: PrivateKey
    var root: Authority
    var team: Authority

    init(_ kind: PrivateKey.Kind = .p384) throws {
      (rootKey, key) = (try .generate(kind), try .generate(kind))
      root = try .root(CertificateSubject("CN=Root,O=Example"), rootKey, days: 3650, at: now)
      team = try root.intermediate(
        CertificateSubject("CN=Team,O=Example"), key.publicKey, days: 1825, by: rootKey, at: now)
    }

    mutating func signer(_ names: [String] = ["release@example.com"], days: Int = 365) throws -> (
      PrivateKey, Certificate
    ) {
      let holder = try PrivateKey.generate(.ed25519)
      return (
        holder,
        try team.signer(
          CertificateSubject("CN=Release,O=Example"), names.compactMap { SignerIdentity($0) }, holder.publicKey,
          days: days, by: key, at: now)
      )
    }
  }

  @Test("a signer's certificate leads to the root, by keys of every kind", arguments: PrivateKey.Kind.allCases)
  func path(kind: PrivateKey.Kind) throws {
    var team = try Team(kind)
    let (_, leaf) = try team.signer(["release@example.com", "https://example.com/release", "dns:build.example.com"])
    let verifier = CertificateChainVerifier(
      anchors: [team.root.certificate], intermediates: [team.team.certificate], revocationLists: [])
    let path = try verifier.verify(leaf, at: Self.now)
    #expect(path.certificates == [leaf, team.team.certificate, team.root.certificate])
    #expect(
      leaf.subjectAlternativeNames.map(\.description) == [
        "email:release@example.com", "uri:https://example.com/release", "dns:build.example.com",
      ])
    #expect(leaf.subject.description == "CN=Release,O=Example" && !leaf.isCA)
    #expect(leaf.serialNumberBytes.count == 16 && leaf.serialNumberBytes[0] < 0x80)
    // A day is its number of seconds: the certificate ends with its last one.
    #expect(leaf.notAfter == UnixTime(seconds: Self.now.seconds + 365 * Self.day - 1))
    #expect(leaf.notBefore == UnixTime(seconds: Self.now.seconds - 300))
    #expect(try team.signer().1.serialNumber != leaf.serialNumber)
    #expect(team.team.issued.certificates.count == 2 && team.root.issued.certificates.count == 1)
    // Below the authority there is no other.
    expectError(.authorityTerms) {
      _ = try team.team.intermediate(
        CertificateSubject("Low"), PrivateKey.generate(.p256).publicKey, days: 10, by: team.key, at: Self.now)
    }
  }

  @Test(
    "openssl accepts what is made, in its strict mode, and reads the revocation list",
    .enabled(if: Program.find("openssl") != nil, "needs openssl"))
  func openSSL() throws {
    let folder = try TemporaryFolder()
    let now = UnixTime(seconds: Int64(Date().timeIntervalSince1970))
    let rootKey = try PrivateKey.generate(.p256)
    let key = try PrivateKey.generate(.rsa3072)
    var root = try Authority.root(CertificateSubject("CN=Root,O=Example,C=CH"), rootKey, days: 36_000, at: now)
    var team = try root.intermediate(CertificateSubject("CN=Team"), key.publicKey, days: 1000, by: rootKey, at: now)
    let holder = try PrivateKey.generate(.p384).publicKey
    let leaf = try team.signer(
      CertificateSubject("CN=Release"), [SignerIdentity(.email, "a@example.com")], holder, days: 30,
      lists: "http://example.com/team.crl", by: key, at: now)
    _ = try team.revoke(leaf.serialNumber, .keyCompromise, since: UnixTime(seconds: now.seconds - 60), at: now)
    let list = try team.revocationList(days: 30, by: key, at: now)
    let none = try root.revocationList(days: 30, by: rootKey, at: now)
    func write(_ name: String, _ label: String, _ der: [UInt8]) throws {
      try folder.write(name, PEM.encode(label, SecretBytes(der)).withBytes { Array(copying: $0) })
    }
    try write("root.pem", "CERTIFICATE", root.certificate.der)
    try write("team.pem", "CERTIFICATE", team.certificate.der)
    try write("leaf.pem", "CERTIFICATE", leaf.der)
    try write("team.crl", "X509 CRL", list.der)
    try write("root.crl", "X509 CRL", none.der)
    func run(_ command: String) throws -> Program { try Shell.run(command, in: folder.path) }
    let strict = "openssl verify -x509_strict -CAfile root.pem -untrusted team.pem"
    let verified = try run("\(strict) leaf.pem")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let revoked = try run(
      "cat team.crl root.crl > all.crl && \(strict) -crl_check_all -CRLfile all.crl leaf.pem 2>&1")
    #expect(revoked.output.contains("certificate revoked"), "\(revoked.output)")
    let shown = try run("openssl crl -in team.crl -noout -text")
    for text in ["Version 2", "CRL Number", "Key Compromise", "Invalidity Date", "Authority Key Identifier"] {
      #expect(shown.output.contains(text), "\(shown.output)")
    }
    let text = try run("openssl x509 -in leaf.pem -noout -text").output
    for part in [
      "Code Signing", "CA:FALSE", "Digital Signature", "URI:http://example.com/team.crl", "email:a@example.com",
    ] { #expect(text.contains(part), "\(text)") }
    // The end of the root is after 2049, and is written in the longer form.
    let end = try run("openssl x509 -in root.pem -noout -enddate").output
    #expect(end.contains("21"), "\(end)")
    // The rules of verification say the same.
    let verifier = CertificateChainVerifier(
      anchors: [root.certificate], intermediates: [team.certificate], revocationLists: [list, none])
    expectError(.chainRevoked) { _ = try verifier.verify(leaf, at: now) }
    // What is proven to be older than the key was lost stays valid.
    _ = try verifier.verify(leaf, at: UnixTime(seconds: now.seconds - 61), listsAt: now)
    expectError(.chainRevoked) {
      _ = try verifier.verify(leaf, at: UnixTime(seconds: now.seconds - 60), listsAt: now)
    }
  }

  @Test("what would outlive the authority, end at once or be too weak is not certified, and nothing is noted of it")
  func terms() throws {
    var team = try Team()
    expectError(.authorityTerms) { _ = try team.signer(days: 1826) }
    expectError(.authorityTerms) { _ = try team.signer(days: 0) }
    expectError(.authorityTerms) { _ = try team.signer(days: 36_501) }
    expectError(.authorityName) { _ = try team.signer(["subject:CN=x"]) }
    expectError(.authorityName) { _ = try team.signer(["größe@example.com"]) }
    #expect(team.team.issued.certificates.isEmpty)
    // The key must be the authority's.
    expectError(.authorityKey) {
      _ = try team.team.signer(
        CertificateSubject("X"), [], PrivateKey.generate(.p256).publicKey, days: 1, by: team.rootKey, at: Self.now)
    }
    expectError(.authorityKey) { _ = try team.team.revocationList(days: 1, by: team.rootKey, at: Self.now) }
  }

  @Test(
    "nothing of a revocation is taken back: the earliest time and the worst reason of all count, and lists are counted"
  )
  func revocation() throws {
    var team = try Team()
    let (_, leaf) = try team.signer()
    func revoke(_ reason: RevocationReason, since: Int64? = nil, at seconds: Int64 = 0) throws -> Bool {
      let (first, now) = (Self.now.seconds, UnixTime(seconds: Self.now.seconds + seconds))
      let since = since.map { UnixTime(seconds: first + $0) }
      return try !team.team.revoke(leaf.serialNumber, reason, since: since, at: now).isEmpty
    }
    func revocation() -> IssuedCertificate.Revocation? { team.team.issued[serial: leaf.serialNumber]?.revocation }
    expectError(.authorityUnknown) { _ = try team.team.revoke("01", .superseded, since: nil, at: Self.now) }
    #expect(try revoke(.superseded))
    #expect(try !revoke(.cessation, at: 5))
    expectError(.authorityTerms) { _ = try revoke(.keyCompromise, since: 10) }
    // The date stays that of the first revocation, and a key that was stolen later was revoked before.
    #expect(try revoke(.keyCompromise, since: 8, at: 10))
    #expect(revocation()?.reason == .keyCompromise && revocation()?.date == Self.now)
    #expect(try !revoke(.keyCompromise, at: 20) && !revoke(.superseded, at: 20))
    // It was stolen earlier than was thought.
    #expect(try revoke(.keyCompromise, since: -100, at: 30))
    #expect(revocation()?.since == UnixTime(seconds: Self.now.seconds - 100) && revocation()?.date == Self.now)
    #expect(try !revoke(.keyCompromise, since: -50, at: 40))
    let first = try team.team.revocationList(days: 1, by: team.key, at: Self.now)
    let second = try team.team.revocationList(days: 1, by: team.key, at: Self.now)
    #expect(team.team.issued.listNumber == 2 && first != second)
    expectError(.authorityUnknown) { _ = try team.team.renewed(leaf, days: 10, by: team.key, at: Self.now) }
  }

  @Test("a stolen key is revoked in all its certificates, and is not certified again")
  func stolen() throws {
    var team = try Team()
    let (holder, leaf) = try team.signer()
    let renewed = try team.team.renewed(leaf, days: 100, by: team.key, at: Self.now)
    let (_, other) = try team.signer()
    let revoked = try team.team.revoke(leaf.serialNumber, .keyCompromise, since: nil, at: Self.now)
    #expect(revoked == [leaf.serialNumber, renewed.serialNumber])
    #expect(team.team.issued[serial: other.serialNumber]?.revocation == nil)
    expectError(.authorityUnknown) { _ = try team.team.renewed(renewed, days: 10, by: team.key, at: Self.now) }
    expectError(.authorityTerms) {
      _ = try team.team.signer(
        CertificateSubject("Again"), [], holder.publicKey, days: 10, by: team.key, at: Self.now)
    }
    // Another reason is about one certificate.
    let again = try team.team.renewed(other, days: 100, by: team.key, at: Self.now)
    #expect(
      try team.team.revoke(other.serialNumber, .superseded, since: nil, at: Self.now) == [other.serialNumber])
    _ = try team.team.renewed(again, days: 100, by: team.key, at: Self.now)
  }

  @Test("a renewed certificate has the names and the key of the old one, and a number of its own")
  func renewal() throws {
    var team = try Team()
    let (holder, leaf) = try team.signer(["release@example.com", "https://example.com/x"])
    let later = UnixTime(seconds: Self.now.seconds + 300 * Self.day)
    let renewed = try team.team.renewed(leaf, days: 365, by: team.key, at: later)
    #expect(renewed.subject == leaf.subject && renewed.serialNumber != leaf.serialNumber)
    #expect(renewed.subjectAlternativeNames.map(\.description) == leaf.subjectAlternativeNames.map(\.description))
    #expect(try renewed.publicKey() == holder.publicKey)
    #expect(renewed.notAfter > leaf.notAfter)
    expectError(.authorityTerms) {
      _ = try team.root.renewed(team.team.certificate, days: 10, by: team.rootKey, at: later)
    }
    var other = try Team()
    expectError(.authorityUnknown) { _ = try other.team.renewed(leaf, days: 10, by: other.key, at: later) }
  }

  @Test("the list of what was issued is read as it was written, and a damaged one is refused")
  func list() throws {
    var team = try Team()
    let (_, leaf) = try team.signer()
    _ = try team.signer()
    _ = try team.team.revoke(leaf.serialNumber, .keyCompromise, since: Self.now, at: Self.now)
    _ = try team.team.revocationList(days: 1, by: team.key, at: Self.now)
    let bytes = try team.team.issued.bytes()
    let read = try IssuedCertificates(json: bytes)
    #expect(read.certificates == team.team.issued.certificates && read.listNumber == 1)
    #expect(try read.bytes() == bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    for (old, new) in [
      ("\"version\":1", "\"version\":2"), ("key-compromise", "theft"), ("\"serial\":\"", "\"serial\":\"x"),
      ("\"listNumber\":1", "\"listNumber\":-1"), ("\"version\":1", "\"version\":1,\"more\":1"), ("}", ""),
    ] {
      expectError(.authorityList, "\(new)") {
        _ = try IssuedCertificates(json: Array(text.replacingOccurrences(of: old, with: new).utf8))
      }
    }
  }
}
