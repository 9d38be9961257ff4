internal import SignetBase
internal import SignetELF

/// Demands that no memory is writable and executable.
struct WritableCodeRule: FileRule {
  static let about = RuleDescription(
    "writable-code", "No segment is writable and executable",
    help: """
      In memory that is writable and executable, an attacker who can write can run code. Linkers make such a \
      segment if a linker script or an option such as -N puts code and data together, or if a section of code is \
      marked as writable. Put code and data in different segments.
      """, options: [AllowedPlaces.binaries], .error)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact) else { return }
    for address in profile.writableCode {
      findings.note(
        "has a segment that is writable and executable", entry: file.entry,
        place: "segment at 0x\(String(address, radix: 16))", expected: "one or the other",
        found: "PF_W and PF_X", hint: "link it without -N, and without sections that are both")
    }
  }
}
