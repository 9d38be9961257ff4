import Testing

@testable import SignetHTTP

/// Addresses by which nobody of a network leads anywhere.
@Suite("addresses of servers") struct NetworkAddressTests {
  private static func six(_ groups: [UInt16]) -> [UInt8] { groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } }

  static let local: [[UInt8]] = [
    [127, 0, 0, 1], [127, 255, 255, 255], [0, 0, 0, 0], [0, 1, 2, 3], [169, 254, 169, 254],
    six([0, 0, 0, 0, 0, 0, 0, 0]), six([0, 0, 0, 0, 0, 0, 0, 1]), six([0xfe80, 0, 0, 0, 0, 0, 0, 1]),
    six([0xfebf, 1, 0, 0, 0, 0, 0, 1]), six([0, 0, 0, 0, 0, 0xffff, 0x7f00, 1]),
    six([0, 0, 0, 0, 0, 0xffff, 0xa9fe, 0xa9fe]), six([0, 0, 0, 0, 0, 0xffff, 0, 0]),
    six([0, 0, 0, 0, 0xffff, 0, 0x7f00, 1]), six([0, 0, 0, 0, 0, 0, 0x7f00, 1]),
    six([0x64, 0xff9b, 0, 0, 0, 0, 0x7f00, 1]), six([0x64, 0xff9b, 1, 0, 0, 0, 0x7f00, 1]),
    six([0x64, 0xff9b, 0, 0, 0, 0, 0xa9fe, 1]), six([0x2002, 0x7f00, 1, 0, 0, 0, 0, 5]),
  ]
  static let network: [[UInt8]] = [
    [10, 0, 0, 1], [192, 168, 1, 1], [172, 16, 0, 1], [100, 64, 0, 1], [203, 0, 113, 9], [169, 253, 1, 1],
    [128, 0, 0, 1], [1, 0, 0, 0],
    six([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1]), six([0xfc00, 0, 0, 0, 0, 0, 0, 1]),
    six([0xfec0, 0, 0, 0, 0, 0, 0, 1]), six([0, 0, 0, 0, 0, 0xffff, 0xcb00, 0x7109]),
    six([0x64, 0xff9b, 0, 0, 0, 0, 0xa00, 1]), six([0x64, 0xff9b, 1, 2, 3, 4, 0xa00, 1]),
    six([0x2002, 0xcb00, 0x7109, 0, 0, 0, 0, 1]), six([0x7f00, 1, 0, 0, 0, 0, 0, 1]),
  ]

  @Test("loopback, unspecified and link-local addresses are local, however they are written", arguments: local)
  func isLocal(_ bytes: [UInt8]) throws { #expect(try #require(NetworkAddress(bytes)).isLocal) }

  @Test("other addresses are of a network, also those that companies give themselves", arguments: network)
  func isOfNetwork(_ bytes: [UInt8]) throws { #expect(try !#require(NetworkAddress(bytes)).isLocal) }

  @Test("four or sixteen bytes are an address")
  func sizes() throws {
    for count in [0, 3, 5, 15, 17] { #expect(NetworkAddress([UInt8](repeating: 1, count: count)) == nil) }
    #expect(try #require(NetworkAddress([127, 0, 0, 1])).description == "127.0.0.1")
    #expect(
      try #require(NetworkAddress(Self.six([0xfe80, 0, 0, 0, 0, 0, 0, 0x1a]))).description == "fe80:0:0:0:0:0:0:1a")
  }

  @Test("a name that led into a network does not lead to this machine later, whichever client asks")
  func rebinding() throws {
    let here = NetworkAddress([127, 0, 0, 1])
    let there = NetworkAddress([203, 0, 113, 9])
    let names = ServerNames()
    let sockets = OpenSockets(.named("a.example", names))
    #expect(sockets.allows(here) && sockets.allows(there))
    sockets.note(answerFrom: nil)
    #expect(sockets.allows(here))
    sockets.note(answerFrom: there)
    #expect(!sockets.allows(here) && sockets.allows(there) && !sockets.allows(nil))
    #expect(!OpenSockets(.named("a.example", names)).allows(here))
    #expect(OpenSockets(.named("a.example", ServerNames())).allows(here))
    let local = OpenSockets(.named("b.example", names))
    local.note(answerFrom: here)
    local.note(answerFrom: there)
    #expect(local.allows(here) && local.allows(there))
    #expect(OpenSockets(.named("b.example", names)).allows(here))
    #expect(!OpenSockets(.network).allows(here) && OpenSockets(.anywhere).allows(here))
  }
}
