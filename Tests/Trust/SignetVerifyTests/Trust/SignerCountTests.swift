import SignetBase
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct SignerCountTests {
  static let keys = (0..<4).compactMap { _ in try? PrivateKey.generate(.ed25519).publicKey }

  static func signature(_ key: Int, _ units: [SignerUnit]) throws -> CountedSignature {
    let statement = Statement(
      file: "a", digest: try Digest.of([], .sha256),
      FilePredicate(size: 0, fsverity: try FSVerityDigest(of: []), signedAt: UnixTime(seconds: 0)))
    return CountedSignature(
      label: "", signer: FoundSigner(key: keys[key], units: units, path: nil),
      signature: VerifiedSignature(
        key: keys[key], statement: statement, payloadDigest: try Digest.of([], .sha256), entries: [],
        certificatePath: nil, identity: nil), role: .unnamed)
  }

  /// The slow, obvious way: every assignment of keys to signers, or to nobody.
  static func most(_ choices: [[SignerUnit]], _ taken: Set<SignerUnit> = []) -> Int {
    guard let first = choices.first else { return 0 }
    let rest = Array(choices.dropFirst())
    var best = most(rest, taken)
    for unit in first where !taken.contains(unit) { best = max(best, 1 + most(rest, taken.union([unit]))) }
    return best
  }

  @Test("as many signers are counted as any assignment of keys to signers allows")
  func matching() throws {
    let units = [
      SignerUnit(entry: 0, identity: nil), SignerUnit(entry: 1, identity: 0), SignerUnit(entry: 1, identity: 1),
      SignerUnit(entry: 2, identity: nil),
    ]
    // Every set of signers for each of three keys: 16 · 16 · 16 cases.
    let sets = (0..<16).map { bits in units.indices.filter { bits >> $0 & 1 == 1 }.map { units[$0] } }
    for first in sets {
      for second in sets {
        for third in sets {
          let choices = [first, second, third]
          let count = SignerCount(try choices.enumerated().map { try Self.signature($0.offset, $0.element) })
          #expect(count.signers.count == Self.most(choices))
          #expect(count.keys == 3)
        }
      }
    }
  }

  @Test("one key counts once, however many bundles and certificates it comes with")
  func oneKey() throws {
    let units = [SignerUnit(entry: 0, identity: nil), SignerUnit(entry: 1, identity: nil)]
    let count = SignerCount(try units.map { try Self.signature(0, [$0]) })
    #expect(count.signers.count == 1)
    #expect(count.keys == 1)
  }
}
