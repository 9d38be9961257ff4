package import SignetBase
internal import SignetCrypto
package import SignetSystem

extension Directory {
  /// Reads a file of the directory and compares its bytes with what is signed.
  ///
  /// - Parameters:
  ///   - content: what is signed for that path; nil for nothing.
  ///   - name: what messages call the directory.
  /// - Throws: `directory.extra-entry`, `digest.mismatch`, and what opening and reading a ``RegularFile`` throw.
  package func bytes(
    of path: String, signed content: DirectoryListing.Content?, in name: String
  ) throws(SignetError) -> [UInt8] {
    guard case .file(_, let size, let expected) = content else {
      throw SignetError(.directoryExtraEntry, path, "is not a signed file")
    }
    func changed(_ expected: String, _ found: String) -> SignetError {
      DirectoryDifference(path, .content, expected: expected, found: found).reason(in: name)
    }
    let file = try file(path)
    guard file.size == size else { throw changed("\(size) bytes", "\(file.size) bytes") }
    let bytes = try file.bytes(in: 0..<size)
    let found = try Digest.of(bytes, .sha256)
    guard found == expected else { throw changed("\(expected)", "\(found)") }
    return bytes
  }
}
