internal import Signet
internal import SignetBase
internal import SignetELF

/// Demands that binaries are for the processors that the release is for.
struct ArchitectureRule: FileRule {
  static let about = RuleDescription(
    "architecture", "Binaries are built for the named processors",
    help: """
      A binary for another processor does not run at the user's. A module's binary must be for the platform for \
      which the module's description names it. If the option `names` is given, every other ELF file must be for \
      one of those processors, too. Build it for the right one, or remove it from the release.
      """,
    options: [
      ("names", "a list of processors, such as x86-64 and aarch64; usually any"), AllowedPlaces.binaries,
    ], .error)

  private let names: [String]
  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) {
    names = try options.values("names", "processors such as \(ELFProcessor.names.joined(separator: ", "))") { name in
      ELFProcessor.names.first { $0.isExactly(name) }
    }
    allowed = try AllowedPlaces(binaries: &options)
  }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard !allowed.cover(file.entry, in: artifact.path) else { return }
    if let module = artifact.module?.module, try judge(file, of: module, &findings) { return }
    guard !names.isEmpty, let profile = try file.profile() else { return }
    let name = profile.processor.name
    guard !names.contains(where: { $0.isExactly(name) }) else { return }
    findings.note(
      "is built for another processor than those of the release", entry: file.entry, place: "ELF header",
      expected: names.joined(separator: " or "), found: name, hint: "build it for \(names.joined(separator: " or "))")
  }

  /// Checks a file against the platforms for which a module's description names it.
  ///
  /// - Returns: whether something is wrong.
  func judge(
    _ file: ContentFile, of module: ModuleDescription, _ findings: inout RuleFindings
  ) throws(SignetError) -> Bool {
    var isWrong = false
    for (platform, _) in module.binaries(at: file.entry) {
      guard let machine = platform.machine else { continue }
      var found = "a file that is not ELF"
      if file.isELF {
        // A damaged file has a finding of its own.
        guard let processor = try file.profile()?.processor, !processor.isExactly(machine) else { continue }
        found = processor.name
      }
      isWrong = true
      findings.note(
        "is not built for the platform for which the module names it", entry: file.entry, place: "ELF header",
        expected: platform.rawValue, found: found,
        hint: "build it for \(platform), or name it in the description for the platform it is for")
    }
    return isWrong
  }
}
