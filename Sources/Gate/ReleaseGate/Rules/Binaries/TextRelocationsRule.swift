internal import SignetBase
internal import SignetELF

/// Demands that code is not changed while it is loaded.
struct TextRelocationsRule: FileRule {
  static let about = RuleDescription(
    "text-relocations", "Code is not changed while it is loaded",
    help: """
      To relocate code, the dynamic linker makes it writable for a time. Hardened systems do not allow that, and \
      the code can no longer be shared between processes. Some object was compiled without -fPIC or -fPIE. Compile \
      all of them with it; -Wl,-z,text makes the linker name the object.
      """, options: [AllowedPlaces.binaries], .error)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact),
      profile.linking?.hasTextRelocations ?? false
    else { return }
    findings.note(
      "has code that is changed while it is loaded", entry: file.entry, place: "dynamic table",
      expected: "no text relocations", found: "DT_TEXTREL",
      hint: "compile all of it with -fPIC; -Wl,-z,text names the object at fault")
  }
}
