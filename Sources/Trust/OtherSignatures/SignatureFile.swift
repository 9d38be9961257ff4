internal import SignetSystem

/// Signatures that are files of their own.
extension OtherSignature {
  /// No signature alone is larger: certificates of a whole chain take some kilobytes.
  private static let sizeLimit = 1 << 20

  /// Names the signature that a file is; nil for any other file.
  ///
  /// - Parameter bytes: the whole file.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit else { return nil }
    let readers: [([UInt8]) -> OtherSignature?] = [
      MinisignSignature.read, SSHSignature.read, OpenPGPSignature.read, CMSSignature.read, CosignSignature.read,
      BareEnvelope.read,
      CutOffSignature.read,
    ]
    for read in readers {
      if let signature = read(bytes) {
        self = signature
        return
      }
    }
    return nil
  }

  /// Names the signature that a file is; nil for any other file, and for what cannot be read.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - isSaid: whether somebody says that it is a signature. Bare signatures are then named by their size alone;
  ///     otherwise the ending of the file must say so, too.
  public init?(file path: String, isSaid: Bool = false) {
    guard let found = Self.content(of: path, isSaid: isSaid) else { return nil }
    self = found.signature
  }

  /// The signature that a file is, with its bytes.
  static func content(of path: String, isSaid: Bool = false) -> (signature: OtherSignature, bytes: [UInt8])? {
    guard let file = try? RegularFile(opening: path), file.size <= Self.sizeLimit,
      let bytes = try? file.bytes(in: 0..<file.size)
    else { return nil }
    if let signature = OtherSignature(bytes) { return (signature, bytes) }
    guard isSaid || RawSignature.endings.contains(where: path.hasSuffix), let signature = RawSignature.read(bytes)
    else { return nil }
    return (signature, bytes)
  }

  /// The endings of the files in which other programs write signatures beside a file.
  public static let endings = [
    ".minisig", ".sig", ".asc", ".sign", ".signature", ".gpg", ".pgp", ".p7s", ".p7m", ".p7b", ".cms", ".sigstore",
    ".bundle",
    ".cosign.bundle", "-keyless.sig", ".sig.bundle",
  ]

  /// Where envelopes are. With these endings Sigstore's bundles are written, too, so that another content is no damage.
  private static let envelopeEndings = [".intoto.jsonl"]

  /// Files beside another one whose endings say that they are signatures of it, and that are none: cut off, empty, or a
  /// page that tells of an error.
  public static func damaged(beside path: String) -> [String] {
    endings.map { path + $0 }.filter { path in
      guard let status = try? FileStatus(ofLink: path), status.kind == .regular else { return false }
      return OtherSignature(file: path) == nil
    }
  }

  /// The file that a signature would be about by the name of its own file; nil if there is no such file.
  public static func artifact(of path: String) -> String? {
    endings.lazy.filter { path.utf8.count > $0.utf8.count && path.hasSuffix($0) }.map {
      String(path.dropLast($0.count))
    }
    .first { (try? FileStatus(ofLink: $0)) != nil }
  }

  /// The signatures beside a file, by the paths of their files.
  ///
  /// - Parameter path: the path of the file that they would be about.
  public static func beside(_ path: String) -> [(path: String, signature: OtherSignature)] {
    (endings + envelopeEndings).compactMap { ending in
      OtherSignature(file: path + ending).map { (path + ending, $0) }
    }
  }
}
