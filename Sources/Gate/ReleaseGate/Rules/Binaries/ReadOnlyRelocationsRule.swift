internal import SignetBase
internal import SignetELF

/// Demands that memory which only the dynamic linker writes becomes read-only.
struct ReadOnlyRelocationsRule: FileRule {
  static let about = RuleDescription(
    "relro", "Relocated data becomes read-only",
    help: """
      Tables of addresses are written once, when a program or library is loaded. If they stay writable, an \
      attacker who can write to memory can replace the addresses of functions. Link with -z relro; most linkers do \
      so unless they are told otherwise.
      """, options: [AllowedPlaces.binaries], .error)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact), !profile.hasReadOnlyRelocations,
      profile.hasWritableData
    else {
      return
    }
    findings.note(
      "has no data that becomes read-only after loading", entry: file.entry, place: "program headers",
      expected: "PT_GNU_RELRO", found: "none", hint: "link it with -Wl,-z,relro -Wl,-z,now")
  }
}
