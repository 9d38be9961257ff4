internal import SignetArchive
public import SignetBase
package import SignetFiles
public import SignetSystem
public import SignetVerify

/// Packs modules into archives that can be signed.
///
/// The same files give the same bytes for every user and at any time, on every machine with the same compression
/// libraries. Names are in the order of their bytes, all entries have the same time, modes are 0644 or 0755, and there
/// are no owners.
public struct ModulePacker: Sendable {
  /// The earliest time that a ZIP can hold. It is the default for all entries.
  public static let earliestTime = UnixTime(seconds: 315_532_800)

  /// The time of all entries.
  public let time: UnixTime
  /// The limits on what a module may hold.
  public let limits: ArchiveLimits

  /// Creates a packer with a time for all entries, and with limits.
  public init(time: UnixTime = earliestTime, limits: ArchiveLimits = ArchiveLimits()) {
    self.time = time
    self.limits = limits
  }

  /// Packs a module into an archive, and reads the archive back before it appears.
  ///
  /// - Parameters:
  ///   - source: the module's directory, or an archive to pack again.
  ///   - path: where the archive is written. It appears whole or not at all.
  ///   - format: the format of the archive.
  ///   - replaces: whether an existing file of that name is replaced.
  ///   - progress: counts the bytes of the files as they are packed.
  /// - Returns: a description of what was packed.
  /// - Throws: `module.…`, `packing.…`, `elf.…`, `archive.…`, `path.…`, `directory.…`, `file.…`, `output.…`,
  ///   `extraction.failed`.
  public func pack(
    _ source: Source, to path: String, as format: ArchiveFormat, replaces: Bool = false,
    progress: ProgressCounter? = nil
  ) throws(SignetError) -> PackedModule {
    let draft = try draft(for: source, path, replaces: replaces)
    let module = try write(plan(source), to: draft, as: format, progress: progress)
    try draft.publish()
    return module
  }

  /// The source that a module is packed from.
  public enum Source: Sendable {
    /// A directory with the module's files.
    case directory(Directory)
    /// An archive of a kind that can be packed again (docs/cli.md, `pack`), without this many folders around its
    /// whole content.
    case archive(RegularFile, stripping: Int = 0)
  }

  package func plan(_ source: Source) throws(SignetError) -> PackingPlan {
    switch source {
    case .directory(let directory): try PackingPlan(directory, limits)
    case .archive(let file, let depth): try PackingPlan(file, stripping: depth, limits)
    }
  }

  /// Begins the output, which must be neither the input nor inside it.
  ///
  /// - Throws: `output.…`.
  package func draft(for source: Source, _ path: String, replaces: Bool) throws(SignetError) -> OutputDraft {
    var inputs: [FileStatus.Identity] = []
    switch source {
    case .directory(let directory): try OutputFile.check(path, outside: directory.status.identity)
    case .archive(let file, _): inputs = [file.status.identity]
    }
    // The check for an input comes first: an input exists, and the hint to replace an existing file would not help.
    try OutputFile.check(path, .replace(unless: inputs))
    return try OutputDraft(to: path, replaces ? .replace(unless: inputs) : .keep)
  }

  /// Writes the archive, and reads it back before anyone else can.
  ///
  /// - Throws: `packing.self-check`, `file.changed`, `output.failed`, and what reading the files throws.
  package func write(
    _ plan: PackingPlan, to draft: OutputDraft, as format: ArchiveFormat, progress: ProgressCounter?
  ) throws(SignetError) -> PackedModule {
    if let objection = plan.objections.first { throw objection }
    progress?.expect(plan.size)
    let output = OutputWriter(descriptor: try draft.descriptor())
    let entries = PackedEntry.sorted(plan.entries)
    if format == .zip {
      try ZIPWriter.write(entries, to: output, time: time, limits: limits, progress: progress)
    } else {
      try TarFileWriter.write(entries, to: output, TarCompression(of: format), time: time, progress: progress)
    }
    let written = try output.finish()
    try plan.checkUnchanged()
    let found = try self.entries(of: written, draft)
    guard found.count == entries.count else { throw Self.differs("\(found.count) entries", "\(entries.count)") }
    for (found, entry) in zip(found, entries) {
      let expected = try entry.asArchived()
      guard found.path.isExactly(expected.path), found.content == expected.content, found.mode == expected.mode else {
        throw Self.differs(found.path, expected.path)
      }
    }
    return PackedModule(
      description: plan.description, format: format, entryCount: entries.count, size: written.size,
      advice: plan.advice)
  }

  private func entries(of written: WrittenBytes, _ draft: OutputDraft) throws(SignetError) -> [ArchiveEntry] {
    do throws(SignetError) {
      return try ArchiveFile(written, limits: limits).open(snapshotsIn: draft.folder).entries
    } catch  where error.code == .archiveRatio {
      // A ZIP leaves entries uncompressed that compress too well. A tar is compressed as a whole.
      var error = error
      error.hint = "pack it as a ZIP, or as a tar that is not compressed"
      throw error
    }
  }

  private static func differs(_ found: String, _ expected: String) -> SignetError {
    SignetError(
      .packingSelfCheck, "archive", "does not contain what was packed", expected: expected, found: found,
      hint: "pack it again; if the error persists, report it as a fault of Signet")
  }
}

/// A packed module.
public struct PackedModule: Hashable, Sendable {
  /// The module's description.
  public let description: ModuleDescription
  /// The archive's format.
  public let format: ArchiveFormat
  /// The number of entries in the archive, including directories and links.
  public let entryCount: Int
  /// The archive's size in bytes.
  public let size: Int
  /// Advice about what is legal in the module, but unwise.
  public let advice: [PackingAdvice]
}

/// The file name of a module's binary: the identifier with `_` for each dot, and the platform's suffix.
///
/// `lib` may precede it, because build systems add it. An identifier that itself begins with `lib` must have this
/// second `lib`.
///
/// Identifiers have no underscore, so each file name belongs to one identifier. The name therefore tells which module
/// it is in crash reports, logs and debuggers.
package enum ModuleFileName {
  /// The identifier that a file name belongs to, or nil.
  static func identifier(of name: String, on platform: ModulePlatform) -> ModuleIdentifier? {
    let suffix = platform.librarySuffix
    guard name.utf8.count > suffix.utf8.count, name.utf8.reversed().starts(with: suffix.utf8.reversed()) else {
      return nil
    }
    var stem = Array(name.utf8.dropLast(suffix.utf8.count))
    guard !stem.contains(UInt8(ascii: ".")) else { return nil }
    if stem.starts(with: "lib".utf8) { stem.removeFirst(3) }
    let text = stem.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: ".") : $0 }
    return ModuleIdentifier(String(decoding: text, as: UTF8.self))
  }

  /// The file name of a module's binary, without `lib` where it can be omitted.
  package static func name(of identifier: ModuleIdentifier, on platform: ModulePlatform) -> String {
    let stem = String(
      decoding: identifier.description.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    return (stem.utf8.starts(with: "lib".utf8) ? "lib" : "") + stem + platform.librarySuffix
  }

  /// Checks that a module's binaries are named after the module.
  ///
  /// - Throws: `packing.binary-name`.
  package static func check(_ module: ModuleDescription) throws(SignetError) {
    for (platform, binary) in module.binaries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let name = binary.path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
        String(binary.path[binary.path.utf8.index(after: $0)...])
      }
      guard identifier(of: name ?? binary.path, on: platform) != module.identifier else { continue }
      throw SignetError(
        .packingBinaryName, binary.path, "is not named after its module",
        expected: Self.name(of: module.identifier, on: platform), found: name ?? binary.path,
        hint: "rename it, in \(ModuleDescription.path) and in the Makefile that makes it, too")
    }
  }
}
