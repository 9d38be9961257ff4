import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import Signet

/// Every folder below `Tests/Vectors/policies`: one policy, one fault, one code. A new case needs no code.
@Suite struct PolicyVectorTests {
  static let folder = "Tests/Vectors/policies"
  static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: Repository.root + "/" + folder))?
    .filter { !$0.contains(".") }.sorted() ?? []

  @Test("the policy is judged as its folder says", arguments: names)
  func vector(name: String) throws {
    let text = try Repository.bytes("\(Self.folder)/\(name)/policy.json")
    let first = try #require(try Repository.text("\(Self.folder)/\(name)/expected").split(separator: "\n").first)
    let expected = first.split(separator: " ").map(String.init)
    do throws(SignetError) {
      let policy = try TrustPolicy(json: text, allowsTestKeys: true)
      #expect(expected == ["sound"])
      let canonical = try policy.canonicalBytes()
      #expect(try TrustPolicy(json: canonical, allowsTestKeys: true) == policy)
      #expect(try TrustPolicy(json: canonical, allowsTestKeys: true).canonicalBytes() == canonical)
    } catch {
      #expect(error.code.rawValue == expected[0], "\(error)")
      if expected.count > 1 {
        let place = expected[1].split(separator: ":")
        #expect(error.object.hasPrefix("line \(place[0]), column \(place[1])"), "\(error)")
      }
    }
  }

  @Test("there are vectors, and every complaint says line and column")
  func some() throws {
    #expect(Self.names.count > 60)
    for name in Self.names where !name.hasPrefix("sound-") {
      let text = try Repository.bytes("\(Self.folder)/\(name)/policy.json")
      do throws(SignetError) {
        _ = try TrustPolicy(json: text, allowsTestKeys: true)
      } catch {
        #expect(error.object.hasPrefix("line "), "\(name): \(error)")
      }
    }
  }

  @Test("test keys are refused in policies unless they are allowed")
  func testKeys() throws {
    let text = try Repository.bytes("\(Self.folder)/sound-key/policy.json")
    do {
      _ = try TrustPolicy(json: text)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .policyTestKey)
      #expect(error.object.hasPrefix("line 4, column 3, policy.entries[0]: "), "\(error)")
    }
  }
}
