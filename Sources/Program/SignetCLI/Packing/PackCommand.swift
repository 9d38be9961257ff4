internal import ArgumentParser
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetSystem

struct PackCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Pack a module's folder into an archive to sign.",
    discussion: """
      The directory has a module.json at its root, which says what the module is. Signet compares it with the files. \
      With the same zlib, the same files give the same bytes: owners, times, and permissions other than the executable \
      bit are left out. All entries get the time in SOURCE_DATE_EPOCH, or the beginning of 1980. Every program reads \
      the resulting ZIP alike. --from converts another archive: a ZIP or jar, a tar of any kind, 7z, cpio, ar, a \
      Debian package, ISO 9660 or xar.

      Compare with signet release, which builds from a commit, packs and signs.

      Examples:
        signet pack player --out player.zip
        signet pack player --out player.tar.zst
        signet pack --from built-by-ci.tgz --out player.zip
      """)

  @Argument(help: "The module's directory.", completion: .directory)
  var directory: String?

  @Option(
    name: .long, help: ArgumentHelp("Pack the content of this archive instead of a directory.", valueName: "archive"),
    completion: .file())
  var from: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --from: remove this many folders that enclose everything in the archive.", valueName: "number"))
  var strip: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where to write the archive. The ending selects the format: .zip, .tar.gz, .tar.xz, .tar.zst or .tar.",
      valueName: "path"),
    completion: .file())
  var out: String

  @Flag(name: .long, help: "Replace an existing file.")
  var force = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  private static let formats: [(ending: String, format: ArchiveFormat)] = [
    (".zip", .zip), (".tar.gz", .tarGzip), (".tgz", .tarGzip), (".tar.xz", .tarXZ), (".tar.zst", .tarZstandard),
    (".tar", .tar),
  ]

  private var format: ArchiveFormat? {
    Self.formats.first { out.utf8.reversed().starts(with: $0.ending.utf8.reversed()) }?.format
  }

  func validate() throws {
    guard (directory == nil) != (from == nil) else { throw ValidationError("Give a directory or --from, not both.") }
    if let strip, from == nil || !(1...64).contains(strip) {
      throw ValidationError("--strip goes with --from, and takes a number from 1 to 64.")
    }
    guard format != nil else {
      throw ValidationError("--out takes a name that ends in \(Self.formats.map(\.ending).joined(separator: ", ")).")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let path = directory ?? from ?? ""
    return try CommandRun.making("pack", about: path, on: console) { (run) throws(SignetError) in
      do throws(SignetError) { run.ended(path, try pack(path, &run)) } catch  where isPackage {
        var error = error
        error.hint =
          "a package is packed once it is built: make -C \(path.shellWord), then name \("\(path)/module".shellWord)"
        throw error
      }
    }
  }

  /// Whether what is named is a package that makes a module, as signet new module begins one.
  private var isPackage: Bool {
    guard let directory else { return false }
    return ["Makefile", "module.json", "signet"].allSatisfy { (try? FileStatus(ofLink: "\(directory)/\($0)")) != nil }
  }

  /// - Returns: why the module's binaries would not be loaded; empty once it is packed.
  private func pack(_ path: String, _ run: inout CommandRun) throws(SignetError) -> [SignetError] {
    let packer = ModulePacker(time: try SourceDate.time() ?? ModulePacker.earliestTime)
    let source: ModulePacker.Source =
      from == nil
      ? .directory(try Directory(opening: path)) : .archive(try RegularFile(opening: path), stripping: strip ?? 0)
    let draft = try SignetError.offeringForce { () throws(SignetError) in
      try packer.draft(for: source, out, replaces: force)
    }
    if let name = draft.temporaryName { Interruption.cleanUp { try? OutputFile.remove(name) } }
    defer { Interruption.cleanUp(with: nil) }
    let plan = try packer.plan(source)
    guard plan.objections.isEmpty else { return plan.objections }
    let module = try ProgressBar.show(path, size: plan.size, run.console) { (counter) throws(SignetError) in
      try packer.write(plan, to: draft, as: format ?? .zip, progress: counter)
    }
    try Interruption.held { () throws(SignetError) in try draft.publish() }
    try tell(path, module, &run)
    return []
  }

  private func tell(_ path: String, _ module: PackedModule, _ run: inout CommandRun) throws(SignetError) {
    for advice in module.advice {
      try run.console.result("unwise: \(advice.path.display): \(advice.message.display) [\(advice.topic)]")
      if let hint = advice.hint { try run.console.result("  next      \(hint.display)") }
    }
    try run.did(
      Report.packed(path, out, module),
      "\(Console.good()) packed  \(path.display)", "  archive  \(out.display), \(module.size.of("byte", "bytes"))",
      "  module   \(module.description.identifier) \(module.description.version), sequence \(module.description.sequence)",
      "  holds    \(module.entryCount.of("entry", "entries"))")
  }
}

/// The time that everything built must have (reproducible-builds.org, SOURCE_DATE_EPOCH).
enum SourceDate {
  private static let name = "SOURCE_DATE_EPOCH"
  private static let digitLimit = 12

  /// The time; nil if none is set.
  ///
  /// - Throws: `packing.time`.
  static func time() throws(SignetError) -> UnixTime? {
    guard let text = ProcessEnvironment.value(name), !text.isEmpty else { return nil }
    let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, text.utf8.count <= digitLimit, let seconds = Int64(text) else {
      throw SignetError(
        .packingTime, name, "is not a time", expected: "seconds since 1970 in decimal digits", found: text)
    }
    return UnixTime(seconds: seconds)
  }
}
