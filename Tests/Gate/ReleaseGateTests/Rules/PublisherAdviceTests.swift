import Foundation
import Signet
import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct PublisherAdviceTests {
  /// The areas of codes that no verification of a release's artifact is refused with. They end the gate, or are about
  /// what it never does: it signs and fetches nothing, reads no host's manifest, no models and no sources, and makes no archive.
  private static let otherAreas: Set = [
    "authority", "base64", "continuity", "crypto", "elf", "extraction", "fetch", "file", "json", "key", "lineage",
    "manifest",
    "model",
    "output", "packing",
    "signing", "source",
  ]
  /// The codes about a policy that cannot be read, which ends the gate.
  private static let unreadablePolicies: Set<SignetError.Code> = [
    .policyTestKey, .policyWeakKey, .policyMalformed, .policyUnknownField, .policyVersion, .policyEntry,
    .policyDuplicate, .policyPinMismatch,
  ]

  /// Every code of the targets below the gate, as their sources declare it.
  private static func codes() throws -> [SignetError.Code] {
    let declaration = try Regex(#"static let \w+ = Self\("([a-z0-9.-]+)", \.\w+\)"#, as: (Substring, Substring).self)
    return try ["Base", "Archives", "Binaries", "Trust"].flatMap { room in
      let folder = Repository.root + "/Sources/" + room
      let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
      return try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
        let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        return text.matches(of: declaration).map { SignetError.Code(String($0.output.1)) }
      }
    }
  }

  @Test("every code with which an artifact can be refused has a hint for the publisher")
  func complete() throws {
    let codes = try Self.codes()
    #expect(codes.count > 150)
    for code in codes {
      let area = String(code.rawValue.prefix { $0 != "." })
      let isMet = !Self.otherAreas.contains(area) && !Self.unreadablePolicies.contains(code)
      #expect((PublisherAdvice.hint(for: code) != nil) == isMet, "\(code)")
    }
  }

  @Test("no hint sends the publisher to the publisher, or around the refusal")
  func direction() throws {
    for hint in try Self.codes().compactMap(PublisherAdvice.hint) + [PublisherAdvice.general] {
      for word in ["the publisher", "--force", "--each", "exclude", "leave it out", "add "] {
        #expect(!hint.contains(word), "\(hint)")
      }
    }
  }

  @Test("what is missing is a bundle beside the artifact, because the gate takes none from elsewhere")
  func missing() {
    let reason = SignetError(.signatureMissing, "tool", "has no signature", expected: "or one that is named")
    #expect(PublisherAdvice.advised(reason).expected == "a Sigstore bundle beside it")
  }
}
