/// The names that other programs give to files of attestations.
enum AttestationNames {
  private static let intoto = ".intoto.jsonl"

  /// The path of the file that an attestation is about by its name: `tool` for `tool.intoto.jsonl`.
  ///
  /// - Returns: nil for another name.
  static func artifact(of path: String) -> String? {
    guard path.utf8.count > intoto.utf8.count, path.utf8.suffix(intoto.utf8.count).elementsEqual(intoto.utf8) else {
      return nil
    }
    return String(decoding: path.utf8.dropLast(intoto.utf8.count), as: UTF8.self)
  }

  /// Whether a file may hold attestations of several artifacts, which only their digests name: `multiple.intoto.jsonl`, or
  /// `sha256:HEX.jsonl` as `gh attestation download` writes it, with a hyphen on some systems.
  static func areOfSeveral(_ path: String) -> Bool {
    if artifact(of: path) != nil { return true }
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? []
    let (prefix, suffix) = (["sha256:", "sha256-"], ".jsonl")
    guard prefix.contains(where: { name.starts(with: $0.utf8) }),
      name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    else { return false }
    let digits = name.dropFirst(7).dropLast(suffix.utf8.count)
    return digits.count == 64 && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}
