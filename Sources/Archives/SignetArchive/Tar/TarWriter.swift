package import SignetBase
package import SignetNames

/// Makes the headers, the padding and the end of a tar, the same bytes for the same entries: without an owner, with one
/// time, in POSIX's ustar format. An extended header is written only if a path, a target or a size does not fit, or is
/// not ASCII.
///
/// For each entry, in the order of their paths' bytes, the caller writes the header, the file's bytes and the padding.
/// The end follows.
package struct TarWriter {
  private let time: Int
  private var position = 0
  private var count = 0

  /// Begins a tar.
  ///
  /// - Parameter time: the time of all entries; one that the format cannot hold is moved to the nearest that it can.
  package init(time: UnixTime) { self.time = min(max(Int(time.seconds), 0), TarField.largestNumber) }

  /// The headers of an entry. As many bytes as its size says, and their padding, must follow.
  ///
  /// - Parameters:
  ///   - path: the path, without a slash at its end; ``EntryPath`` must accept it.
  ///   - permissions: at most 0o777.
  package mutating func header(path: String, content: EntryContent, permissions: UInt32) -> [UInt8] {
    count += 1
    var fields = Fields(time: time, permissions: Int(permissions))
    var records: [UInt8] = []
    let name = Array(path.utf8) + (content == .directory ? [UInt8(ascii: "/")] : [])
    let places = Self.split(name)
    switch content {
    case .file(let size):
      fields.type = UInt8(ascii: "0")
      fields.size = size
      if size > TarField.largestNumber {
        records += Self.record("size", Array(String(size).utf8))
        fields.size = 0
      }
      position += size + TarField.padding(behind: size)
    case .directory:
      fields.type = UInt8(ascii: "5")
    case .symbolicLink(let target):
      fields.type = UInt8(ascii: "2")
      fields.linkName = Array(target.utf8)
      // Seen from the stand-in for the path, the target could lead out.
      if fields.linkName.count > TarField.linkName.count || !Self.isASCII(fields.linkName) || places == nil {
        records += Self.record("linkpath", fields.linkName)
        fields.linkName = Self.standIn("links", count)
      }
    }
    if let places {
      (fields.prefix, fields.name) = places
    } else {
      records += Self.record("path", name)
      fields.name = Self.standIn("entries", count) + (content == .directory ? [UInt8(ascii: "/")] : [])
    }
    var bytes: [UInt8] = []
    if !records.isEmpty {
      var extended = Fields(time: time, permissions: 0o644)
      extended.type = UInt8(ascii: "x")
      extended.name = Self.standIn("headers", count)
      extended.size = records.count
      bytes = extended.bytes() + records + Self.padding(behind: records.count)
    }
    bytes += fields.bytes()
    position += bytes.count
    return bytes
  }

  /// The padding after the bytes of a file.
  package static func padding(behind size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: TarField.padding(behind: size))
  }

  /// The end: two empty blocks, and zeros up to the end of the record.
  package func end() -> [UInt8] {
    let least = position + 2 * TarField.blockSize
    let size = (least + TarField.recordSize - 1) / TarField.recordSize * TarField.recordSize
    return [UInt8](repeating: 0, count: size - position)
  }

  /// The prefix and the name of a path that fits into the fields; nil if it does not.
  private static func split(_ path: [UInt8]) -> ([UInt8], [UInt8])? {
    guard isASCII(path) else { return nil }
    if path.count <= TarField.name.count { return ([], path) }
    // The first slash that has few enough bytes after it; the fewest bytes are then before it. The last byte of a
    // directory's path does not count as such a slash.
    let first = path.count - TarField.name.count - 1
    guard let slash = path[first...].dropLast().firstIndex(of: UInt8(ascii: "/")), slash <= TarField.prefix.count
    else { return nil }
    return (Array(path[..<slash]), Array(path[(slash + 1)...]))
  }

  private static func isASCII(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

  /// The text of a field whose real text is in the extended header, for readers without support for that.
  private static func standIn(_ what: String, _ number: Int) -> [UInt8] { Array("\(standIn(what))\(number)".utf8) }

  /// What all such texts begin with.
  static func standIn(_ what: String) -> String { "\(folder)/\(what)/" }

  /// The directory of these texts. No entry is in it.
  static let folder = "PaxHeaders"

  /// `LENGTH KEY=VALUE` and a line feed; the length counts its own digits.
  private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
    let rest = Array(" \(key)=".utf8) + value + [UInt8(ascii: "\n")]
    var length = rest.count + 1
    while length != rest.count + String(length).utf8.count { length = rest.count + String(length).utf8.count }
    return Array(String(length).utf8) + rest
  }

  /// The fields that differ between headers.
  private struct Fields {
    let time: Int
    let permissions: Int
    var type: UInt8 = 0
    var prefix: [UInt8] = []
    var name: [UInt8] = []
    var linkName: [UInt8] = []
    var size = 0

    init(time: Int, permissions: Int) {
      self.time = time
      self.permissions = permissions
    }

    func bytes() -> [UInt8] {
      var block = [UInt8](repeating: 0, count: TarField.blockSize)
      func put(_ bytes: [UInt8], _ range: Range<Int>) {
        block.replaceSubrange(range.lowerBound..<range.lowerBound + bytes.count, with: bytes)
      }
      func put(_ number: Int, _ range: Range<Int>) {
        let digits = Array(String(number, radix: 8).utf8)
        put(Array(repeating: UInt8(ascii: "0"), count: range.count - 1 - digits.count) + digits, range)
      }
      put(name, TarField.name)
      put(permissions, TarField.mode)
      put(0, TarField.uid)
      put(0, TarField.gid)
      put(size, TarField.size)
      put(time, TarField.mtime)
      block[TarField.type] = type
      put(linkName, TarField.linkName)
      put(TarField.magicText, TarField.magic)
      put(0, TarField.deviceMajor)
      put(0, TarField.deviceMinor)
      put(prefix, TarField.prefix)
      // Six digits, NUL and a space, as usual.
      put(TarField.sum(of: block), TarField.checksum.lowerBound..<TarField.checksum.upperBound - 1)
      block[TarField.checksum.upperBound - 1] = 0x20
      return block
    }
  }
}
