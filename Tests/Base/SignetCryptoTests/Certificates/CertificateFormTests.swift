import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

/// The forms of a certificate's and a list's parts, which a whole certificate has one fault of at a time.
@Suite struct CertificateFormTests {
  private static func oid(_ content: [UInt8]) -> [UInt8] { DERWriter.element(DERElement.objectIdentifier, content) }
  private static func tagged(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    DERWriter.element(DERElement.constructed(number), content)
  }
  private static let null: [UInt8] = [DERElement.null, 0]

  @Test("basic constraints have no value that is the default, and nothing behind the last one")
  func basicConstraints() throws {
    func read(_ content: [UInt8]) -> BasicConstraints? { BasicConstraints(DERReader(DERWriter.sequence(content))) }
    #expect(read([])?.isCA == false)
    #expect(read([1, 1, 0xff])?.isCA == true)
    #expect(read([1, 1, 0]) == nil)
    #expect(read([1, 1, 0xff, 2, 1, 3])?.pathLength == 3)
    #expect(read([1, 1, 0xff, 2, 2, 1, 0])?.pathLength == 256)
    #expect(read([1, 1, 0xff, 2, 3, 1, 0, 0])?.pathLength == 65_535)
    #expect(read([1, 1, 0xff, 2, 1, 0xff]) == nil)
    #expect(read([1, 1, 0xff, 2, 1, 3] + Self.null) == nil)
  }

  @Test("a serial number is its magnitude, with its sign")
  func serialNumbers() {
    for (content, text) in [
      ([0x7f], "7f"), ([0], "00"), ([0, 0x80], "80"), ([0x80], "-80"), ([0xff], "-01"), ([0xff, 0], "-0100"),
    ] as [([UInt8], String)] {
      #expect(SerialNumber.text(content) == text)
    }
  }

  @Test("white space of names is compared as one space, and nothing else is taken for white space")
  func whiteSpace() throws {
    func canonical(_ text: String) throws -> [UInt8] {
      let attribute = DERWriter.sequence(
        Self.oid([0x55, 4, 3]), DERWriter.element(DERElement.utf8String, Array(text.utf8)))
      return try #require(DistinguishedName(der: DERWriter.sequence(DERWriter.element(DERElement.set, attribute))))
        .canonical
    }
    for byte in UInt8(1)..<0x80 {
      let isSpace = byte == 0x20 || (9...13).contains(byte)
      let text = "a" + String(decoding: [byte], as: UTF8.self) + "b"
      #expect(try (canonical(text) == canonical("a b")) == isSpace, "\(byte)")
    }
  }

  @Test("control characters of names are escaped for people")
  func escapes() throws {
    let text = DERWriter.element(DERElement.utf8String, Array("a\u{1f} \u{7e}\u{7f}\u{9f}\u{a1}".utf8))
    let attribute = DERWriter.sequence(Self.oid([0x55, 4, 3]), text)
    let name = DistinguishedName(der: DERWriter.sequence(DERWriter.element(DERElement.set, attribute)))
    #expect(name?.description.contains("\u{1f}") == false && name?.description.contains("\u{9f}") == false)
    #expect(name?.description.hasSuffix("\u{a1}") == true && name?.description.contains(" ~") == true)
  }

  @Test("nothing stands behind the extensions of a certificate")
  func extensionsEnd() throws {
    let der = try CertificateTests.vector("verified").der
    func rebuilt(_ after: [UInt8]) throws -> [UInt8] {
      var outer = DERReader(der)
      let whole = outer.sequence()
      var parts = try #require(whole)
      let signed = parts.sequence()
      var fields = try #require(signed)
      var content: [UInt8] = []
      while let (tag, field) = fields.element() {
        content += DERWriter.element(tag, field.rest + (tag == DERElement.constructed(3) ? after : []))
      }
      return DERWriter.sequence(DERWriter.sequence(content) + parts.rest)
    }
    #expect(try Certificate(der: rebuilt([])).der == der)
    expectError(.certificateMalformed) { _ = try Certificate(der: rebuilt(Self.null)) }
  }

  @Test("the parameters of RSASSA-PSS are all there, name one digest, and have nothing behind them")
  func pss() {
    let sha256 = DERWriter.sequence(Self.oid([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]))
    let sha384 = DERWriter.sequence(Self.oid([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02]))
    func scheme(
      _ digest: [UInt8]? = nil, _ mask: [UInt8]? = nil, mgf: UInt8 = 8, salt: [UInt8] = [2, 1, 32],
      after: [UInt8] = [], afterAll: [UInt8] = []
    ) -> CertificateSignatureAlgorithm.Scheme? {
      let function = DERWriter.sequence(
        Self.oid([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, mgf]), mask ?? sha256)
      let fields = Self.tagged(0, digest ?? sha256) + Self.tagged(1, function) + Self.tagged(2, salt) + after
      let name = Self.oid([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a])
      return CertificateSignatureAlgorithm(der: DERWriter.sequence(name, DERWriter.sequence(fields), afterAll))?
        .scheme
    }
    let refused = CertificateSignatureAlgorithm.Scheme.unsupported("RSASSA-PSS with other parameters")
    #expect(scheme() == .rsaPSS(.sha256, salt: 32))
    #expect(scheme(salt: [2, 1, 0]) == .rsaPSS(.sha256, salt: 0))
    #expect(scheme(sha384, sha384, salt: [2, 1, 48]) == .rsaPSS(.sha384, salt: 48))
    #expect(scheme(salt: [2, 1, 33]) == refused)
    #expect(scheme(salt: [2, 1, 32] + Self.null) == refused)
    #expect(scheme(salt: Self.null) == refused)
    #expect(scheme(mgf: 9) == refused)
    #expect(scheme(afterAll: Self.null) == refused)
    let sha256WithNulls = DERWriter.sequence(
      Self.oid([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]), Self.null, Self.null)
    #expect(scheme(sha256WithNulls, sha256) == refused)
    #expect(scheme(sha384) == refused)
    #expect(scheme(sha256 + Self.null) == refused)
    #expect(scheme(sha256, sha256 + Self.null) == refused)
    #expect(scheme(after: Self.tagged(3, [2, 1, 1])) == refused)
  }

  @Test("name constraints have nothing behind their subtrees, and each base has its form")
  func nameConstraints() throws {
    func read(_ fields: [UInt8]) -> NameConstraints? { NameConstraints(DERReader(DERWriter.sequence(fields))) }
    func subtrees(_ number: UInt8, _ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
      Self.tagged(number, DERWriter.sequence(DERWriter.element(tag, content)))
    }
    let domain = subtrees(0, 0x82, Array("a.example".utf8))
    #expect(try #require(read(domain)).objection == nil)
    #expect(try #require(read(domain + subtrees(1, 0x82, []))).excludedDomains == [[]])
    #expect(read(domain + Self.null) == nil)
    #expect(read([]) == nil)
    #expect(try #require(read(subtrees(0, 0x88, [0x2a, 3]))).objection == nil)
    #expect(try #require(read(subtrees(0, 0x88, [0x2a, 0x80]))).objection?.reason == "is not a name")
    #expect(try #require(read(subtrees(0, 0x82, Array("a b".utf8)))).objection?.constraint == "dns:a b")
    #expect(try #require(read(subtrees(0, 0x82, Array("a\u{1f}".utf8)))).objection?.constraint == "#8202611f")
  }

  @Test("a notice has an optional reference and an optional text, and nothing behind them")
  func notices() {
    func isPolicies(_ notice: [UInt8]) -> Bool {
      let userNotice = Self.oid([0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, 0x02])
      let qualifiers = DERWriter.sequence(DERWriter.sequence(userNotice, DERWriter.sequence(notice)))
      return PolicyExtensions.isPolicies(
        DERReader(DERWriter.sequence(DERWriter.sequence(Self.oid([0x2a, 3]), qualifiers))))
    }
    let text = DERWriter.element(DERElement.utf8String, Array("text".utf8))
    func reference(_ numbers: [UInt8]) -> [UInt8] { DERWriter.sequence(text, DERWriter.sequence(numbers)) }
    for notice in [[], text, reference([]), reference([2, 1, 1]), reference([2, 1, 1, 2, 1, 2]) + text] {
      #expect(isPolicies(notice), "\(notice)")
    }
    for notice in [
      text + Self.null, text + text, Self.null, reference(Self.null), reference([2, 1, 1] + Self.null),
      reference([]) + Self.null,
      DERWriter.sequence(text), DERWriter.element(DERElement.utf8String, [0xff]),
      DERWriter.sequence(Self.null, DERWriter.sequence([])),
    ] {
      #expect(!isPolicies(notice), "\(notice)")
    }
  }

  @Test("a certificate has up to 256 policies")
  func policies() {
    func isPolicies(_ count: Int) -> Bool {
      let list = (0..<count).flatMap { _ in DERWriter.sequence(Self.oid([0x2a, 3])) }
      return PolicyExtensions.isPolicies(DERReader(DERWriter.sequence(list)))
    }
    #expect(isPolicies(1) && isPolicies(256))
    #expect(!isPolicies(257) && !isPolicies(0))
  }

  @Test("names of seven bits have any of them, and a domain's hosts end as it does")
  func hosts() {
    for (byte, isName) in [(0x7f, true), (0x80, false)] as [(UInt8, Bool)] {
      #expect(GeneralName.isWellFormed(0x82, DERReader([byte])) == isName)
    }
    let domain = HostConstraint(Array(".b.example".utf8))
    for (host, isIn) in [
      ("a.b.example", true), ("b.example", false), (".b.example", false), ("aaaaa.c.example", false),
    ] {
      #expect(domain.contains(Array(host.utf8)) == isIn, "\(host)")
    }
    #expect(HostConstraint(Array("b.example".utf8)).contains(Array("b.example".utf8)))
    #expect(!HostConstraint(Array("b.example".utf8)).contains(Array("a.b.example".utf8)))
  }

  @Test("a file has up to 256 certificates")
  func count() throws {
    let certificate = try CertificateTests.vector("verified")
    func read(_ count: Int) throws -> Int {
      try Certificate.all(in: SecretBytes(Array(String(repeating: certificate.pem, count: count).utf8))).count
    }
    #expect(try read(256) == 256)
    expectError(.certificateMalformed) { _ = try read(257) }
  }

  @Test("nothing stands behind the signature of a revocation list")
  func listEnd() throws {
    let file = SecretBytes(try Vector.named("revoked-indirect", in: "chains").bytes("crls.pem"))
    let der = try #require(RevocationList.all(in: file).first).der
    var reader = DERReader(der)
    let list = reader.sequence()
    let content = try #require(list).rest
    #expect(try RevocationList(der: DERWriter.sequence(content)).der == der)
    expectError(.revocationListMalformed) { _ = try RevocationList(der: DERWriter.sequence(content + Self.null)) }
    expectError(.revocationListMalformed) { _ = try RevocationList(der: der + Self.null) }
  }
}
