package import ModuleSpec
internal import Signet
internal import SignetArchive
package import SignetBase
package import SignetNames
package import SignetSystem

/// The files of a release's source archive: those that the spec names, its licence, itself and `module.json`.
package enum PackagedSources {
  /// Packs the sources.
  ///
  /// - Parameters:
  ///   - spec: the spec, which lies in the folder under its name.
  ///   - directory: the spec's folder, as the commit has it.
  ///   - path: where the archive is written.
  ///   - time: the time of all entries.
  /// - Throws: `package.spec` for a spec that names no files, or a folder without `module.json`; `archive.…`, `path.…`,
  ///   `file.…`, `output.…`.
  package static func pack(
    _ spec: ModuleSpec, named name: String, in directory: Directory, to path: String, time: UnixTime,
    _ limits: ArchiveLimits
  ) throws(SignetError) {
    let bounds = DirectoryScan.Limits(
      entries: limits.entries, pathLength: EntryPath.lengthLimit, depth: EntryPath.depthLimit)
    let scan = try DirectoryScan(directory, limits: bounds, leavesOutHidden: true)
    var entries: [PackedEntry] = []
    var sources = 0
    var hasDescription = false
    for found in scan.entries where found.status.kind == .regular {
      guard let place = String(validating: found.path, as: UTF8.self) else { continue }
      let isSource = spec.isSource(place)
      let isOther = [name, ModuleDescription.path, spec.license?.file].contains { $0.map(place.isExactly) ?? false }
      guard isSource || isOther else { continue }
      if isSource { sources += 1 }
      if place.isExactly(ModuleDescription.path) { hasDescription = true }
      entries.append(
        PackedEntry(
          path: "\(SourceArchive.folder)/\(place)",
          content: .file(PackedFile(found, of: directory), isExecutable: found.status.mode & 0o111 != 0)))
    }
    guard sources > 0, hasDescription else {
      throw SignetError(
        .packageSpec, name, hasDescription ? "names no source file of the commit" : "is not beside a module.json",
        expected: "source_files, and \(ModuleDescription.path) beside the spec",
        hint: "name the files in source_files, and commit them")
    }
    var archived: [ArchiveEntry] = []
    for entry in entries { archived.append(try entry.asArchived()) }
    try ArchiveRules.check(archived, limits)
    let draft = try OutputDraft(to: path, .keep)
    let output = OutputWriter(descriptor: try draft.descriptor())
    try ZIPWriter.write(PackedEntry.sorted(entries), to: output, time: time, limits: limits)
    _ = try output.finish()
    try draft.publish()
  }
}
