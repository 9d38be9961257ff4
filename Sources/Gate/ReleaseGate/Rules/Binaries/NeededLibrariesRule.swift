internal import Signet
internal import SignetBase
internal import SignetELF

/// Demands that a module's binaries need no other libraries than the description says.
struct NeededLibrariesRule: FileRule {
  static let about = RuleDescription(
    "needed-libraries", "A module's binaries need the libraries that its description names",
    help: """
      Users and hosts learn from a module's signed description which libraries it needs, and the loader opens no \
      others. A binary with other needs is refused when it is loaded. Name the library in the binary's `needed`, \
      bring it among its `libraries`, or link without it. Binaries that no description names are not judged.
      """, options: [AllowedPlaces.binaries], .error)

  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) { allowed = try AllowedPlaces(binaries: &options) }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let module = artifact.module?.module, !allowed.cover(file.entry, in: artifact.path) else { return }
    try judge(file, of: module, &findings)
  }

  /// Checks a file of a module with this description.
  func judge(
    _ file: ContentFile, of module: ModuleDescription, _ findings: inout RuleFindings
  ) throws(SignetError) {
    let binaries = module.binaries(at: file.entry).filter { $0.platform.machine != nil }
    guard !binaries.isEmpty, let linking = try file.profile()?.linking else { return }
    for (platform, binary) in binaries {
      let known = binary.needed + binary.libraries.map { ReleasePath.baseName(of: $0) }
      for name in linking.needed where !known.contains(where: { $0.utf8.elementsEqual(name) }) {
        findings.note(
          "needs a library that the module neither declares nor brings", entry: file.entry,
          place: "DT_NEEDED, \(platform)", expected: known.isEmpty ? "none" : known.joined(separator: ", "),
          found: String(decoding: name, as: UTF8.self),
          hint: "name it in the binary's `needed`, or bring it among its `libraries`")
      }
    }
  }
}

extension ModuleDescription {
  /// The platforms, in order, for which a path is the binary or one of its libraries.
  func binaries(at path: String?) -> [(platform: ModulePlatform, binary: Binary)] {
    guard let path else { return [] }
    return binaries.filter { _, binary in
      binary.path.isExactly(path) || binary.libraries.contains { $0.isExactly(path) }
    }.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
  }
}
