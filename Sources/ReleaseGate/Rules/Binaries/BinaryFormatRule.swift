internal import SignetBase
internal import SignetELF

/// Demands that binaries can be read.
struct BinaryFormatRule: GateRule {
  static let about = RuleDescription(
    "binary-format", "Binaries are whole ELF files",
    help: """
      A file that begins like a binary but is truncated or damaged does not run, or not as it was built. The other \
      rules about binaries cannot judge it. Build it again, and copy it whole. Exclude the file if it is damaged \
      on purpose, such as a test case.
      """, .error)

  init(_ options: inout RuleOptions) {}

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    switch file.binary {
    case nil: return
    case .failure(let error):
      guard error.code == .elfMalformed else { throw error }
      findings.note(error, entry: file.entry, expected: "a whole ELF file", hint: Self.hint)
    case .success(let profile):
      guard profile.sections.state == .unreadable else { return }
      findings.note(
        "has section headers that cannot be read", entry: file.entry, place: "section headers",
        expected: "section headers in the file, or none", found: "unreadable section headers",
        hint: Self.hint)
    }
  }

  private static let hint = "build it again, and copy it whole"
}
