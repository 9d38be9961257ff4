import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetKeys

/// What is refused before OpenSSL reads it.
@Suite struct PrivateKeyStructureTests {
  private static let p256 = DERWriter.element(
    DERElement.objectIdentifier, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07])
  private static let secp256k1 = DERWriter.element(DERElement.objectIdentifier, [0x2b, 0x81, 0x04, 0x00, 0x0a])

  private static func ec(_ bytes: Int, curve: [UInt8]?) -> [UInt8] {
    DERWriter.sequence(
      [2, 1, 1], DERWriter.element(DERElement.octetString, [UInt8](repeating: 1, count: bytes)),
      curve.map { DERWriter.element(DERElement.constructed(0), $0) } ?? [])
  }

  private static func check(_ der: [UInt8], _ form: KeyForm) throws {
    try PrivateKeyStructure.check(SecretBytes(der), form)
  }

  @Test("a key in the form of SEC 1 names one of the curves, and has a number that fits it")
  func ellipticCurves() throws {
    try Self.check(Self.ec(32, curve: Self.p256), .ec)
    try Self.check(Self.ec(66, curve: Self.p256), .ec)
    func refused(_ code: SignetError.Code, _ found: String?, _ der: [UInt8]) {
      #expect(expectError(code) { try Self.check(der, .ec) }?.found == found)
    }
    refused(.keyUnsupported, "another elliptic curve", Self.ec(32, curve: Self.secp256k1))
    refused(.keyUnsupported, "an elliptic curve that is not named", Self.ec(32, curve: nil))
    refused(.keyUnsupported, "a larger elliptic curve", Self.ec(67, curve: Self.p256))
    refused(.keyMalformed, nil, Self.ec(0, curve: Self.p256))
    refused(.keyMalformed, nil, Self.ec(32, curve: Self.p256) + [5, 0])
    refused(.keyMalformed, nil, DERWriter.sequence([2, 1, 1], [5, 0]))
  }

  @Test("a key in the form of PKCS#8 has nothing behind the key of its algorithm")
  func containers() throws {
    func container(_ key: [UInt8], _ algorithm: [UInt8]) -> [UInt8] {
      DERWriter.sequence([2, 1, 0], algorithm, DERWriter.element(DERElement.octetString, key))
    }
    let ed25519 = DERWriter.sequence(DERWriter.element(DERElement.objectIdentifier, [0x2b, 0x65, 0x70]))
    let key = DERWriter.element(DERElement.octetString, [UInt8](repeating: 1, count: 32))
    try Self.check(container(key, ed25519), .pkcs8)
    expectError(.keyMalformed) { try Self.check(container(key + [5, 0], ed25519), .pkcs8) }
    for count in [31, 33] {
      let other = DERWriter.element(DERElement.octetString, [UInt8](repeating: 1, count: count))
      expectError(.keyMalformed) { try Self.check(container(other, ed25519), .pkcs8) }
    }
    // The same bytes under another tag name no algorithm.
    let unnamed = DERWriter.sequence(DERWriter.element(DERElement.octetString, [0x2b, 0x65, 0x70]))
    expectError(.keyMalformed) { try Self.check(container(key, unnamed), .pkcs8) }
    let curve = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]), Self.p256)
    // The curve is named beside the key, and so need not be in it.
    try Self.check(container(Self.ec(32, curve: nil), curve), .pkcs8)
  }
}
