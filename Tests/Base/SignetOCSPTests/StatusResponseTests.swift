import Foundation
import Keyless
import SignetBase
import SignetCrypto
import SignetModules
import SignetOCSP
import SignetSystem
import SignetVerify
import TestSupport
import Testing

/// What responders say of a certificate, and who may say it.
@Suite("OCSP responses") struct StatusResponseTests {
  private let responder: Responder
  private let now: UnixTime

  init() throws {
    responder = try Responder()
    now = SystemTime.now()
  }

  private func later(_ days: Int64) -> UnixTime { UnixTime(seconds: now.seconds + days * 86_400) }

  @Test(
    "the issuer itself and whom it has certified for it say that a certificate is good", arguments: ["ca", "good"])
  func good(_ signer: String) throws {
    #expect(try responder.check(responder.answer(.good, by: signer), at: now))
    #expect(try responder.check(responder.answer(.good, by: signer, "-ndays 7 -resp_key_id"), at: now))
    #expect(try responder.check(at: now) == false)
  }

  @Test("a revoked certificate is refused with time, reason and response, from the time of the revocation on")
  func revoked() throws {
    let answer = try responder.answer(.revoked(at: later(2), "superseded"))
    let error = try #require(throws: SignetError.self) { _ = try responder.check(answer, at: later(2)) }
    #expect(error.code == .chainRevoked)
    #expect(error.found?.hasPrefix("revoked at \(later(2)), reason: superseded, by the OCSP response of ") == true)
    // One that is announced says nothing before.
    #expect(try !responder.check(answer, at: UnixTime(seconds: later(2).seconds - 1)))
    // Who has the key signs for any time, as long as nobody proves it.
    let stolen = try responder.answer(.revoked(at: later(2), "keyCompromise"))
    expectError(.chainRevoked) { _ = try responder.check(stolen, at: now) }
    // What another one says does not take it back, in whatever order.
    let good = try responder.answer(.good)
    expectError(.chainRevoked) { _ = try responder.check(good, answer, at: later(3)) }
    expectError(.chainRevoked) { _ = try responder.check(answer, good, at: later(3)) }
  }

  @Test("nobody else speaks for the issuer")
  func responders() throws {
    expectError(.statusResponder) { _ = try responder.check(responder.answer(.good, by: "plain"), at: now) }
    expectError(.statusResponder) { _ = try responder.check(responder.answer(.good, by: "above"), at: now) }
    // The certificate is not in the response.
    expectError(.statusResponder) {
      _ = try responder.check(responder.answer(.good, "-ndays 7 -resp_no_certs"), at: now)
    }
  }

  @Test("an answer that is out of date, has no end or knows nothing decides nothing, and refuses")
  func undecided() throws {
    let short = try responder.answer(.good, "-nmin 1")
    expectError(.statusExpired) { _ = try responder.check(short, at: later(1)) }
    let current = try responder.answer(.good)
    #expect(try responder.check(short, current, at: later(1)))
    #expect(try responder.check(current, short, at: later(1)))
    // It is good up to its last second. With a clock that was set back, the certificate is not valid yet.
    let end = try #require(StatusResponse(der: current).statements.first?.nextUpdate)
    #expect(try responder.check(current, at: end))
    expectError(.statusExpired) { _ = try responder.check(current, at: UnixTime(seconds: end.seconds + 1)) }
    expectError(.chainNotYetValid) { _ = try responder.check(current, at: UnixTime(seconds: now.seconds - 3_600)) }
    let endless = try responder.answer(.good, "")
    expectError(.statusUnsupported) { _ = try responder.check(endless, at: now) }
    expectError(.statusUnsupported) { _ = try responder.check(endless, current, at: now) }
    let unknown = try responder.answer(.nothing)
    expectError(.statusUnknown) { _ = try responder.check(unknown, at: now) }
    expectError(.statusUnknown) { _ = try responder.check(current, unknown, at: now) }
  }

  @Test("a response that says two things of a certificate revokes it, in whatever order")
  func contradicting() throws {
    let (good, revoked) = (try responder.answer(.good), try responder.answer(.revoked(at: now, "superseded")))
    #expect(try responder.check(responder.joined(good), at: now))
    expectError(.chainRevoked) { _ = try responder.check(responder.joined(good, revoked), at: now) }
    expectError(.chainRevoked) { _ = try responder.check(responder.joined(revoked, good), at: now) }
    let unknown = try responder.answer(.nothing)
    expectError(.statusUnknown) { _ = try responder.check(responder.joined(good, unknown), at: now) }
  }

  @Test("a policy with responses is written as it was read, and nobody who cannot apply them reads it")
  func policies() throws {
    let answer = try responder.answer(.good)
    var terms = TrustPolicy.Terms()
    terms.statusResponses = try .ocsp([answer])
    let entry = try TrustEntry("team", .anyLeaf(of: [responder.root]), scope: .everything)
    let policy = try TrustPolicy(entries: [entry], terms: terms)
    let text = try policy.canonicalBytes()
    let read = try TrustPolicy(json: text, with: .all)
    #expect(read == policy && read.statusResponses.responses == [answer])
    #expect(read != (try TrustPolicy(entries: [entry])))
    expectError(.policyUnknownField) { _ = try TrustPolicy(json: text) }
    expectError(.policyUnknownField) { _ = try TrustPolicy(json: text, with: [.sigstore, .timestamps]) }
    let junk = String(decoding: text, as: UTF8.self).replacing(
      Base64.encode(answer), with: Base64.encode([0x30, 0x00]))
    expectError(.statusMalformed) { _ = try TrustPolicy(json: Array(junk.utf8), with: .all) }
    #expect(read.advice(at: now).filter { $0.topic == "expiry" && $0.entry == nil } == [])
    #expect(read.advice(at: later(8)).map(\.topic).contains("expiry"))
  }

  @Test("what has changed on its way is refused, at every byte, and what is cut off cannot be read")
  func damaged() throws {
    let answer = try responder.answer(.good, by: "ca", "-ndays 7 -resp_no_certs")
    for index in answer.indices {
      var changed = answer
      changed[index] ^= 0x01
      do { if try !responder.check(changed, at: now) { continue } } catch let error as SignetError {
        let codes: Set<SignetError.Code> = [
          .statusMalformed, .statusUnsupported, .statusRejected, .statusResponder, .statusSignature,
        ]
        #expect(codes.contains(error.code), "byte \(index): \(error)")
        continue
      }
      Issue.record("byte \(index) does not matter")
    }
    for count in answer.indices {
      expectError(.statusMalformed) { _ = try StatusResponse(der: Array(answer.prefix(count))) }
    }
    expectError(.statusMalformed) { _ = try StatusResponse(der: answer + [0]) }
    // tryLater (RFC 6960, section 4.2.1)
    expectError(.statusRejected) { _ = try StatusResponse(der: [0x30, 0x03, 0x0a, 0x01, 0x03]) }
  }
}
