package import SignetBase
internal import SignetCMS
internal import SignetCrypto

/// The keys and certificates that a file of OpenSSH revokes: one made by `ssh-keygen -k` (PROTOCOL.krl), or a list of public
/// keys.
package struct SSHRevocations: Sendable {
  /// Wire forms of keys.
  private var keys: Set<[UInt8]> = []
  private var sha1: Set<[UInt8]> = []
  private var sha256: Set<[UInt8]> = []
  private var certificates: [OfAuthority] = []

  /// What is revoked of an authority.
  private struct OfAuthority {
    /// The wire form of its key; empty for each authority.
    let authority: [UInt8]
    var serials: [ClosedRange<UInt64>] = []
    var bitmaps: [(offset: UInt64, bits: [UInt8])] = []
    var names: Set<[UInt8]> = []

    func revokes(_ certificate: SSHCertificate) -> Bool {
      guard authority.isEmpty || authority == certificate.authority else { return false }
      if names.contains(certificate.keyID) { return true }
      // Zero is the number of certificates without one.
      guard certificate.serial > 0 else { return false }
      return serials.contains { $0.contains(certificate.serial) }
        || bitmaps.contains { Self.has(certificate.serial, $0.offset, $0.bits) }
    }

    /// The bits are a number: the last one of the last byte is that of the offset.
    private static func has(_ serial: UInt64, _ offset: UInt64, _ bits: [UInt8]) -> Bool {
      guard serial >= offset, serial - offset < UInt64(bits.count) * 8 else { return false }
      let place = Int(serial - offset)
      return bits[bits.count - 1 - place / 8] >> UInt8(place % 8) & 1 == 1
    }
  }

  private static let magic = Array("SSHKRL\n\0".utf8)
  private static let sizeLimit = 16 << 20

  /// Reads the content of a file.
  ///
  /// - Parameter path: what messages call the file.
  /// - Throws: `key.malformed` for content that cannot be read whole: what it does not say would count as valid.
  package init(_ content: [UInt8], _ path: String) throws(SignetError) {
    guard content.count <= Self.sizeLimit,
      content.starts(with: Self.magic) ? read(list: content) : read(text: content)
    else {
      throw SignetError(
        .keyMalformed, path, "is no list of revoked keys that can be read",
        expected: "what ssh-keygen -k writes, or a public key in each line",
        hint: "get the list again from whoever keeps it")
    }
  }

  private mutating func read(text: [UInt8]) -> Bool {
    guard let text = String(validating: text, as: UTF8.self) else { return false }
    for line in SSHText.lines(of: text) {
      guard !line.unicodeScalars.contains(where: SSHText.isControl) else { return false }
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard let type = words.first, !type.hasPrefix("#") else { continue }
      guard words.count > 1, let wire = try? Base64.decode(String(words[1])), let key = SSHKey(wire),
        key.type.isExactly(String(type))
      else { return false }
      keys.insert(key.certificate?.keyWire ?? wire)
    }
    return true
  }

  private mutating func read(list: [UInt8]) -> Bool {
    var reader = SSHReader(list.dropFirst(Self.magic.count))
    // The version of the form, then the list's number, its date and its flags.
    guard reader.bytes(4) == [0, 0, 0, 1], reader.bytes(24) != nil, reader.string() != nil, reader.string() != nil
    else {
      return false
    }
    while !reader.isAtEnd {
      guard let kind = reader.byte(), let body = reader.string() else { return false }
      var section = SSHReader(body[...])
      switch kind {
      case 1: guard readCertificates(&section) else { return false }
      case 2: guard Self.strings(&section, { keys.insert($0) }) else { return false }
      case 3: guard Self.strings(&section, { sha1.insert($0) }) else { return false }
      // Signatures over the list: whoever gives the file has it from somebody.
      case 4: guard reader.string() != nil else { return false }
      case 5: guard Self.strings(&section, { sha256.insert($0) }) else { return false }
      default: return false
      }
    }
    return true
  }

  private mutating func readCertificates(_ section: inout SSHReader) -> Bool {
    guard let authority = section.string(), section.string() != nil else { return false }
    var revoked = OfAuthority(authority: authority)
    while !section.isAtEnd {
      guard let kind = section.byte(), let body = section.string() else { return false }
      var part = SSHReader(body[...])
      switch kind {
      case 0x20:
        while !part.isAtEnd {
          guard let serial = part.number64() else { return false }
          revoked.serials.append(serial...serial)
        }
      case 0x21:
        guard let first = part.number64(), let last = part.number64(), first <= last, part.isAtEnd else {
          return false
        }
        revoked.serials.append(first...last)
      case 0x22:
        guard let offset = part.number64(), let bits = part.string(), part.isAtEnd else { return false }
        revoked.bitmaps.append((offset, bits))
      case 0x23: guard Self.strings(&part, { revoked.names.insert($0) }) else { return false }
      default: return false
      }
    }
    certificates.append(revoked)
    return true
  }

  private static func strings(_ reader: inout SSHReader, _ body: ([UInt8]) -> Void) -> Bool {
    while !reader.isAtEnd {
      guard let next = reader.string() else { return false }
      body(next)
    }
    return true
  }

  /// Whether a key, a certificate, or the authority of a certificate is revoked.
  ///
  /// - Throws: `crypto.failure`.
  func revokes(_ key: SSHKey) throws(SignetError) -> Bool {
    guard let certificate = key.certificate else { return try revokes(wire: key.wire) }
    if certificates.contains(where: { $0.revokes(certificate) }) { return true }
    if try revokes(wire: certificate.keyWire) { return true }
    return try revokes(wire: certificate.authority)
  }

  private func revokes(wire: [UInt8]) throws(SignetError) -> Bool {
    if keys.contains(wire) { return true }
    if !sha256.isEmpty, sha256.contains(try Digest.of(wire, .sha256).bytes) { return true }
    guard !sha1.isEmpty else { return false }
    return sha1.contains(try OtherDigest.sha1(wire))
  }
}
