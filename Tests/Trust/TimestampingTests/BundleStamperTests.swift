import Foundation
import SignetBase
import SignetCMS
import SignetCrypto
import SignetSigning
import SignetSystem
import SignetVerify
import TestSupport
import Testing

@testable import Timestamping

/// Signatures that are stamped by openssl's authority, or by one that fails.
@Suite("stamped bundles", .enabled(if: Program.find("openssl") != nil, "needs openssl"))
struct BundleStamperTests {
  private let clock: OpenSSLClock
  private let bundle: SigstoreBundle

  init() throws {
    clock = try OpenSSLClock()
    let key = try PrivateKey.generate(.ed25519)
    bundle = try Signer(key).sign(.bytes([1, 2, 3]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0)))
  }

  /// The way to authorities that do what a test says.
  private struct Service: TimestampService {
    let reply: @Sendable (_ request: [UInt8], _ address: String) throws(SignetError) -> [UInt8]

    func shown(_ address: String) -> String { address }

    func answer(to request: [UInt8], at address: String) throws(SignetError) -> [UInt8] {
      try reply(request, address)
    }
  }

  private func stamper(
    _ addresses: [String], trusting authorities: [TimestampAuthority] = [],
    _ change: @escaping @Sendable (_ answer: [UInt8], _ address: String) throws(SignetError) -> [UInt8] = {
      answer, _ in
      answer
    }
  ) -> BundleStamper {
    BundleStamper(
      addresses, trusting: authorities,
      by: Service { [clock] (request, address) throws(SignetError) in
        guard let answer = try? clock.answer(to: request) else {
          throw SignetError(.timestampUnavailable, address, "has given no answer")
        }
        return try change(answer, address)
      })
  }

  private func now() -> UnixTime { UnixTime(seconds: Int64(Date().timeIntervalSince1970)) }

  @Test("a bundle gets a token over the bytes of its signature, and nothing else of it changes")
  func honest() throws {
    let stamped = try stamper(["a"]).stamp(bundle, "a.sigstore.json", clock: now)
    #expect(stamped.authority == "CN=Clock")
    #expect(stamped.bundle.timestamps.count == 1)
    #expect(stamped.bundle.envelope.signature == bundle.envelope.signature)
    #expect(stamped.bundle.envelope.payload == bundle.envelope.payload)
    #expect(stamped.bundle.material == bundle.material)
    let token = try TimestampToken(der: stamped.bundle.timestamps[0])
    #expect(token.info.imprint == (try Digest.of(bundle.envelope.signature, .sha256)))
    // Another one does not take the place of the first.
    let twice = try stamper(["a"]).stamp(stamped.bundle, "a.sigstore.json", clock: now).bundle
    #expect(twice.timestamps.count == 2 && twice.timestamps[0] == stamped.bundle.timestamps[0])
    #expect(try SigstoreBundle(json: twice.canonicalBytes()).timestamps == twice.timestamps)
  }

  @Test("the next authority is asked where one fails, lies or is not trusted, and each is told if all do")
  func next() throws {
    let asked = Log()
    let some = stamper(["down", "junk", "good"]) { (answer, address) throws(SignetError) in
      asked.add(address)
      switch address {
      case "down": throw SignetError(.timestampUnavailable, address, "has given no answer")
      case "junk": return [1, 2, 3]
      default: return answer
      }
    }
    #expect(try some.stamp(bundle, "b", clock: now).bundle.timestamps.count == 1)
    #expect(asked.entries == ["down", "junk", "good"])
    let stranger = try #require(
      TimestampAuthority(Certificate.all(in: SecretBytes(OpenSSLClock("Other").folder.read("ca.pem")))))
    do {
      _ = try stamper(["one", "two"], trusting: [stranger]).stamp(bundle, "b", clock: now)
      Issue.record("a stranger's token was kept")
    } catch {
      #expect(error.code == .timestampUnavailable)
      let found = error.found ?? ""
      #expect(found.hasPrefix("one: ") && found.contains("; two: "), "\(found)")
      #expect(found.contains("chain.untrusted") || found.contains("timestamp.authority"), "\(found)")
    }
  }

  @Test("more timestamps than a reader takes are not added")
  func many() throws {
    var full = bundle
    let stamped = try stamper(["a"]).stamp(bundle, "b", clock: now).bundle
    while full.timestamps.count < 32 { full = full.adding(timestamp: stamped.timestamps[0]) }
    do {
      _ = try stamper(["a"]).stamp(full, "b", clock: now)
      Issue.record("a bundle was made that cannot be read")
    } catch {
      #expect(error.code == .timestampUnavailable)
      #expect(error.found?.contains("signature.malformed") == true, "\(error)")
    }
  }

  /// What happened, in order.
  private final class Log: @unchecked Sendable {
    // Sendable: the stamper asks one authority after the other, on the thread of the test.
    private(set) var entries: [String] = []
    func add(_ entry: String) { entries.append(entry) }
  }
}
