internal import SignetBase

/// Signatures of OpenPGP (RFC 9580, section 5.2): packets with the tag 2, whose subpackets name the key and the time.
enum OpenPGPSignature {
  /// A file with more signatures is shortened.
  private static let limit = 16

  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    // A message that holds what it signs, in compressed packets: GnuPG alone can tell more (section 10.3).
    if bytes.starts(with: Array("-----BEGIN PGP MESSAGE-----".utf8)) || Self.beginsMessage(bytes) {
      return OtherSignature(.openPGP, [.init("content", "in it")])
    }
    let isArmored = bytes.prefix(4096).firstRange(of: Array("-----BEGIN PGP ".utf8)) != nil
    guard let packets = isArmored ? ArmoredBlock("PGP SIGNATURE", in: bytes)?.bytes : bytes else { return nil }
    var rest = packets[...]
    var claims: [OtherSignature.Claim] = []
    var count = 0
    while count < limit, let packet = OpenPGPPacket(&rest) {
      guard packet.tag == 2, let more = self.claims(of: packet.body) else { break }
      claims += more
      count += 1
    }
    // Any bytes can look like the head of a packet: alone, each signature must be whole.
    guard count > 0, isArmored || rest.isEmpty || count == limit else { return nil }
    // Below a text that is signed with it (RFC 9580, section 7).
    let isBelow = isArmored && bytes.starts(with: Array("-----BEGIN PGP SIGNED MESSAGE-----".utf8))
    return OtherSignature(.openPGP, claims + (isBelow ? [.init("content", "in it")] : []))
  }

  /// Whether bytes begin with compressed data, as GnuPG writes signed messages, or with the head of a signature that
  /// follows its text (sections 5.4 and 5.6).
  private static func beginsMessage(_ bytes: [UInt8]) -> Bool {
    bytes.count > 8
      && (bytes[0] == 0xa3 && (1...3).contains(bytes[1]) || bytes[0] == 0x90 && bytes[1] == 13 && bytes[2] == 3)
  }

  /// What one signature says about itself; nil if it is none.
  private static func claims(of body: ArraySlice<UInt8>) -> [OtherSignature.Claim]? {
    let body = Array(body)
    switch body.first {
    case 3:
      // The length 5 of what is hashed, the type, the time, the key's ID.
      guard body.count > 18, body[1] == 5 else { return nil }
      return [.init("key", Hexadecimal.encode(Array(body[7..<15])).uppercased()), made(body[3..<7])].compactMap(
        \.self)
    case 4, 6:
      let width = body[0] == 6 ? 4 : 2
      var rest = body.dropFirst(4)
      var found: [OtherSignature.Claim] = []
      for _ in 0..<2 {
        guard rest.count >= width else { return nil }
        let length = rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(width)
        guard length <= rest.count else { return nil }
        found += subpackets(rest.prefix(length))
        rest = rest.dropFirst(length)
      }
      // The fingerprint ends in the ID.
      let names = ["fingerprint", "key", "signer", "made"]
      let fingerprint = found.contains { $0.name == "fingerprint" }
      return names.flatMap { name in
        found.filter { $0.name == name && !(fingerprint && name == "key") }.prefix(1).map {
          name == "fingerprint" ? .init("key", $0.text) : $0
        }
      }
    default: return nil
    }
  }

  private static func subpackets(_ area: ArraySlice<UInt8>) -> [OtherSignature.Claim] {
    var rest = area
    var claims: [OtherSignature.Claim] = []
    while let length = OpenPGPPacket.length(&rest), length > 0, length <= rest.count, let type = rest.first {
      let content = rest.dropFirst().prefix(length - 1)
      rest = rest.dropFirst(length)
      switch type & 0x7f {
      case 2: if let claim = made(content) { claims.append(claim) }
      case 16: claims.append(.init("key", Hexadecimal.encode(Array(content)).uppercased()))
      case 28: claims.append(.init("signer", String(decoding: content, as: UTF8.self)))
      case 33: claims.append(.init("fingerprint", Hexadecimal.encode(Array(content.dropFirst())).uppercased()))
      default: break
      }
    }
    return claims
  }

  private static func made(_ content: ArraySlice<UInt8>) -> OtherSignature.Claim? {
    guard content.count == 4 else { return nil }
    return .init("made", "\(UnixTime(seconds: content.reduce(0) { $0 << 8 | Int64($1) }))")
  }
}

/// A packet of OpenPGP (RFC 9580, section 4.2).
struct OpenPGPPacket {
  let tag: UInt8
  let body: ArraySlice<UInt8>

  /// Takes the next packet; nil at the end, and for a packet of partial lengths, which signatures have not.
  init?(_ rest: inout ArraySlice<UInt8>) {
    guard let head = rest.first, head & 0x80 != 0 else { return nil }
    var after = rest.dropFirst()
    let size: Int
    if head & 0x40 != 0 {
      tag = head & 0x3f
      guard let length = Self.length(&after) else { return nil }
      size = length
    } else {
      tag = head >> 2 & 0x0f
      let width = [1, 2, 4, 0][Int(head & 3)]
      guard width > 0, after.count >= width else { return nil }
      size = after.prefix(width).reduce(0) { $0 << 8 | Int($1) }
      after = after.dropFirst(width)
    }
    guard size <= after.count else { return nil }
    body = after.prefix(size)
    rest = after.dropFirst(size)
  }

  /// A length of one, two or five bytes (section 4.2.1, and 5.2.3.7 for subpackets).
  static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let first = rest.first.map(Int.init) else { return nil }
    let width = first < 192 ? 1 : first < 255 ? 2 : 5
    guard rest.count >= width else { return nil }
    let bytes = rest.prefix(width).map(Int.init)
    rest = rest.dropFirst(width)
    switch width {
    case 1: return first
    case 2: return first < 224 ? (first - 192) << 8 + bytes[1] + 192 : nil
    default: return bytes.dropFirst().reduce(0) { $0 << 8 | $1 }
    }
  }
}
