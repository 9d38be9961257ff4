internal import SignetBase
internal import SignetELF

/// Demands that C and C++ code checks its stack frames.
struct StackProtectorRule: FileRule {
  static let about = RuleDescription(
    "stack-protector", "C and C++ code is compiled with a stack protector",
    help: """
      A protected function notices that a buffer on its stack has overflowed, and ends the process before it \
      returns. Compile with -fstack-protector-strong. It leaves functions without buffers alone, so a small \
      library may have nothing to protect: then use -fstack-protector-all. Static programs \
      are not judged, nor are binaries in which nothing tells that they are C or C++, and those with Swift, Rust \
      or Go.
      """, options: [AllowedPlaces.binaries], .warning)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact), profile.isC,
      !(profile.protections?.hasStackProtector ?? true)
    else { return }
    findings.note(
      "is C or C++ code without a stack protector", entry: file.entry, place: "dynamic symbols",
      expected: "__stack_chk_fail", found: "none",
      hint: "compile it with -fstack-protector-strong, or -fstack-protector-all if it has no buffers on the stack")
  }
}
