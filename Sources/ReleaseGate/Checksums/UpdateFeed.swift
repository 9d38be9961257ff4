internal import SignetBase
internal import SignetCrypto

/// The file by which an application of Electron finds its updates, such as `latest.yml` (electron-builder, "Auto Update"):
/// `url` or `path` names a file, and `sha512` is its SHA-512 in base64.
///
/// It is read line by line. Whatever else is in the file does not matter.
enum UpdateFeed {
  /// Reads the checksums; none for a file of another kind.
  static func read(_ text: [UInt8]) -> [StatedChecksum] {
    var found: [StatedChecksum] = []
    var name: String?
    for (index, line) in text.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
      guard let (key, value) = field(line) else { continue }
      switch key {
      case "url", "path": name = value
      case "sha512":
        guard let name, let bytes = try? Base64.decode(value),
          let digest = Digest(.sha512, hex: Hexadecimal.encode(bytes))
        else { continue }
        let isAddress = FileAddress.isOne(name)
        found.append(
          StatedChecksum(
            name: isAddress ? FileAddress.fileName(of: name) : name, digest: digest, line: index + 1,
            mayBeElsewhere: isAddress, function: .sha2))
      default: continue
      }
    }
    return found
  }

  /// A key and its value, which may be quoted and may be the first of an element of a list.
  private static func field(_ line: ArraySlice<UInt8>) -> (key: String, value: String)? {
    let blanks: [UInt8] = [0x20, 0x09, 0x0d]
    let text = line.drop { blanks.contains($0) || $0 == UInt8(ascii: "-") }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    var value = text[(colon + 1)...].drop { blanks.contains($0) }
    while let last = value.last, blanks.contains(last) { value = value.dropLast() }
    if let first = value.first, first == UInt8(ascii: "'") || first == UInt8(ascii: "\""), value.count > 1,
      value.last == first
    {
      value = value.dropFirst().dropLast()
    }
    return (String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

/// The address of a file.
enum FileAddress {
  /// Whether a name is an address, and no path.
  static func isOne(_ name: String) -> Bool {
    name.utf8.drop { $0 != UInt8(ascii: ":") }.starts(with: "://".utf8)
  }

  /// The last name of an address, without what follows the path.
  static func fileName(of address: String) -> String {
    let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let name = path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
    return String(decoding: PercentEncoding.decode(name).bytes, as: UTF8.self)
  }
}
