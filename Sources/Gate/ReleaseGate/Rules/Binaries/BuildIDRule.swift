internal import SignetBase
internal import SignetELF

/// Demands that each binary has a build ID.
struct BuildIDRule: FileRule {
  static let about = RuleDescription(
    "build-id", "Binaries have a build ID",
    help: """
      Crash reports name a binary by its build ID, and debuggers find its separate symbols by it. Without one, \
      nobody can say which build has crashed. Link with -Wl,--build-id; in Go, with -ldflags=-B=gobuildid.
      """, options: [AllowedPlaces.binaries], .warning)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact), profile.buildID == nil else { return }
    findings.note(
      "has no build ID", entry: file.entry, place: "notes", expected: "NT_GNU_BUILD_ID", found: "none",
      hint: "link it with -Wl,--build-id")
  }
}
