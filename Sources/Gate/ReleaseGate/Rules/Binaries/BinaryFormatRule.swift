internal import SignetBase
internal import SignetELF

/// Demands that binaries can be read.
struct BinaryFormatRule: FileRule {
  static let about = RuleDescription(
    "binary-format", "Binaries are whole ELF files",
    help: """
      A file that begins like a binary but is truncated or damaged does not run, or not as it was built. The other \
      rules about binaries cannot judge it. Build it again, and copy it whole. Exclude the file if it is damaged \
      on purpose, such as a test case.
      """, options: [AllowedPlaces.binaries], .error)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let binary = file.binary, !allowed.cover(file.entry, in: artifact.path) else { return }
    switch binary {
    case .failure(let error):
      guard error.code == .elfMalformed else { throw error }
      findings.note(error, entry: file.entry, expected: "a whole ELF file", hint: Self.hint)
    case .success(let profile):
      // What loads firmware knows no sections, and its parts may be in several files.
      guard profile.sections.state == .unreadable, profile.kind != .firmware else { return }
      findings.note(
        "has section headers that cannot be read", entry: file.entry, place: "section headers",
        expected: "section headers in the file, or none", found: "unreadable section headers",
        hint: Self.hint)
    }
  }

  private static let hint = "build it again, and copy it whole"
}
