internal import Signet
internal import SignetBase

extension SigningJob {
  /// What is unwise about the permissions in a signed listing; nil if nothing is.
  ///
  /// A listing holds permissions. Where the umask is 022, as on most systems, a checkout or an unpacked archive has no
  /// entry that the group may write. Such a copy would be refused.
  static func umaskWarning(_ bundle: SigstoreBundle, of directory: String) throws(SignetError) -> SignetError? {
    let statement = try Statement(payload: bundle.envelope.payload)
    let shared = statement.directory?.listing.entries.filter { $0.content.mode.map { $0.bits & 0o022 != 0 } == true }
    guard let first = shared?.first, let mode = first.content.mode, let count = shared?.count else { return nil }
    return SignetError(
      .directoryModeMismatch, directory + (directory.utf8.last == UInt8(ascii: "/") ? "" : "/") + first.path,
      "may be written by others than its owner"
        + (count > 1 ? ", as may \((count - 1).of("more entry", "more entries"))" : "")
        + ": copies made under another umask are refused",
      expected: "no write permission for group and others", found: "\(mode)",
      hint:
        "sign again with --force, all signers, after: chmod -R go-w -- \(directory.shellWord); or send the directory as an archive"
    )
  }
}

extension DirectoryListing.Content {
  /// The permissions; nil for a link.
  fileprivate var mode: FileMode? {
    switch self {
    case .file(let mode, _, _), .directory(let mode): mode
    case .symbolicLink: nil
    }
  }
}
