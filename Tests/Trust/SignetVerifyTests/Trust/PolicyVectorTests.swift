import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// Every case of `Tests/Vectors/policies`: one policy, one fault, one code. A new case needs no code.
@Suite struct PolicyVectorTests {
  static func vectors() throws -> [Vector] { try Vector.all(in: "policies") }

  @Test("the policy is judged as its case says", arguments: try vectors())
  func vector(_ vector: Vector) throws {
    let text = try vector.bytes("policy.json")
    let expected = vector.expected
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
    let vectors = try Self.vectors()
    #expect(vectors.count > 60)
    for vector in vectors where !vector.name.hasPrefix("sound-") {
      let text = try vector.bytes("policy.json")
      do throws(SignetError) {
        _ = try TrustPolicy(json: text, allowsTestKeys: true)
      } catch {
        #expect(error.object.hasPrefix("line "), "\(vector.name): \(error)")
      }
    }
  }

  @Test("test keys are refused in policies unless they are allowed")
  func testKeys() throws {
    let text = try Vector.named("sound-key", in: "policies").bytes("policy.json")
    do {
      _ = try TrustPolicy(json: text)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .policyTestKey)
      #expect(error.object.hasPrefix("line 4, column 3, policy.entries[0]: "), "\(error)")
    }
  }
}
