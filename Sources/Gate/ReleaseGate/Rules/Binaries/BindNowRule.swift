internal import SignetBase
internal import SignetELF

/// Demands that the addresses of functions are found when a binary is loaded.
struct BindNowRule: FileRule {
  static let about = RuleDescription(
    "bind-now", "Functions are bound when a binary is loaded",
    help: """
      If functions are bound when they are first called, the table of their addresses stays writable, and -z relro \
      protects only the rest. An attacker who can write to memory can then replace a function. Link with -z now. \
      Binaries without such a table are not judged.
      """, options: [AllowedPlaces.binaries], .warning)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    // Without read-only data, the rule about that has said enough.
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact), profile.hasReadOnlyRelocations,
      profile.bindsLazily
    else { return }
    findings.note(
      "leaves the table of its functions writable", entry: file.entry, place: "dynamic table",
      expected: "BIND_NOW", found: "lazy binding", hint: "link it with -Wl,-z,now")
  }
}
