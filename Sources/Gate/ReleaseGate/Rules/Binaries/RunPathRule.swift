internal import SignetBase
internal import SignetELF

/// Demands that binaries look for libraries in their own release alone.
struct RunPathRule: FileRule {
  static let about = RuleDescription(
    "run-path", "Search paths for libraries stay within the release",
    help: """
      The dynamic linker looks for libraries in the folders of RPATH and RUNPATH first. If such a folder is not \
      part of the release, anybody who can write to it on the user's machine can have code run. Often it is a folder \
      of the machine that built the release. A package of Debian or RPM may name its own folders, and those of the \
      system's libraries, which only root can write to. Elsewhere, use paths that begin with $ORIGIN, the folder of the binary, or none: \
      chrpath and patchelf remove them, and so does linking without -rpath (Swift: -no-toolchain-stdlib-rpath).
      """,
    options: [
      (
        "folders",
        "a list of absolute paths that are allowed besides, for packages that are installed in one place as a whole"
      ), AllowedPlaces.binaries,
    ], .error)

  private let folders: [String]
  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) {
    folders = try options.values("folders", "absolute paths") { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    allowed = try AllowedPlaces(binaries: &options)
  }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let linking = try file.judgedBinary(unless: allowed, in: artifact)?.linking else { return }
    let tags = [("RPATH", linking.inheritedRunPaths), ("RUNPATH", linking.runPaths)]
    for (tag, paths) in tags {
      // A list that is wholly empty is passed over by the dynamic linker. An empty path in a longer one is not.
      for path in paths.filter({ !$0.isEmpty }).flatMap({
        $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      }) {
        let isAllowed = folders.contains { $0.utf8.elementsEqual(path) }
        guard !isAllowed,
          let problem = RunPath.problem(of: path, from: file.entry ?? artifact.path, in: file.package)
        else { continue }
        findings.note(
          problem, entry: file.entry, place: tag, expected: "$ORIGIN and folders of the release",
          found: path.isEmpty ? "an empty path" : String(decoding: path, as: UTF8.self),
          hint: "link it without -rpath, or remove the path with patchelf")
      }
    }
  }
}

/// A folder in which the dynamic linker looks for libraries, as RPATH or RUNPATH spell it (ld.so(8)).
enum RunPath {
  private static let slash = UInt8(ascii: "/")
  /// The texts that stand for the folder of the binary.
  private static let origins = ["$ORIGIN", "${ORIGIN}"]

  /// What is wrong with a folder; nil if it stays within the release.
  ///
  /// - Parameters:
  ///   - path: one of the paths that are separated by colons.
  ///   - binary: the path of the binary in the archive, directory or release.
  ///   - package: the folders of the package of Linux that it is in; nil if it is in none.
  static func problem(
    of path: ArraySlice<UInt8>, from binary: String, in package: PackageFolders? = nil
  ) -> String? {
    guard !path.isEmpty else { return "looks for libraries in the folder where it is started" }
    guard path.first != slash else {
      if let package, package.have(path) { return nil }
      return "looks for libraries in a folder outside of the release"
    }
    guard let origin = origins.first(where: { path.starts(with: $0.utf8) }) else {
      return "looks for libraries in a folder that depends on where it is started"
    }
    let rest = path.dropFirst(origin.utf8.count)
    // The rest of a name would lead to a neighbour of the folder.
    guard rest.isEmpty || rest.first == slash else { return "looks for libraries in a folder beside its own" }
    // In an archive that is in another one, only the inner path counts.
    let inner = binary.utf8.split(separator: UInt8(ascii: "!"), omittingEmptySubsequences: false).last
    var depth = (inner ?? binary[...].utf8).split(separator: slash).count - 1
    for name in rest.split(separator: slash) {
      // A variable such as $LIB may stand for several names, so the depth is at least this.
      if name.elementsEqual("..".utf8) { depth -= 1 } else if !name.elementsEqual(".".utf8) { depth += 1 }
      guard depth >= 0 else { return "looks for libraries in a folder outside of the release" }
    }
    return nil
  }
}
