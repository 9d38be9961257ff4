internal import SignetBase
internal import SignetELF

/// Demands that stacks are not executable.
struct ExecutableStackRule: FileRule {
  static let about = RuleDescription(
    "executable-stack", "Stacks are not executable",
    help: """
      On an executable stack, an overflowing buffer is a place for an attacker's code. One library is enough: it \
      makes the stacks of the whole process executable. The cause is mostly an assembler file without a section \
      .note.GNU-stack, or a nested function of GNU C. Add that section, or link with -z noexecstack if no code is \
      put on the stack.
      """, options: [AllowedPlaces.binaries], .error)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact), profile.hasExecutableStack else {
      return
    }
    findings.note(
      "has an executable stack", entry: file.entry, place: "program headers",
      expected: "PT_GNU_STACK, not executable",
      found: profile.stack == .unstated ? "no PT_GNU_STACK" : "an executable one",
      hint: "add .note.GNU-stack to its assembler files, or link it with -Wl,-z,noexecstack")
  }
}
