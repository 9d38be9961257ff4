internal import SignetBase

/// Source files in a module.
///
/// A module with a binary is published without that binary's sources. A publisher who packs the folder of a project
/// instead of what was built from it would publish them, too. Without a binary, source files are what the module is about:
/// a documentation, or the material of another tool.
enum ModuleSources {
  private static let endings = [".swift", ".m", ".mm", ".c", ".cc", ".cpp", ".cxx"]

  /// Checks that a module with a binary has no source file, except those that its description names as resources one
  /// by one.
  ///
  /// - Throws: `packing.source`.
  static func check(_ module: ModuleDescription, _ files: [String]) throws(SignetError) {
    guard !module.binaries.isEmpty else { return }
    for path in files where isSource(path) && !module.resources.contains(where: { $0.isExactly(path) }) {
      throw SignetError(
        .packingSource, path, "is a source file, and a module with a binary is published without sources",
        hint:
          "pack the folder that the build made; a file that users need is named in \"resources\" by its whole path")
    }
  }

  private static func isSource(_ path: String) -> Bool {
    endings.contains { path.lowercased().utf8.reversed().starts(with: $0.utf8.reversed()) }
  }
}
