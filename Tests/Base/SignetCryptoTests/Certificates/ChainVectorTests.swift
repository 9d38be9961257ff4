import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

/// Every case of `Tests/Vectors/chains`: one chain, one fault, one code. A new case needs no code.
@Suite struct ChainVectorTests {
  static func vectors() throws -> [Vector] { try Vector.all(in: "chains") }

  /// What a case consists of; inputs that it does not have hold nothing.
  struct Case {
    let vector: Vector

    init(_ vector: Vector) { self.vector = vector }
    init(name: String) throws { vector = try Vector.named(name, in: "chains") }

    func bytes(_ file: String) -> SecretBytes? { vector.inputs[file].map { SecretBytes($0) } }
    func certificates(_ file: String) throws -> [Certificate] { try bytes(file).map(Certificate.all) ?? [] }
    func time() throws -> UnixTime {
      try #require(UnixTime(vector.text("time").map { String($0.prefix(20)) } ?? "2026-11-21T00:00:00Z"))
    }
    func verifier() throws -> CertificateChainVerifier {
      CertificateChainVerifier(
        anchors: try certificates("anchors.pem"), intermediates: try certificates("intermediates.pem"),
        revocationLists: try bytes("crls.pem").map(RevocationList.all) ?? [])
    }
    func verify() throws -> CertificatePath {
      try verifier().verify(try #require(certificates("leaf.pem").first), at: time())
    }
  }

  @Test("the vector has the verdict it names", arguments: try vectors())
  func vector(_ vector: Vector) throws {
    let expected = vector.expected
    let chain = Case(vector)
    guard expected[0] == "verified" else {
      let code = SignetError.Code(expected[0])
      let error = expectError(code) { _ = try chain.verify() }
      #expect(error?.hint?.contains("ignore") != true)
      // What was judged once is judged alike the second time.
      guard let verifier = try? chain.verifier(), let leaf = try? chain.certificates("leaf.pem").first else { return }
      for _ in 1...2 { expectError(code) { _ = try verifier.verify(leaf, at: chain.time()) } }
      return
    }
    let (verifier, time) = (try chain.verifier(), try chain.time())
    let leaf = try #require(chain.certificates("leaf.pem").first)
    let path = try verifier.verify(leaf, at: time)
    #expect(path.certificates.count == Int(expected[1]))
    #expect(path.certificates.first == path.leaf)
    #expect(path.certificates.last == path.anchor)
    #expect(try chain.certificates("anchors.pem").contains(path.anchor))
    #expect(path.issuer == (path.certificates.count > 1 ? path.certificates[1] : nil))
    #expect(try verifier.verify(leaf, at: time) == path)
  }

  @Test(
    "certificates whose path was accepted vouch for no other path",
    arguments: ["other-root", "other-root-same-name", "spoilt-leaf", "spoilt-intermediate"])
  func accepted(name: String) throws {
    let (honest, other) = (try Case(name: "verified"), try Case(name: name))
    let (anchors, intermediates) = (
      try honest.certificates("anchors.pem"), try honest.certificates("intermediates.pem")
    )
    let leaf = try #require(honest.certificates("leaf.pem").first)
    let verifier = CertificateChainVerifier(anchors: anchors, intermediates: intermediates, revocationLists: [])
    #expect(try verifier.verify(leaf, at: honest.time()).certificates.count == 3)
    // What is the same in both cases is the same value, which keeps the path that was accepted.
    func shared(_ certificates: [Certificate]) -> [Certificate] {
      certificates.map { certificate in (anchors + intermediates + [leaf]).first { $0 == certificate } ?? certificate
      }
    }
    let changed = CertificateChainVerifier(
      anchors: shared(try other.certificates("anchors.pem")),
      intermediates: shared(try other.certificates("intermediates.pem")), revocationLists: [])
    let last = try #require(shared(other.certificates("leaf.pem")).first)
    expectError(SignetError.Code(other.vector.expected[0])) { _ = try changed.verify(last, at: other.time()) }
  }

  @Test("there are vectors")
  func some() throws { #expect(try Self.vectors().count > 400) }

  @Test("a refusal by OpenSSL carries its whole reason")
  func cause() throws {
    let error = expectError(.chainSignature) { _ = try Case(name: "spoilt-leaf").verify() }
    let reasons = try #require((error?.cause as? OpenSSLFailure)?.reasons)
    #expect(reasons.first == "certificate signature failure")
    #expect(
      error?.object == "certificate CN=Leaf,O=Signet (serial 1001)" || error?.object.contains("CN=Leaf") == true)
  }

  @Test(
    "at a time that a timestamp proves, the lists about a path must be current now, too",
    arguments: ["verified-crl", "verified-crl-both", "verified-crl-delta", "verified-crl-stale-and-new", "verified"])
  func age(name: String) throws {
    let vector = try Case(name: name)
    let (verifier, time) = (try vector.verifier(), try vector.time())
    let leaf = try #require(vector.certificates("leaf.pem").first)
    #expect(try verifier.verify(leaf, at: time, listsAt: time).time == time)
    let later = UnixTime(seconds: time.seconds + 100 * 365 * 86400)
    guard name != "verified" else {
      #expect(try verifier.verify(leaf, at: time, listsAt: later).time == time)
      return
    }
    expectError(.revocationListExpired) { _ = try verifier.verify(leaf, at: time, listsAt: later) }
  }

  @Test(
    "a key that was lost later has signed before, if that is proven; what was lost before, or may have been, has not")
  func lostLater() throws {
    func verify(_ name: String, isProven: Bool) throws {
      let vector = try Case(name: name)
      let time = try vector.time()
      let leaf = try #require(vector.certificates("leaf.pem").first)
      let now = UnixTime(seconds: time.seconds + (isProven ? 1 : 0))
      _ = try vector.verifier().verify(leaf, at: time, listsAt: now)
    }
    expectError(.chainRevoked) { try verify("revoked-after-compromise", isProven: false) }
    try verify("revoked-after-compromise", isProven: true)
    try verify("verified-revoked-after", isProven: true)
    for name in [
      "revoked", "revoked-same-second", "revoked-after-invalidity", "revoked-hold", "revoked-intermediate",
    ] {
      expectError(.chainRevoked, "\(name)") { try verify(name, isProven: true) }
    }
  }

  @Test("threads may share a verifier and its certificates")
  func threads() async throws {
    let vector = try Case(name: "verified-rsa")
    let verifier = try vector.verifier()
    let leaf = try #require(vector.certificates("leaf.pem").first)
    let time = try vector.time()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<20 { #expect((try? verifier.verify(leaf, at: time))?.leaf == leaf) } }
      }
    }
  }

  @Test("no change of one bit of a list takes back a revocation")
  func listBits() throws {
    // The leaf names the list's issuer and the list names the leaf's: one bit cannot change both.
    let vector = try Case(name: "revoked-indirect")
    let file = try #require(vector.bytes("crls.pem"))
    let list = try #require(RevocationList.all(in: file).first).der
    let leaf = try #require(vector.certificates("leaf.pem").first)
    let anchors = try vector.certificates("anchors.pem")
    let intermediates = try vector.certificates("intermediates.pem")
    let time = try vector.time()
    for position in 0..<list.count * 8 {
      var changed = list
      changed[position / 8] ^= 1 << UInt8(position % 8)
      do throws(SignetError) {
        let verifier = CertificateChainVerifier(
          anchors: anchors, intermediates: intermediates, revocationLists: [try RevocationList(der: changed)])
        _ = try verifier.verify(leaf, at: time)
        Issue.record("bit \(position) takes the revocation back")
      } catch {
        // The leaf itself is refused only for what the list says.
        let isAboutTheList = error.code.rawValue.hasPrefix("crl.") || error.code == .chainRevoked
        #expect(isAboutTheList, "bit \(position): \(error)")
      }
    }
  }

  @Test(
    "every change of one bit of a leaf is refused under the CA", .slow,
    arguments: ["verified", "verified-rsa", "verified-extensions"])
  func bits(name: String) throws {
    let vector = try Case(name: name)
    let leaf = try #require(vector.certificates("leaf.pem").first).der
    let verifier = try vector.verifier()
    let time = try vector.time()
    for position in Extent.sample(of: Array(0..<leaf.count * 8), oneOf: 7) {
      var changed = leaf
      changed[position / 8] ^= 1 << UInt8(position % 8)
      do throws(SignetError) {
        _ = try verifier.verify(try Certificate(der: changed), at: time)
        Issue.record("bit \(position) does not count")
      } catch {
        let family = error.code.rawValue.split(separator: ".").first
        #expect(family == "certificate" || family == "chain", "bit \(position): \(error)")
      }
    }
  }
}
