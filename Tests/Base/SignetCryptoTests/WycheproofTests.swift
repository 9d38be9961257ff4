import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

/// Every signature vector of Project Wycheproof for the algorithms Signet verifies.
@Suite struct WycheproofTests {
  struct File: Decodable {
    struct Group: Decodable {
      struct Case: Decodable {
        let tcId: Int
        let comment: String
        let flags: [String]
        let msg: String
        let sig: String
        let result: String
      }
      let publicKeyDer: String
      let tests: [Case]
    }
    let numberOfTests: Int
    let testGroups: [Group]
  }

  /// Groups whose key is refused before a signature is looked at, each with its reason. Their cases count as refused.
  static let unsafeKeys = [
    "rsa_signature_2048_sha256_test": "has the RSA exponent 3, below 65537",
    "rsa_signature_3072_sha256_test": "has the RSA exponent 3, below 65537",
  ]

  @Test(
    "every Wycheproof case has the verdict it must have",
    arguments: [
      "ed25519_test", "rsa_signature_2048_sha256_test", "rsa_signature_3072_sha256_test",
      "rsa_signature_4096_sha256_test", "ecdsa_secp256r1_sha256_test", "ecdsa_secp384r1_sha384_test",
      "ecdsa_secp521r1_sha512_test",
    ])
  func vectors(name: String) throws {
    let file = try JSONDecoder().decode(
      File.self, from: Data(try Repository.bytes("Tests/Vectors/wycheproof/\(name).json")))
    var seen = 0
    for group in file.testGroups {
      seen += group.tests.count
      let der = try #require(Hexadecimal.decode(group.publicKeyDer))
      let key: PublicKey
      do throws(SignetError) {
        key = try PublicKey(der: der)
      } catch {
        #expect(error.code == .keyInsecure)
        #expect(error.message == Self.unsafeKeys[name])
        continue
      }
      for test in group.tests {
        let signature = try #require(Hexadecimal.decode(test.sig))
        let check = key.verify(signature, over: try #require(Hexadecimal.decode(test.msg)))
        // "acceptable" is the missing NULL of the hash's parameters, which RFC 8017 tells signers never to leave out.
        let expected = test.result == "valid"
        switch check {
        case .valid: #expect(expected, "\(name) \(test.tcId): \(test.comment)")
        case .invalid: #expect(!expected, "\(name) \(test.tcId): \(test.comment)")
        case .couldNotCheck(let error): Issue.record("\(name) \(test.tcId): \(error)")
        }
      }
    }
    #expect(seen == file.numberOfTests)
  }

  @Test(
    "every Wycheproof case of RSASSA-PSS has the verdict it must have, with salt of any length",
    arguments: ["2048_sha256_mgf1_0", "2048_sha256_mgf1_32", "3072_sha256_mgf1_32", "4096_sha256_mgf1_32"])
  func pss(name: String) throws {
    let file = try JSONDecoder().decode(
      File.self, from: Data(try Repository.bytes("Tests/Vectors/wycheproof/rsa_pss_\(name)_test.json")))
    var seen = 0
    for group in file.testGroups {
      let key = try PublicKey(der: try #require(Hexadecimal.decode(group.publicKeyDer)))
      for test in group.tests {
        seen += 1
        let signature = try #require(Hexadecimal.decode(test.sig))
        let isValid = try key.verifyPSS(signature, over: try #require(Hexadecimal.decode(test.msg)))
        // The file is of one length of salt; here all of them are.
        let expected = test.result == "valid" || test.comment.hasPrefix("s_len changed to")
        #expect(isValid == expected, "\(name) \(test.tcId): \(test.comment)")
      }
    }
    #expect(seen == file.numberOfTests)
  }
}
