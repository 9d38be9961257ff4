/// Permission bits of a file or directory: read, write and execute for its owner, its group and others.
///
/// Set-user-ID, set-group-ID and the sticky bit are not allowed: signed files must not bring privileges with them.
public struct FileMode: Hashable, Sendable, CustomStringConvertible {
  /// The bits, from 0 to 0o777.
  public let bits: UInt32

  /// Creates a mode from permission bits; nil if there are other bits.
  public init?(bits: UInt32) {
    guard bits <= 0o777 else { return nil }
    self.bits = bits
  }

  /// Creates a mode from bits that are known to be permission bits.
  package init(permissions bits: UInt32) { self.bits = bits & 0o777 }

  /// Reads four octal digits, the first of them 0; nil for any other text.
  public init?(_ text: String) {
    guard let bits = Self.octal(text), let mode = FileMode(bits: bits) else { return nil }
    self = mode
  }

  /// Four octal digits, such as `0644`.
  public var description: String { Self.text(bits) }

  /// The value of four octal digits.
  package static func octal(_ text: String) -> UInt32? {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }) else {
      return nil
    }
    return UInt32(text, radix: 8)
  }

  /// Four octal digits for the twelve mode bits of a system.
  package static func text(_ bits: UInt32) -> String {
    let digits = String(bits & 0o7777, radix: 8)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}

extension FileMode {
  /// The permissions of an entry when it is unpacked: only the owner may write, and everyone may read, whatever the
  /// archive says.
  package func installed(isDirectory: Bool) -> UInt32 { isDirectory || bits & 0o111 != 0 ? 0o755 : 0o644 }

  /// The permissions of a file once it is unpacked.
  package var unpacked: FileMode { FileMode(permissions: installed(isDirectory: false)) }

  /// The permissions of every unpacked directory.
  package static let unpackedDirectory = FileMode(permissions: 0o755)
}
