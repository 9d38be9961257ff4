internal import SignetBase
internal import SignetELF

/// Demands that programs can be loaded at any address.
struct PositionIndependenceRule: FileRule {
  static let about = RuleDescription(
    "pie", "Programs are position independent",
    help: """
      The system loads a position-independent program at another address each time. The code of any other program \
      is always at the same address, so an attacker who can change a return address knows where to jump. Compile \
      with -fPIE and link with -pie (static programs: -static-pie; Go: -buildmode=pie).
      """, options: [AllowedPlaces.binaries], .error)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact), profile.kind == .program else { return }
    findings.note(
      "is a program for one fixed address", entry: file.entry, place: "ELF header", expected: "ET_DYN",
      found: "ET_EXEC",
      hint: profile.isStaticProgram
        ? "compile it with -fPIE and link it with -static-pie, or with -buildmode=pie in Go"
        : "compile it with -fPIE and link it with -pie")
  }
}
