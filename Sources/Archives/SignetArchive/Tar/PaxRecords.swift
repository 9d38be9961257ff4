internal import SignetBase

/// The records of a pax extended header, which describe the entry after it (POSIX.1-2017, pax, "pax Extended Header").
/// There is one record or more, each `LENGTH KEY=VALUE` and a line feed, where the length is that of the whole record.
struct PaxRecords {
  private(set) var path: [UInt8]?
  private(set) var linkPath: [UInt8]?
  private(set) var size: Int?

  /// The maximum number of bytes in a header's data: a path and a target of 1023 bytes, names of owners, and five
  /// numbers, and half as much again.
  static let sizeLimit = 8192

  /// The keys that do not matter to what is installed. Any other could: sparse maps, other character sets, attributes.
  private static let ignored: Set<String> = ["mtime", "atime", "ctime", "uid", "gid", "uname", "gname"]

  /// - Throws: `archive.tar-header`.
  init(_ bytes: [UInt8], at position: Int) throws(SignetError) {
    var seen: Set<String> = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let (key, value) = try Self.record(&rest, position)
      guard seen.insert(key).inserted else { throw Self.damaged(position, "has a record twice", found: key) }
      switch key {
      case "path": path = value
      case "linkpath": linkPath = value
      case "size": size = try Self.size(value, position)
      case _ where Self.ignored.contains(key): break
      default:
        throw Self.damaged(
          position, "has an unknown record",
          expected: "path, linkpath, size, \(Self.ignored.sorted().joined(separator: ", "))", found: key)
      }
    }
    guard !seen.isEmpty else { throw Self.damaged(position, "has no record") }
  }

  /// Takes the first record.
  private static func record(
    _ rest: inout ArraySlice<UInt8>, _ position: Int
  ) throws(SignetError) -> (String, [UInt8]) {
    let digits = rest.prefix { $0 != UInt8(ascii: " ") }
    // Five digits can hold the limit.
    guard digits.count <= 5, let length = decimal(digits), length <= rest.count, length > digits.count + 1 else {
      throw damaged(position, "has a record with a missing or invalid length")
    }
    let record = rest.prefix(length)
    rest = rest.dropFirst(length)
    let text = record.dropFirst(digits.count + 1)
    guard text.last == UInt8(ascii: "\n"), let equals = text.firstIndex(of: UInt8(ascii: "=")),
      equals > text.startIndex
    else { throw damaged(position, "has a record that does not end where it says, or without a key") }
    let (key, value) = (Array(text[..<equals]), Array(text[(equals + 1)...].dropLast()))
    guard UTF8Check.firstFault(in: key) == nil else { throw damaged(position, "has a key that is not UTF-8") }
    // An empty value would remove the header's own value; a NUL would end it for some readers.
    guard !value.isEmpty, !value.contains(0) else {
      throw damaged(position, "has an empty value or one with NUL in it", found: String(decoding: key, as: UTF8.self))
    }
    return (String(decoding: key, as: UTF8.self), value)
  }

  private static func size(_ value: [UInt8], _ position: Int) throws(SignetError) -> Int {
    guard let size = decimal(value[...]) else {
      throw damaged(position, "has a size that is not a number", expected: "decimal digits")
    }
    return size
  }

  /// Decimal digits without a leading zero; nil for anything else, and for a number that is too large.
  private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    // Nineteen digits can overflow.
    guard (1...18).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func damaged(
    _ position: Int, _ message: String, expected: String? = nil, found: String? = nil
  ) -> SignetError {
    SignetError(
      .archiveTarHeader, "extended header at \(position)", message, expected: expected, found: found,
      hint: TarHint.repack)
  }
}
