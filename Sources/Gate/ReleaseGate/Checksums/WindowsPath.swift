/// The path of a file on the machine where a list was made.
enum WindowsPath {
  /// The ends of a path, with the longest one first: how much of it a release has cannot be told from it.
  static func names(_ path: ArraySlice<UInt8>) -> [String] {
    let names = ChecksumText.trimmed(path).split { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "/") }
    let texts = names.suffix(limit).map { String(decoding: $0, as: UTF8.self) }
    return texts.indices.map { texts[$0...].joined(separator: "/") }
  }

  /// The maximum number of names: folders of a release are not deeper.
  private static let limit = 16
}
