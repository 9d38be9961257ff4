internal import Signet
internal import SignetBase
internal import SignetSystem

/// Static libraries of required modules, which a package can leave out: hosts get them with those modules.
///
/// A static library belongs to a module if it is named after it, as binaries are: `libcom_example_codec.a` or
/// `com_example_codec.a`. What a shared library was linked with cannot be taken out of it again.
enum ExcludedDependencies {
  private static let suffix = ".a"
  /// What a built module may have, as for its archive.
  private static let bounds = DirectoryScan.Limits(entries: 20_000, pathLength: 1023, depth: 64)

  /// Removes the libraries from the folder of a built module.
  ///
  /// - Returns: the paths of what was removed, in the order of their bytes.
  /// - Throws: `package.exclude-deps` for a module with a shared library; `output.failed`; what reading throws.
  static func remove(
    from directory: Directory, of module: ModuleDescription
  ) throws(SignetError) -> [String] {
    guard module.binaries.isEmpty else {
      throw SignetError(
        .packageExcludeDeps, "\(module.identifier)", "has a shared library, which holds what it was linked with",
        expected: "a module without a binary",
        found: module.binaries.values.map(\.path).sorted().joined(separator: ", "),
        hint: "leave --exclude-deps out, and link the library without its dependencies")
    }
    let names = Set(
      module.requirements.modules.flatMap { requirement in
        let stem = "\(requirement.identifier)".utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 }
        return [stem + Array(suffix.utf8), Array("lib".utf8) + stem + Array(suffix.utf8)]
      })
    var removed: [String] = []
    for entry in try DirectoryScan(directory, limits: bounds).entries where entry.status.kind == .regular {
      let name = entry.path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
      guard names.contains(name), let path = String(validating: entry.path, as: UTF8.self) else { continue }
      do throws(SystemFailure) { try directory.removeFile(path) } catch {
        throw SignetError(.outputFailed, path, "cannot be removed from what the build made", cause: error)
      }
      removed.append(path)
    }
    return removed
  }
}
