package import SignetBase

/// Every list of checksums agrees with the files.
package struct ChecksumsRule: ReleaseRule {
  package static let about = RuleDescription(
    "checksums", "Every list of checksums agrees with the files of the release",
    help: """
      Users compare what they have downloaded with a list such as SHA256SUMS, and programs with what latest.yml or \
      Package.swift says. If a file is changed after the list was made, for example because it was signed by the \
      tool of its platform, each of them refuses it. The rule compares lists of SHA-256, SHA-384 and SHA-512 with \
      the files: those of sha256sum and its like, in either form (SHA256SUMS, checksums.txt, setup.exe.sha256), \
      and in base64 as cksum writes them, those of Get-FileHash as a table, a list (Format-List), CSV (Export-Csv) \
      or JSON, whatever the column with the file is called (Path, FullName, File, FileName or Name), those of \
      shasum, certutil and gpg --print-md, lines with a name and a digest in any order, Debian's control files (.dsc, \
      .changes, .buildinfo, Release), the files by which applications of Electron find their updates (latest.yml), \
      and the binary targets of Package.swift. A list with a general name, such as CHECKSUMS, may also have digests of \
      SHA-3, SHA-512/256, BLAKE2, BLAKE3, SHAKE or SM3. Lists may be in UTF-8 or UTF-16. Lists \
      with MD5 or SHA-1 are not compared: anybody can make another file for them. A checksum that cannot be \
      compared is a finding, such as one whose path is cut. Make the lists last, and sign them then.
      """,
    options: [AllowedPlaces.option("are lists of files elsewhere", like: "mirror/SHA256SUMS")], .error)

  private let allowed: AllowedPlaces

  /// - Throws: `json.wrong-value` for something that is no pattern.
  package init(_ options: inout RuleOptions) throws(SignetError) {
    allowed = try AllowedPlaces(&options, like: "mirror/SHA256SUMS")
  }

  /// - Throws: `file.…`, `crypto.failure`.
  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    var checksums = ReleaseChecksums(release, unless: allowed)
    try checksums.compare(&findings)
  }
}
