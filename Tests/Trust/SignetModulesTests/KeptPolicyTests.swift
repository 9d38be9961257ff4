import Foundation
import SignetBase
import SignetKeys
import SignetModules
import SignetSigning
import SignetVerify
import TestSupport
import Testing

/// A policy that its owner signs, and that programs take from anywhere.
@Suite("a policy that travels") struct KeptPolicyTests {
  private let folder: TemporaryFolder
  private let owner: PrivateKey
  private let kept: KeptPolicy
  private let identifier: ModuleIdentifier
  private static let now = UnixTime(seconds: 1_800_000_000)

  init() throws {
    folder = try TemporaryFolder()
    owner = try PrivateKey.generate(.ed25519)
    identifier = try #require(ModuleIdentifier("com.example.policy"))
    kept = KeptPolicy(
      at: folder.path + "/kept", identifier, by: try TrustPolicy(trusting: [owner.publicKey]),
      clock: .fixed(Self.now))
  }

  /// A policy that trusts some keys, and the owner's signature.
  private func version(
    _ sequence: Int, keys: Int = 1, by signer: PrivateKey? = nil, for other: ModuleIdentifier? = nil
  ) throws -> (text: [UInt8], bundle: [UInt8]) {
    let policy = try TrustPolicy(trusting: (0..<keys).map { _ in try PrivateKey.generate(.ed25519).publicKey })
    let text = try policy.canonicalBytes()
    let claims = try Signer.HostManifestClaims(
      name: "trust.json", identifier: other ?? identifier, sequence: sequence, signedAt: Self.now)
    return (text, try Signer(signer ?? owner).sign(.bytes(text), claims).canonicalBytes())
  }

  private func signature(_ sequence: Int, of text: [UInt8]) throws -> [UInt8] {
    let claims = try Signer.HostManifestClaims(
      name: "trust.json", identifier: identifier, sequence: sequence, signedAt: Self.now)
    return try Signer(owner).sign(.bytes(text), claims).canonicalBytes()
  }

  private func codes(_ body: () throws -> Void) -> [SignetError.Code] {
    do { try body() } catch let refusal as Refusal { return refusal.reasons.map(\.code) } catch let error
      as SignetError
    {
      return [error.code]
    } catch { return [] }
    return []
  }

  @Test("the highest version is kept, and older ones and others of its number are refused")
  func versions() throws {
    #expect(try kept.read() == nil)
    let (first, second) = (try version(3), try version(4, keys: 2))
    let taken = try kept.take(first.text, signedBy: [first.bundle])
    #expect(try kept.read() == taken && taken.entries.count == 1)
    #expect(try kept.take(second.text, signedBy: [second.bundle]).entries.count == 2)
    let before = try folder.read("kept")
    #expect(codes { _ = try kept.take(first.text, signedBy: [first.bundle]) } == [.policyRollback])
    let other = try version(4)
    #expect(codes { _ = try kept.take(other.text, signedBy: [other.bundle]) } == [.policyRollback])
    // The same text with a higher number raises the floor, and an old signature beside it does not lower it.
    let again = try signature(9, of: second.text)
    #expect(try kept.take(second.text, signedBy: [second.bundle, again]).entries.count == 2)
    let between = try version(8)
    #expect(codes { _ = try kept.take(between.text, signedBy: [between.bundle]) } == [.policyRollback])
    _ = try folder.write("kept", before)
    // The same again is nothing new.
    #expect(try kept.take(second.text, signedBy: [second.bundle]).entries.count == 2)
    #expect(try folder.read("kept") == before && folder.listing() == ["kept"])
  }

  @Test("what is not the owner's, or of another policy, or no policy, is refused and leaves the file")
  func foreign() throws {
    let good = try version(1)
    _ = try kept.take(good.text, signedBy: [good.bundle])
    let before = try folder.read("kept")
    let stranger = try version(9, by: .generate(.ed25519))
    #expect(codes { _ = try kept.take(stranger.text, signedBy: [stranger.bundle]) } == [.signerUntrusted])
    let other = try version(9, for: ModuleIdentifier("com.example.other"))
    #expect(codes { _ = try kept.take(other.text, signedBy: [other.bundle]) } == [.manifestIdentifierMismatch])
    let (one, two) = (try version(9), try version(9))
    #expect(codes { _ = try kept.take(one.text, signedBy: [two.bundle]) } == [.digestMismatch])
    #expect(codes { _ = try kept.take(one.text, signedBy: []) } == [.signatureMissing])
    let claims = try Signer.HostManifestClaims(
      name: "trust.json", identifier: identifier, sequence: 9, signedAt: Self.now)
    let junk = Array("{}".utf8)
    let bundle = try Signer(owner).sign(.bytes(junk), claims).canonicalBytes()
    #expect(codes { _ = try kept.take(junk, signedBy: [bundle]) } == [.policyMalformed])
    #expect(try folder.read("kept") == before)
    // A file of which a part is missing is not as if there were none.
    try folder.write("kept", Array(before.dropLast(9)))
    #expect(codes { _ = try kept.read() } == [.policyMalformed])
    let next = try version(2)
    #expect(codes { _ = try kept.take(next.text, signedBy: [next.bundle]) } == [.policyMalformed])
  }
}
