internal import Signet
public import SignetBase
internal import SignetSystem

/// Checks specs against rules (docs/spec.md).
public enum SpecLint {
  /// How many files a spec's folder may have, how long their paths and how deep its folders may be. A module's sources
  /// have some hundred files; each is compared with each pattern.
  private static let limits = DirectoryScan.Limits(entries: 20_000, pathLength: 1024, depth: 32)

  /// What was found in one spec.
  public struct Report: Sendable {
    /// The spec's path, as the caller named it.
    public let path: String
    /// What is wrong, in the order of the rules.
    public let findings: [SpecFinding]
    /// The spec, and the bytes that it was read from.
    package let spec: ModuleSpec
    package let bytes: [UInt8]

    /// Whether nothing refuses the spec.
    ///
    /// - Parameter allowsWarnings: whether warnings refuse nothing.
    public func isClean(allowingWarnings allowsWarnings: Bool) -> Bool {
      findings.allSatisfy { allowsWarnings && $0.level == .warning }
    }

    /// How many findings have a level.
    public func count(_ level: SpecFinding.Level) -> Int { findings.count { $0.level == level } }
  }

  /// The specs that a path names: itself, or those in the folder.
  ///
  /// - Throws: `file.missing`, `file.unreadable`; `spec.missing` for a folder without a spec.
  public static func specs(at path: String) throws(SignetError) -> [String] {
    let folder: Directory
    do throws(SignetError) { folder = try Directory(opening: path) } catch  where error.code == .fileNotDirectory {
      return [path]
    }
    // `.modspec.json` alone would be the spec of a module without a name.
    let names = try folder.entryNames().filter {
      $0.utf8.count > ModuleSpec.fileSuffix.utf8.count
        && $0.utf8.reversed().starts(with: ModuleSpec.fileSuffix.utf8.reversed())
    }
    guard !names.isEmpty else {
      throw SignetError(
        .specMissing, path, "has no spec", expected: "a file NAME\(ModuleSpec.fileSuffix)",
        hint: "name the folder with the spec, or write one: docs/spec.md describes it")
    }
    return path.isExactly(".") ? names : names.map { folder.shown(Array($0.utf8)) }
  }

  /// Checks the spec in a file.
  ///
  /// - Parameters:
  ///   - path: the file. Its folder is the one whose files the spec's patterns are for.
  ///   - checkout: where the release's tag is looked for; nil to look for it nowhere.
  /// - Returns: what every rule has found.
  /// - Throws: `spec.malformed`, `spec.unknown-field`, `spec.too-hard`; `file.…`, `directory.entry-count` and
  ///   `path.bounds` if the spec or its folder could not be read; `spec.checkout`, `spec-repo.git`.
  public static func check(_ path: String, checkout: SpecCheckout? = nil) throws(SignetError) -> Report {
    try check(path) { (spec, folder) throws(SignetError) in
      if let checkout { try checkout.tag(of: spec, in: folder) } else { nil }
    }
  }

  /// Checks the spec in a file, with what is known of its tag.
  static func check(
    _ path: String, tag: (ModuleSpec, Directory) throws(SignetError) -> LintedSpec.Tag?
  ) throws(SignetError) -> Report {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let folder = try Directory(opening: slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    let (spec, bytes) = try Self.spec(name, in: folder, path)
    let entries = try files(for: spec, in: folder)
    let linted = try LintedSpec(
      spec, fileName: name, files: entries.compactMap { String(validating: $0.path, as: UTF8.self) },
      licenseLine: try licenseLine(of: spec, among: entries, in: folder), module: try module(in: folder),
      tag: try tag(spec, folder))
    return Report(path: path, findings: check(linted), spec: spec, bytes: bytes)
  }

  /// What every rule has found.
  package static func check(_ linted: LintedSpec) -> [SpecFinding] {
    SpecRuleList.all.flatMap { rule in
      var findings = SpecFindings(rule.about)
      rule.check(linted, &findings)
      return findings.all
    }
  }

  private static func spec(
    _ name: String, in folder: Directory, _ path: String
  ) throws(SignetError) -> (spec: ModuleSpec, bytes: [UInt8]) {
    let file = try folder.file(name)
    guard file.size <= ModuleSpec.sizeLimit else {
      throw SignetError(
        .specMalformed, path, "is too long", expected: "at most \(ModuleSpec.sizeLimit) bytes",
        found: "\(file.size) bytes", hint: "a spec names files, and does not contain them")
    }
    let bytes = try file.bytes(limit: ModuleSpec.sizeLimit)
    return (try ModuleSpec(json: bytes), bytes)
  }

  /// The files of the folder, if the spec speaks of files.
  private static func files(
    for spec: ModuleSpec, in folder: Directory
  ) throws(SignetError) -> [DirectoryScan.Entry] {
    let patterns =
      spec.sourceFiles + spec.excludeFiles + spec.publicHeaderFiles + spec.privateHeaderFiles
    guard !patterns.isEmpty || spec.license?.file != nil else { return [] }
    let scan = try DirectoryScan(folder, limits: limits, leavesOutHidden: true)
    return scan.entries.filter { $0.status.kind == .regular }
  }

  /// More than the first line of a licence has.
  private static let lineLimit = 1024

  /// The first line of the licence's file, or nil.
  private static func licenseLine(
    of spec: ModuleSpec, among files: [DirectoryScan.Entry], in folder: Directory
  ) throws(SignetError) -> String? {
    guard let path = spec.license?.file, let entry = files.first(where: { $0.path.elementsEqual(path.utf8) }) else {
      return nil
    }
    let file = try folder.file(entry)
    let text = try file.bytes(in: 0..<min(file.size, lineLimit))
    let isEnd: (UInt8) -> Bool = { [UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
    return String(decoding: text.drop(while: isEnd).prefix { !isEnd($0) }, as: UTF8.self)
  }

  private static func module(in folder: Directory) throws(SignetError) -> LintedSpec.Module {
    let text: [UInt8]
    do throws(SignetError) {
      text = try folder.file(ModuleDescription.path).bytes(limit: JSONLimits.moduleDescription.size)
    } catch  where error.code == .fileMissing {
      return .missing
    }
    do throws(SignetError) { return .described(try ModuleDescription(json: text)) } catch {
      return .malformed(error)
    }
  }
}
