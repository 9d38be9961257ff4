import SignetBase
import TestSupport
import Testing

@testable import SignetCrypto

/// How many extensions and points there may be, and that nothing follows what they hold.
@Suite struct ExtensionBoundTests {
  private static let null: [UInt8] = [DERElement.null, 0]

  private static func item(_ oid: [UInt8], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
    DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, oid), isCritical ? [1, 1, 0xff] : [],
      DERWriter.element(DERElement.octetString, value))
  }
  /// Extensions that nobody knows, each another one.
  private static func unknown(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { item([0x2a, 3, UInt8($0)], [5, 0]) }
  }

  @Test("a certificate has up to 64 extensions, and a list up to 32")
  func counts() throws {
    #expect(try CertificateExtensions(DERReader(Self.unknown(64))).names.count == 64)
    expectError(.certificateMalformed) { _ = try CertificateExtensions(DERReader(Self.unknown(65))) }
    expectError(.certificateMalformed) { _ = try CertificateExtensions(DERReader([])) }
    #expect(RevocationListExtensions(DERReader(Self.unknown(32))) != nil)
    #expect(RevocationListExtensions(DERReader(Self.unknown(33))) == nil)
    #expect(RevocationListExtensions(DERReader([])) == nil)
    #expect(RevocationListExtensions(DERReader(Self.unknown(1) + Self.unknown(1))) == nil)
  }

  @Test("a subject key identifier has bytes, and nothing behind them")
  func subjectKeyIdentifier() throws {
    func read(_ value: [UInt8]) throws -> [UInt8]? {
      try CertificateExtensions(DERReader(Self.item([0x55, 29, 14], value))).subjectKeyIdentifier
    }
    #expect(try read([4, 1, 7]) == [7])
    for value in [[4, 1, 7] + Self.null, [4, 0], Self.null] {
      expectError(.certificateMalformed) { _ = try read(value) }
    }
  }

  @Test("a certificate names up to 64 distribution points, and nothing stands behind them")
  func points() {
    func points(_ count: Int, _ after: [UInt8] = []) -> [DistributionPoint]? {
      let issuer = DERWriter.sequence(
        DERWriter.element(
          DERElement.set,
          DERWriter.sequence(
            DERWriter.element(DERElement.objectIdentifier, [0x55, 4, 3]),
            DERWriter.element(DERElement.utf8String, Array("CA".utf8)))))
      let names = DERWriter.element(DERElement.constructed(4), issuer)
      let point = DERWriter.sequence(DERWriter.element(DERElement.constructed(2), names))
      let list = (0..<count).flatMap { _ in point }
      return DistributionPoint.all(DERReader(DERWriter.sequence(list) + after))
    }
    #expect(points(1)?.count == 1)
    #expect(points(64)?.count == 64)
    #expect(points(65) == nil)
    #expect(points(0) == nil)
    #expect(points(1, Self.null) == nil)
  }

  @Test("the scope of a list is one, in its one form, and nothing stands behind it")
  func scopes() {
    func read(_ fields: [UInt8], _ after: [UInt8] = []) -> IssuingDistributionPoint? {
      IssuingDistributionPoint(DERReader(DERWriter.sequence(fields) + after))
    }
    #expect(read([0x81, 1, 0xff])?.scope == .holders)
    #expect(read([0x82, 1, 0xff])?.scope == .authorities)
    #expect(read([0x85, 1, 0xff])?.scope == .attributes)
    #expect(read([0x84, 1, 0xff])?.isIndirect == true)
    #expect(read([0x81, 1, 0xff, 0x82, 1, 0xff]) == nil)
    #expect(read([0x81, 1, 0]) == nil)
    #expect(read([0x81, 1, 0xff] + Self.null) == nil)
    #expect(read([0x81, 1, 0xff], Self.null) == nil)
    #expect(read([]) == nil)
  }

  @Test("a mailbox has visible characters, and a host")
  func mailboxes() {
    for (text, isMailbox) in [
      ("a@b.example", true), ("!~@b.example", true), ("a b@b.example", false), ("a\u{7f}@b.example", false),
      ("a\"@b.example", false), ("@b.example", false), ("a@", false), ("a@b@c.example", false),
    ] {
      #expect(HostName.isMailbox(Array(text.utf8)) == isMailbox, "\(text)")
    }
  }
}
