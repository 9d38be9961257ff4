package import ModuleSpec
package import Signet
internal import SignetArchive
package import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem

/// The package of a release: the module and its sources, both of one commit, and a signed statement that says so.
///
/// | file in NAME-VERSION | what |
/// |---|---|
/// | `NAME-VERSION.zip` | the module |
/// | `NAME-VERSION-source.zip` | its sources |
/// | `….sigstore.json` beside each | the signature |
/// | `….provenance.sigstore.json` beside each | the provenance: one statement about both, in SLSA's form |
package struct ModulePackage {
  /// What a publisher decides about a package.
  package struct Options {
    /// The folder that gets NAME-VERSION.
    package var out: String
    /// Whether static libraries of required modules are left out.
    package var excludesDependencies: Bool
    /// Whether a package that is there is replaced.
    package var replaces: Bool
    /// The time of signing.
    package var time: UnixTime

    /// Creates options.
    package init(out: String, excludesDependencies: Bool, replaces: Bool, time: UnixTime) {
      self.out = out
      self.excludesDependencies = excludesDependencies
      self.replaces = replaces
      self.time = time
    }
  }

  /// What was made.
  package struct Made {
    /// The folder with the package.
    package let folder: PackageFolder
    /// The module.
    package let module: PackedModule
    /// The commit.
    package let commit: String
    /// What rules say of the spec that refuses nothing.
    package let warnings: [SpecFinding]
    /// Files that were left out, because they belong to required modules.
    package let excluded: [String]
  }

  private let source: PackagedCheckout
  private let signer: Signer
  private let options: Options
  private let limits = ArchiveLimits()

  /// Prepares a package.
  package init(_ source: PackagedCheckout, by signer: Signer, _ options: Options) {
    self.source = source
    self.signer = signer
    self.options = options
  }

  /// Builds the package. It appears whole or not at all.
  ///
  /// - Parameters:
  ///   - variables: the variables of the process's environment, which the build gets.
  ///   - defaults: variables that the build gets unless they are set.
  ///   - began: is told of the temporary folder, which is removed at an interruption.
  ///   - hold: runs the moment in which the package gets its name, and perhaps an old one loses it. Nothing may interrupt
  ///     it.
  /// - Throws: `package.…`; `git.…`; what packing and signing throw; `output.…`.
  package func make(
    _ variables: [(name: String, value: String)], defaults: [(name: String, value: String)] = [],
    _ began: (String) -> Void = { _ in },
    holding hold: (() throws(SignetError) -> Void) throws(SignetError) -> Void
  ) throws(SignetError) -> Made {
    let folder = PackageFolder(options.out, name: source.spec.name, version: source.spec.version)
    try folder.check(replacing: options.replaces)
    TemporaryDirectory.sweep(try Directory(opening: options.out))
    let draft = try TemporaryDirectory(in: options.out)
    began(draft.path)
    let (export, product) = ("\(draft.path)/export", "\(draft.path)/product")
    for path in [export, product] { try Self.make(path) }
    let place = source.checkout.prefix.isEmpty ? export : "\(export)/\(source.checkout.prefix.dropLast())"
    try self.export(to: export)
    let warnings = try lint("\(place)/\(source.fileName)")
    let time = try commitTime()
    let sources = "\(product)/\(folder.sourceName)"
    try PackagedSources.pack(
      source.spec, named: source.fileName, in: Directory(opening: place), to: sources, time: time, limits)
    let stated = try ModuleDescription(
      json: RegularFile(opening: "\(place)/\(ModuleDescription.path)").bytes(limit: JSONLimits.moduleDescription.size)
    )
    let build = ModuleBuild(variables, defaults: defaults + [("SOURCE_DATE_EPOCH", "\(time.seconds)")])
    let directory = try build.run(in: place)
    let excluded =
      options.excludesDependencies ? try ExcludedDependencies.remove(from: directory, of: stated) : []
    let archive = "\(product)/\(folder.moduleName)"
    let module = try ModulePacker(time: time).pack(.directory(directory), to: archive, as: .zip)
    try check(module.description, stated)
    try sign(archive, sources, in: product, folder)
    let finished = try Directory(opening: draft.path)
    try hold { () throws(SignetError) in
      try folder.take("product", from: finished, replacing: options.replaces)
    }
    return Made(
      folder: folder, module: module, commit: source.checkout.commit, warnings: warnings, excluded: excluded)
  }

  private static func make(_ path: String) throws(SignetError) {
    do throws(SystemFailure) { _ = try Directory.make(path, mode: 0o755) } catch {
      throw SignetError(.outputFailed, path, "cannot be created", cause: error)
    }
  }

  /// Writes the files of the commit, and the spec as it was read.
  private func export(to path: String) throws(SignetError) {
    let tree = try GitTree(of: source.checkout.commit, in: source.checkout.git, limits)
    try tree.write(into: Directory(opening: path), from: source.checkout.git, limits)
    var folder = path
    for name in source.checkout.prefix.split(separator: "/") {
      folder += "/" + name
      if (try? FileStatus(ofLink: folder)) == nil { try Self.make(folder) }
    }
    try OutputFile.write(source.text, to: "\(folder)/\(source.fileName)", .replace(unless: []))
  }

  /// Checks the spec against the files of the commit.
  ///
  /// - Returns: the warnings.
  private func lint(_ path: String) throws(SignetError) -> [SpecFinding] {
    let findings = try SpecLint.check(path).findings
    guard let first = findings.first(where: { $0.level == .error }) else { return findings }
    throw SignetError(
      .packageSpec, "\(source.fileName), \(first.field)", first.message, expected: first.expected, found: first.found,
      hint: first.hint)
  }

  /// The time of everything in the archives: that of the commit, so that the same commit gives the same bytes.
  private func commitTime() throws(SignetError) -> UnixTime {
    guard let seconds = try source.checkout.time() else { return ModulePacker.earliestTime }
    return max(UnixTime(seconds: seconds), ModulePacker.earliestTime)
  }

  private func check(_ built: ModuleDescription, _ stated: ModuleDescription) throws(SignetError) {
    let expected = "\(stated.identifier) \(source.spec.version), sequence \(stated.sequence)"
    let found = "\(built.identifier) \(built.version), sequence \(built.sequence)"
    guard expected.isExactly(found) else {
      throw SignetError(
        .packageOtherModule, ModuleDescription.path,
        "of the built module is another release than that of its sources",
        expected: expected, found: found, hint: "let the build take identifier, version and sequence from module.json"
      )
    }
  }

  private func sign(
    _ archive: String, _ sources: String, in folder: String, _ names: PackageFolder
  ) throws(SignetError) {
    func write(_ bundle: SigstoreBundle, _ name: String) throws(SignetError) {
      try OutputFile.write(bundle.canonicalBytes() + [UInt8(ascii: "\n")], to: "\(folder)/\(name)", .keep)
    }
    let (module, code) = (try RegularFile(opening: archive), try RegularFile(opening: sources))
    try write(
      signer.sign(module: .file(module), Signer.ModuleClaims(name: names.moduleName, signedAt: options.time)),
      BundleFile.single(names.moduleName))
    try write(
      signer.sign(.file(code), Signer.FileClaims(name: names.sourceName, signedAt: options.time)),
      BundleFile.single(names.sourceName))
    let predicate = ProvenancePredicate(repository: source.repository, commit: source.checkout.commit)
    let provenance = try signer.sign(
      predicate.json(tag: source.tag, spec: source.specPath), of: ProvenancePredicate.type,
      about: [(names.moduleName, module.sha256()), (names.sourceName, code.sha256())])
    for name in [names.moduleName, names.sourceName] {
      try write(provenance, ProvenancePredicate.place(beside: name))
    }
  }
}
