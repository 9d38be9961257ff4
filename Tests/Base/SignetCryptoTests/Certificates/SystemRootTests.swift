import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

/// Mozilla's roots, as Debian's package ca-certificates has them: what honest authorities have made over thirty years.
enum SystemRoots {
  static let folder = "/usr/share/ca-certificates/mozilla"
  static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".crt") }.sorted()

  static func root(_ name: String) throws -> Certificate {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    return try #require(try Certificate.all(in: SecretBytes(Array(bytes))).first)
  }

  /// What is wrong with a root as an issuer, at a time at which it is valid.
  static func objection(to root: Certificate, isAnchor: Bool) -> SignetError.Code? {
    let rules = CertificateRules(purpose: .codeSigning, leastRSABits: 3072, time: root.notBefore)
    return rules.objection(to: root, .issuer, isAnchor: isAnchor)?.code
  }

  /// The roots that may not issue here although a policy pins them, and why. Not all are in every release.
  static let refused: [String: SignetError.Code] = [
    // basicConstraints that are not critical.
    "Go_Daddy_Class_2_CA.crt": .chainNotACA, "Starfield_Class_2_CA.crt": .chainNotACA,
    "ePKI_Root_Certification_Authority.crt": .chainNotACA,
    // No subject key identifier.
    "Hongkong_Post_Root_CA_1.crt": .chainMalformed, "TWCA_Global_Root_CA.crt": .chainMalformed,
    // RSA with the exponent 3.
    "NetLock_Arany_=Class_Gold=_Főtanúsítvány.crt": .chainWeakKey,
  ]
}

@Suite(.enabled(if: !SystemRoots.names.isEmpty, "ca-certificates is not installed")) struct SystemRootTests {
  @Test("each is read, and may issue as an anchor unless it is known why not")
  func anchors() throws {
    #expect(SystemRoots.names.count > 100)
    for name in SystemRoots.names {
      let code = SystemRoots.objection(to: try SystemRoots.root(name), isAnchor: true)
      #expect(code == SystemRoots.refused[name], "\(name)")
    }
  }

  @Test(
    "those with an oddity that anchors may have are none as intermediates",
    arguments: [
      ("Trustwave_Global_ECC_P256_Certification_Authority.crt", SignetError.Code.chainMalformed),
      ("Starfield_Root_Certificate_Authority_-_G2.crt", .chainSerial),
      ("Go_Daddy_Root_Certificate_Authority_-_G2.crt", .chainSerial),
    ].filter { SystemRoots.names.contains($0.0) })
  func intermediates(name: String, code: SignetError.Code) throws {
    let root = try SystemRoots.root(name)
    #expect(SystemRoots.objection(to: root, isAnchor: true) == nil)
    #expect(SystemRoots.objection(to: root, isAnchor: false) == code)
  }
}
