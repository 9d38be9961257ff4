internal import SignetBase
internal import SignetELF

/// Demands that C and C++ code uses the checking functions of the C library.
struct FortifyRule: FileRule {
  static let about = RuleDescription(
    "fortify", "C and C++ code is compiled with _FORTIFY_SOURCE",
    help: """
      With _FORTIFY_SOURCE, functions such as memcpy and sprintf check the sizes of buffers that the compiler \
      knows. A finding means that the binary uses functions of glibc that have such a form, but none in that form. \
      memcpy, memmove and memset alone tell nothing: compilers call them by themselves, and seldom know the sizes. \
      Compile with -O2 and -D_FORTIFY_SOURCE=3. Static programs are not judged, nor are binaries in which nothing \
      tells that they are C or C++, and those with Swift, Rust or Go.
      """, options: [AllowedPlaces.binaries], .warning)

  /// The number of functions that a finding names.
  private static let shownLimit = 5

  /// Functions that compilers call to copy and clear values. Most calls in C++ are such, and have no checking form.
  private static let compilerCalls = ["memcpy", "memmove", "memset"]

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact), profile.isC, profile.usesGlibc,
      let functions = profile.protections, functions.fortified.isEmpty,
      functions.unfortified.contains(where: { name in !Self.compilerCalls.contains { $0.isExactly(name) } })
    else { return }
    let names = functions.unfortified
    let shown = names.prefix(Self.shownLimit).joined(separator: ", ")
    findings.note(
      "is C or C++ code that does not check the sizes of buffers", entry: file.entry, place: "dynamic symbols",
      expected: "functions such as __memcpy_chk",
      found: names.count > Self.shownLimit ? "\(shown) and \(names.count - Self.shownLimit) more" : shown,
      hint: "compile it with -O2 -D_FORTIFY_SOURCE=3")
  }
}
