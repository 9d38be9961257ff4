package import Signet
package import SignetBase
package import SignetCrypto

/// An artifact of a release, once it was read and verified. It holds no open file.
package struct ExaminedArtifact: Sendable {
  /// The path from the release's folder.
  package let path: String
  /// Whether it is a directory that is signed as a whole.
  package let isDirectory: Bool
  /// The size in bytes; for a directory, that of all its files.
  package let size: Int
  /// The SHA-256 of the file, with any signatures in it; for a directory, that of its listing.
  package let sha256: Digest
  /// The signatures that count; empty if the artifact is refused.
  package let signatures: [VerifiedSignature]
  /// Every reason to refuse it, the most telling first; empty if it is verified.
  package let reasons: [SignetError]
  /// Why each signature beside it that does not count is not by a trusted signer; empty if the artifact is refused.
  package let strangers: [SignetError]

  /// Whether trusted signers have signed it.
  package var isVerified: Bool { !signatures.isEmpty }

  /// The type of its statements; nil if it is refused.
  package var type: PredicateType? { signatures.first?.statement.predicateType }

  /// What its verified statement says of a module; nil for anything else, and if it is refused.
  package var module: ModulePredicate? { signatures.first?.statement.module }

  /// What its verified statement lists of a directory; nil for anything else, and if it is refused.
  package var listing: DirectoryListing? { signatures.first?.statement.directory?.listing }

  /// The last name of the path.
  package var baseName: String { ReleasePath.baseName(of: path) }

  package init(
    path: String, isDirectory: Bool, size: Int, sha256: Digest, signatures: [VerifiedSignature],
    reasons: [SignetError], strangers: [SignetError] = []
  ) {
    self.path = path
    self.isDirectory = isDirectory
    self.size = size
    self.sha256 = sha256
    self.signatures = signatures
    self.reasons = reasons
    self.strangers = strangers
  }
}

/// What can be done with a path in a release.
package enum ReleasePath {
  /// The names between the slashes. They are split by bytes: a slash with a combining character is another Character.
  package static func names(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The index of the first element whose path is this one, or comes after it.
  ///
  /// - Parameter elements: sorted by the bytes of their paths.
  static func firstIndex<Element>(from path: String, in elements: [Element], by key: (Element) -> String) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if key(elements[middle]).precedesInBytes(path) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The indices of all elements below a folder. They follow each other: no other path begins like theirs.
  ///
  /// - Parameter elements: sorted by the bytes of their paths.
  static func range<Element>(
    below folder: String, in elements: [Element], by key: (Element) -> String
  ) -> Range<Int> {
    // In ASCII, 0 comes right behind the slash.
    firstIndex(from: folder + "/", in: elements, by: key)..<firstIndex(from: folder + "0", in: elements, by: key)
  }

  /// The last name.
  package static func baseName(of path: String) -> String {
    String(decoding: path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed(), as: UTF8.self)
  }
}
