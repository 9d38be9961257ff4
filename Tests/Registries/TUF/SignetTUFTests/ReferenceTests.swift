import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetTUF

/// What python-tuf says: `Tests/Vectors/tuf/python-tuf.json`.
@Suite struct ReferenceTests {
  private struct Answers: Decodable {
    struct Bin: Decodable {
      let path: String
      let bits: Int
      let name: String
    }
    struct Prefix: Decodable {
      let path: String
      let prefixes: [String]
      let matches: Bool
    }
    struct Pattern: Decodable {
      let path: String
      let pattern: String
      let matches: Bool
    }
    struct Canonical: Decodable {
      let json: String
      let utf8: String
    }
    let bins: [Bin]
    let prefixes: [Prefix]
    let patterns: [Pattern]
    let canonical: [Canonical]
  }

  private static func answers() throws -> Answers {
    try JSONDecoder().decode(Answers.self, from: Data(Repository.bytes("Tests/Vectors/tuf/python-tuf.json")))
  }

  private static let keys = KeyThreshold(keyIDs: [], threshold: 1)

  @Test("paths are in the bins of python-tuf, and a bin is known by its name")
  func bins() throws {
    for answer in try Self.answers().bins {
      let roles = SuccinctRoles(keys: Self.keys, bitLength: answer.bits, namePrefix: "bin")
      #expect(
        roles.name(of: roles.bin(of: try TargetPath(answer.path))) == answer.name, "\(answer.path) \(answer.bits)")
      let delegations = Delegations(keys: KeyRing(), roles: .succinct(roles))
      #expect(delegations.authority(of: answer.name) != nil)
      #expect(delegations.authority(of: answer.name + "0") == nil)
      #expect(delegations.authority(of: answer.name.uppercased()) == nil)
    }
  }

  @Test("hash prefixes match as in python-tuf")
  func prefixes() throws {
    for answer in try Self.answers().prefixes {
      let role = DelegatedRole(name: "role", keys: Self.keys, scope: .hashPrefixes(answer.prefixes))
      #expect(role.covers(try TargetPath(answer.path)) == answer.matches, "\(answer.path) \(answer.prefixes)")
    }
  }

  @Test("patterns match as in python-tuf")
  func patterns() throws {
    for answer in try Self.answers().patterns {
      #expect(
        TargetPattern(answer.pattern).matches(try TargetPath(answer.path)) == answer.matches,
        "\(answer.pattern) \(answer.path)")
    }
  }

  @Test("canonical JSON is that of securesystemslib")
  func canonical() throws {
    for answer in try Self.answers().canonical {
      let value = try JSONReader.read(Array(answer.json.utf8), limits: .payload)
      #expect(Hexadecimal.encode(try OLPCJSON.encode(value)) == answer.utf8, "\(answer.json)")
    }
  }
}
