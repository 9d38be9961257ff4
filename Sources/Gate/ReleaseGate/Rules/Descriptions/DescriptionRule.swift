internal import Signet
internal import SignetArchive
package import SignetBase
internal import SignetELF

/// The descriptions of modules are complete, and what they name exists.
///
/// Signing has checked that the files which a description names are there. This rule looks at what only a host would
/// notice.
package struct DescriptionRule: ArtifactRule, FileRule {
  package static let about = RuleDescription(
    "description", "Each module's description is complete, and what it names exists",
    help: """
      A host learns from module.json what a module has, and finds a mistake in it only when it loads the module. \
      Routes, targets and services need code that registers them. The code must be for the platform it is named for, \
      be named after the module, and export the principal. Libraries that nothing names are never opened. Correct \
      module.json or the build, then pack and sign the module again.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError) {
    guard let predicate = artifact.module else { return }
    let module = predicate.module
    if module.binaries.isEmpty {
      checkWithoutCode(module, &findings)
    } else {
      do throws(SignetError) {
        try ModuleFileName.check(module)
      } catch {
        findings.note(error, entry: error.object, expected: "a name after the module", hint: "rename the binary")
      }
    }
    checkLibraries(of: module, predicate.contents, &findings)
  }

  /// Checks that a binary is a library for its platform, and has the principal.
  package func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let module = artifact.module?.module, let entry = file.entry, let principal = module.principal
    else { return }
    for (platform, binary) in module.binaries.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where binary.path.isExactly(entry) {
      // Only ELF files can be looked into.
      guard let machine = platform.machine else { continue }
      guard file.isELF, let source = file.source else {
        findings.note(
          "has a binary that is not in the ELF format", entry: entry, expected: "a shared library for \(platform)",
          found: "a file of another format", hint: "name the file that the linker has made")
        continue
      }
      do throws(SignetError) {
        let image = try ELFImage(source, path: entry, for: machine)
        guard let found = image.objection(toEntry: principal) else { continue }
        findings.note(
          "has a binary that does not define its principal", entry: entry, place: principal,
          code: SignetError.Code.elfPrincipal.rawValue, expected: "a global function, or data, of the library's own",
          found: found, hint: "export it: `@c(\(principal)) public func` in Swift; in C, with default visibility")
      } catch  where [.elfMalformed, .elfArchitecture, .elfType].contains(error.code) {
        findings.note(
          error, entry: entry, expected: "a shared library for \(platform)",
          hint: "build it again for \(platform), and copy it whole")
      }
    }
  }

  private func checkWithoutCode(_ module: ModuleDescription, _ findings: inout RuleFindings) {
    let lists = [
      ("routes", module.routes.count), ("targets", module.targets.count), ("services", module.services.count),
    ]
    for (field, count) in lists where count > 0 {
      findings.note(
        "has no code that could register its \(field)", entry: ModuleDescription.path, place: field,
        expected: "a binary, or no \(field)", found: "\(count)",
        hint: "name the code in `binary`, or remove `\(field)`")
    }
    if module.resources.isEmpty {
      findings.note(
        "has neither code nor resources", entry: ModuleDescription.path, expected: "`binary` or `resources`",
        found: "neither", hint: "name what the module brings")
    }
  }

  /// Looks for libraries that the description does not name. What lies in a resource is named with it.
  private func checkLibraries(
    of module: ModuleDescription, _ contents: ModuleContents, _ findings: inout RuleFindings
  ) {
    let code = Set(module.binaries.values.flatMap { [$0.path] + $0.libraries }.map { Array($0.utf8) })
    let resources = Set(module.resources.map { Array($0.utf8) })
    for entry in contents.entries {
      guard case .file = entry.content, PackingAdvice.isLibrary(ReleasePath.baseName(of: entry.path)),
        !code.contains(Array(entry.path.utf8)), !Self.isWithin(resources, entry.path)
      else { continue }
      findings.note(
        "has a file that is named like a shared library, and \(ModuleDescription.path) does not name it",
        entry: entry.path, expected: "a library among the `libraries` of a binary", found: "no such name",
        hint: "name it there, or leave it out")
    }
  }

  /// Whether a path is one of these, or below one of them.
  private static func isWithin(_ places: Set<[UInt8]>, _ path: String) -> Bool {
    var place: [UInt8] = []
    for byte in path.utf8 {
      if byte == UInt8(ascii: "/"), places.contains(place) { return true }
      place.append(byte)
    }
    return places.contains(place)
  }
}
