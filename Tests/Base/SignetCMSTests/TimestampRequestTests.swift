import Foundation
import SignetBase
import SignetCrypto
import SignetNames
import SignetSystem
import TestSupport
import Testing

@testable import SignetCMS

/// Requests for timestamps, which openssl answers.
@Suite("requests for timestamps", .enabled(if: Program.find("openssl") != nil, "needs openssl"))
struct TimestampRequestTests {
  private let clock: OpenSSLClock
  private let content = Array("the bytes of a signature".utf8)

  init() throws { clock = try OpenSSLClock() }

  private func certificates(_ name: String) throws -> [Certificate] {
    try Certificate.all(in: SecretBytes(clock.folder.read(name)))
  }

  private func now(_ seconds: Int64 = 0) -> UnixTime {
    UnixTime(seconds: Int64(Date().timeIntervalSince1970) + seconds)
  }

  @Test(
    "openssl reads a request, and its answer holds: by the certificate in it, or by the authority that is trusted")
  func honest() throws {
    let request = try TimestampRequest(over: content)
    try clock.folder.write("query", request.der)
    let told = try Shell.run("openssl ts -query -in query -text", in: clock.folder.path)
    for line in ["Version: 1", "Hash Algorithm: sha256", "Policy OID: unspecified", "Certificate required: yes"] {
      #expect(told.output.contains(line), "\(told.output)")
    }
    let answer = try clock.answer(to: request.der)
    let (token, authority) = try request.token(in: answer, by: [], at: now())
    #expect(authority.description == "CN=Clock")
    #expect(token.info.policy.description == "1.2.3.4.1")
    for name in ["tsa.pem", "ca.pem"] {
      let trusted = try #require(TimestampAuthority(certificates(name)))
      #expect(try request.token(in: answer, by: [trusted], at: now()).authority.chain == trusted.chain)
    }
    // Each request has a number of its own.
    #expect(try TimestampRequest(over: content).der != request.der)
  }

  @Test("an answer to another request, over other bytes, of another time or by another authority is refused")
  func dishonest() throws {
    let request = try TimestampRequest(over: content)
    let answer = try clock.answer(to: request.der)
    func expect(
      _ code: SignetError.Code, _ request: TimestampRequest, _ answer: [UInt8], _ trusted: [TimestampAuthority] = [],
      at time: UnixTime? = nil
    ) {
      expectError(code) { _ = try request.token(in: answer, by: trusted, at: time ?? now()) }
    }
    expect(.timestampNonce, try TimestampRequest(over: content), answer)
    expect(.timestampImprint, try TimestampRequest(over: content + [0]), answer)
    let time = try TimestampToken(der: answer).info.time.seconds
    for (seconds, isAccepted) in [(300, true), (301, false), (-300, true), (-301, false)] as [(Int64, Bool)] {
      let there = UnixTime(seconds: time + seconds)
      if isAccepted {
        _ = try request.token(in: answer, by: [], at: there)
      } else {
        expect(.timestampOutsideWindow, request, answer, at: there)
      }
    }
    let other = try OpenSSLClock("Other")
    let stranger = try #require(
      TimestampAuthority(Certificate.all(in: SecretBytes(other.folder.read("tsa.pem")))))
    expect(.timestampAuthority, request, answer, [stranger])
    // Without its last field, a request asks for no certificate.
    let short = Array(request.der.dropLast(3))
    let bare = try clock.answer(to: [short[0], short[1] - 3] + short.dropFirst(2))
    expect(.timestampCertificate, request, bare)
    expect(.timestampMalformed, request, [])
    expect(.timestampMalformed, request, Array("<html>".utf8))
    for place in stride(from: 0, to: answer.count, by: 7) {
      var changed = answer
      changed[place] ^= 0x20
      #expect(throws: SignetError.self, "\(place)") {
        let token = try request.token(in: changed, by: [], at: now()).token
        // What no signature covers may change, and the answer is the same.
        if token.info.time.seconds == time { throw SignetError(.timestampImprint, "timestamp", "is the same") }
      }
    }
  }

  @Test("a policy is asked for by its numbers, and no other is taken")
  func policies() throws {
    #expect(TimestampPolicy("1.3.6.1.4.1.13762.3")?.description == "1.3.6.1.4.1.13762.3")
    #expect(TimestampPolicy("2.999.18446744073709551615")?.description == "2.999.18446744073709551615")
    #expect(TimestampPolicy("2.999.72057594037927935")?.description == "2.999.72057594037927935")
    for text in [
      "", "1", "1.", ".1", "1.40.2", "3.1", "1.2.x", "1.02.3", "1.2.-3", "1.2.18446744073709551616", "1. 2",
    ] {
      #expect(TimestampPolicy(text) == nil, "\(text)")
    }
    let own = try #require(TimestampPolicy("1.2.3.4.1"))
    let request = try TimestampRequest(over: content, under: own)
    try clock.folder.write("query", request.der)
    // openssl's configuration may have a name for it.
    let told = try Shell.run("openssl ts -query -in query -text", in: clock.folder.path).output
    #expect(told.contains("Policy OID: ") && !told.contains("unspecified"), "\(told)")
    let answer = try clock.answer(to: request.der)
    #expect(try request.token(in: answer, by: [], at: now()).token.info.policy == own.name)
    // The authority's own choice is not what was asked for.
    var query = request.der
    let place = try #require(query.firstRange(of: [0x2a, 3, 4, 1]))
    query[place.upperBound - 1] = 5
    let other = try TimestampToken(der: clock.answer(to: query))
    #expect(other.info.policy.description == "1.2.3.4.5")
    expectError(.timestampPolicy) { _ = try request.token(in: clock.answer(to: query), by: [], at: now()) }
  }

  @Test("an authority that declines is refused with its reasons")
  func declined() throws {
    let request = try TimestampRequest(over: content)
    // Another digest than those that it takes: the last octet of the algorithm's name.
    var query = request.der
    let place = try #require(query.firstRange(of: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]))
    query[place.upperBound - 1] = 2
    let answer = try clock.answer(to: query)
    do {
      _ = try request.token(in: answer, by: [], at: now())
      Issue.record("it was accepted")
    } catch {
      #expect(error.code == .timestampRejected)
      #expect(error.found?.hasPrefix("2, ") == true && error.found?.contains("bad") == true, "\(error)")
    }
  }
}
