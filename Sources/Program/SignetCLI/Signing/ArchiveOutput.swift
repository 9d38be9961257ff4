internal import Signet
internal import SignetBase
internal import SignetSystem

/// Where to write an archive that bundles were put into or taken out of: in its own place, or elsewhere.
struct ArchiveOutput {
  let input: InputArtifact
  /// The name that the user gave; nil for the archive's own.
  let out: String?
  let force: Bool
  /// Other files that are read in the same run: keys and bundles.
  let kept: [FileStatus.Identity]

  /// The files that --force does not replace.
  private var inputs: [FileStatus.Identity] { kept + [input.status.identity] }

  /// The path to write to.
  var path: String { out ?? input.path }

  /// Checks that nothing is in the way, before anything is hashed for nothing.
  ///
  /// - Throws: `output.exists`, `output.is-input`, `output.failed`, `file.changed`.
  func checkPlace() throws(SignetError) {
    guard out == nil else {
      return try SignetError.offeringForce { () throws(SignetError) in
        try OutputFile.check(path, force ? .replace(unless: inputs) : .keep)
      }
    }
    let status = try FileStatus(ofLink: path)
    guard status.kind != .symbolicLink else {
      throw SignetError(
        .outputFailed, path, "is a symbolic link, which would be replaced", expected: "the archive itself",
        hint: "name the file that it leads to, or another with --out")
    }
    // Another process may have replaced it while this run waited for the lock.
    guard status.identity == input.status.identity else {
      throw SignetError(
        .fileChanged, path, "was replaced while it was opened", hint: "run it again")
    }
  }

  /// Writes the archive, which keeps its permissions.
  ///
  /// - Returns: the path.
  func write(_ archive: AttachedArchive) throws(SignetError) -> String {
    defer { withExtendedLifetime(input) {} }
    try checkPlace()
    try Interruption.held { () throws(SignetError) in
      try archive.write(
        to: path, mode: input.status.mode & 0o777,
        out == nil || force ? .replace(unless: out == nil ? [] : inputs) : .keep)
    }
    return path
  }
}
