import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

/// What a signer is told of a certificate before it is used.
@Suite struct CertificateUseTests {
  private static let early = UnixTime(seconds: 0)

  private static func check(
    _ name: String, withIssuers: Bool = true, at time: UnixTime? = nil
  ) throws -> SignetError? {
    let chain = try ChainVectorTests.Case(name: name)
    let issuers = try chain.certificates("intermediates.pem") + chain.certificates("anchors.pem")
    return try CertificateUse.check(
      try #require(chain.certificates("leaf.pem").first), issuers: withIssuers ? issuers : [],
      at: time ?? chain.time())
  }

  @Test("a certificate needs no advice with its issuers, without them, and as its own issuer")
  func good() throws {
    #expect(try Self.check("verified") == nil)
    #expect(try Self.check("verified", withIssuers: false) == nil)
    #expect(try Self.check("verified-self-signed", withIssuers: false) == nil)
  }

  @Test("a certificate without issuers that only those accept who trust this very one")
  func alone() throws {
    let advice = try #require(try Self.check("no-authority-identifier", withIssuers: false))
    #expect(advice.code == .chainMalformed)
    #expect(advice.hint?.hasPrefix("only verifiers that trust this very certificate") == true)
    expectError(.chainMalformed) { _ = try Self.check("no-authority-identifier") }
  }

  @Test("of an anchor neither serial number nor signature algorithm matters")
  func anchors() throws {
    for name in ["verified", "verified-sha1-anchor", "verified-anchor-serial-zero"] {
      let anchor = try #require(try ChainVectorTests.Case(name: name).certificates("anchors.pem").first)
      #expect(CertificateUse.objection(toAnchor: anchor, leastRSABits: 3072) == nil, "\(name)")
    }
    let sha1 = try #require(try ChainVectorTests.Case(name: "verified-sha1-anchor").certificates("anchors.pem").first)
    #expect(CertificateUse.objection(toIssuer: sha1, isAnchor: false)?.code == .chainWeakDigest)
  }

  @Test("a certificate that begins later is good from then on")
  func later() throws {
    let advice = try #require(try Self.check("verified", at: Self.early))
    #expect(advice.code == .chainNotYetValid)
    #expect(advice.hint == "verifiers accept the signature from then on")
  }

  @Test("a certificate that begins later keeps the other rules all the same")
  func laterAndBroken() {
    let error = expectError(.chainSignature) { _ = try Self.check("spoilt-leaf", at: Self.early) }
    #expect(error?.hint?.hasPrefix("no verifier accepts a signature with it") == true)
  }
}
