import Foundation
import SignetBase
import SignetKeys
import TestSupport
import Testing

@testable import SignetCrypto

/// Certificates that nobody has signed, made to keep a verifier busy. Each took minutes once, and takes less than a second
/// of the processor's time, which unlike the clock's does not depend on what else the machine does.
@Suite struct ChainWorkTests {
  private let root: Certificate
  private let now = UnixTime(seconds: 1_800_000_000)

  init() throws {
    let vector = try ChainVectorTests.Case(name: "verified")
    root = try #require(vector.certificates("anchors.pem").first)
  }

  /// Expects a refusal that costs this thread less than half a minute.
  private func expectQuickly(_ code: SignetError.Code, _ body: () throws -> Void) {
    func seconds() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Int(time.tv_sec)
    }
    let start = seconds()
    expectError(code) { try body() }
    #expect(seconds() - start < 30)
  }

  private func verifier(_ intermediates: [Certificate]) -> CertificateChainVerifier {
    CertificateChainVerifier(anchors: [root], intermediates: intermediates, revocationLists: [])
  }

  @Test("eight of one name with keys of 60,000 bytes cost no more than eight with small ones")
  func largeKeys() throws {
    let crowd = try (1...8).map { number in
      try Self.certificate(
        issuer: Self.name("X"), subject: "X", key: Self.key(of: 60_000, last: number), serial: number, [Self.isCA])
    }
    let leaf = try Self.certificate(
      issuer: Self.name("X"), subject: "Leaf", key: Self.key(of: 10, last: 0), serial: 9, [])
    expectQuickly(.chainTooComplex) { _ = try verifier(crowd).verify(leaf, at: now) }
  }

  @Test("eight of one name, with names and key identifiers of 60,000 bytes in all, are as quick")
  func largeNames() throws {
    let name = String(repeating: "x", count: 18_000)
    let identifier = [UInt8](repeating: 1, count: 12_000)
    let own = Self.own(identifier)
    let authority = Self.authority(identifier)
    let crowd = try (1...8).map { number in
      try Self.certificate(
        issuer: Self.name(name), subject: name, key: Self.key(of: 10, last: number), serial: number,
        [Self.isCA, own, authority])
    }
    let leaf = try Self.certificate(
      issuer: Self.name(name), subject: "Leaf", key: Self.key(of: 10, last: 0), serial: 9, [authority])
    expectQuickly(.chainTooComplex) { _ = try verifier(crowd).verify(leaf, at: now) }
  }

  @Test("thousands of names under hundreds of constraints are not compared before somebody has signed them")
  func names() throws {
    let key = try PrivateKey.generate(.ed25519).publicKey.der
    let excluded = (0..<512).flatMap { _ in
      DERWriter.sequence(DERWriter.element(DERElement.primitive(2), Array("zzz.zzz".utf8)))
    }
    let constraints = Self.extension(
      30, DERWriter.sequence(DERWriter.element(DERElement.constructed(1), excluded)), isCritical: true)
    let wildcards = (0..<6500).flatMap { _ in DERWriter.element(DERElement.primitive(2), Array("*.a.b".utf8)) }
    let names = Self.extension(17, DERWriter.sequence(wildcards))
    let digitalSignature = Self.extension(15, DERWriter.element(DERElement.bitString, [7, 0x80]), isCritical: true)
    let codeSigning = Self.extension(
      37, DERWriter.sequence(DERWriter.element(DERElement.objectIdentifier, OID.codeSigning.content)))
    let certificateSigning = Self.extension(15, DERWriter.element(DERElement.bitString, [2, 4]), isCritical: true)
    var issuer = root.subject.der
    var identifier = try #require(root.fields.extensions.subjectKeyIdentifier)
    var chain: [Certificate] = []
    for (number, name) in zip(1..., ["A", "B", "C", "D", "E", "F", "G"]) {
      chain.append(
        try Self.certificate(
          issuer: issuer, subject: name, key: key, serial: number,
          [Self.isCA, certificateSigning, Self.own([1]), Self.authority(identifier), constraints, names]))
      issuer = Self.name(name)
      identifier = [1]
    }
    let leaf = try Self.certificate(
      issuer: issuer, subject: "Leaf", key: key, serial: 9,
      [digitalSignature, codeSigning, Self.authority([1]), names])
    expectQuickly(.chainSignature) { _ = try verifier(chain).verify(leaf, at: now) }
  }

  // MARK: Certificates without a signature

  private static let isCA = Self.extension(19, [0x30, 3, 1, 1, 0xff], isCritical: true)

  private static func own(_ identifier: [UInt8]) -> [UInt8] {
    Self.extension(14, DERWriter.element(DERElement.octetString, identifier))
  }

  private static func authority(_ identifier: [UInt8]) -> [UInt8] {
    Self.extension(35, DERWriter.sequence(DERWriter.element(DERElement.primitive(0), identifier)))
  }

  private static func `extension`(_ number: UInt8, _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
    DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, OID.directory(29, number).content),
      isCritical ? [DERElement.boolean, 1, 0xff] : [], DERWriter.element(DERElement.octetString, value))
  }

  private static func key(of size: Int, last: Int) -> [UInt8] {
    DERWriter.sequence(
      DERWriter.sequence(DERWriter.element(DERElement.objectIdentifier, [0x2a, 3, 4])),
      DERWriter.bitString([UInt8](repeating: 7, count: size) + [UInt8(last)]))
  }

  private static func name(_ text: String) -> [UInt8] {
    let pair = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, OID.commonName.content),
      DERWriter.element(DERElement.utf8String, Array(text.utf8)))
    return DERWriter.sequence(DERWriter.element(DERElement.set, pair))
  }

  private static func certificate(
    issuer: [UInt8], subject: String, key: [UInt8], serial: Int, _ extensions: [[UInt8]]
  ) throws -> Certificate {
    let algorithm = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, [0x2b, 0x65, 0x70]))
    let times = ["200101000000Z", "400101000000Z"].map { DERWriter.element(DERElement.utcTime, Array($0.utf8)) }
    let list = DERWriter.element(DERElement.sequence, extensions.flatMap { $0 })
    let fields: [[UInt8]] = [
      DERWriter.element(DERElement.constructed(0), [DERElement.integer, 1, 2]),
      DERWriter.element(DERElement.integer, [UInt8(serial)]), algorithm, issuer,
      DERWriter.element(DERElement.sequence, times.flatMap { $0 }), name(subject), key,
      extensions.isEmpty ? [] : DERWriter.element(DERElement.constructed(3), list),
    ]
    let body = DERWriter.element(DERElement.sequence, fields.flatMap { $0 })
    return try Certificate(
      der: DERWriter.sequence(body, algorithm, DERWriter.bitString([UInt8](repeating: 1, count: 64))))
  }
}
