internal import SignetBase
internal import SignetSystem

/// A file from which an image is read, in pieces that are never larger than the caller's bound.
struct ELFFile {
  /// The name of the file in messages.
  package let path: String
  let size: Int
  private let source: any ByteSource
  private let hint: String

  /// The hint about a damaged library.
  private static let libraryHint = "rebuild the library, or get it again from its publisher"

  init(_ source: any ByteSource, path: String, hint: String = libraryHint) {
    self.source = source
    self.path = path
    self.hint = hint
    size = source.size
  }

  /// Reads a range of the file.
  ///
  /// - Throws: `elf.malformed` if the file ends before the range does; `file.changed`, `file.read-failed`.
  func bytes(at offset: Int, _ count: Int) throws(SignetError) -> ELFBytes {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw malformed("is truncated", expected: "\(count) bytes at \(offset)", found: "\(size) bytes in all")
    }
    return ELFBytes(try source.bytes(in: offset..<offset + count))
  }

  func malformed(_ message: String, expected: String? = nil, found: String? = nil) -> SignetError {
    SignetError(.elfMalformed, path, message, expected: expected, found: found, hint: hint)
  }
}

/// Numbers of an ELF file, which are little-endian and unsigned (gABI, "Data Representation", ELFDATA2LSB).
///
/// The caller has checked that the bytes are present.
struct ELFBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func u16(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
  func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }
  func u64(_ offset: Int) -> UInt64 { UInt64(u32(offset)) | UInt64(u32(offset + 4)) << 32 }
}
