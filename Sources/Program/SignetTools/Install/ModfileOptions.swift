internal import ArgumentParser
internal import ModuleInstaller
internal import ModuleResolver
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetSystem
internal import SignetTUF

/// The Modfile of a project, and how its registries are reached.
struct ModfileOptions: ParsableArguments {
  @Option(
    name: .customLong("modfile"),
    help: ArgumentHelp("The Modfile. Modfile.lock is beside it. By default Modfile.", valueName: "path"),
    completion: .file())
  var namedModfile: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory with the first root of each source, NAME.root.json. By default registries, beside the Modfile.",
      valueName: "dir"),
    completion: .directory)
  var roots: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory for what all projects share. By default signet in $XDG_CACHE_HOME, or in ~/.cache.",
      valueName: "dir"),
    completion: .directory)
  var cache: String?

  @OptionGroup var access: CredentialOptions

  @Option(
    name: .long,
    help: ArgumentHelp("Identify https servers by these authorities (PEM), not by the system's.", valueName: "path"),
    completion: .file())
  var authorities: String?

  @Option(name: .long, help: ArgumentHelp("Use this proxy. Those of the environment do not count.", valueName: "url"))
  var proxy: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The host's version, in place of the one in the Modfile. Releases that do not support it are not chosen.",
      valueName: "version"))
  var hostVersion: String?

  func validate() throws {
    if let hostVersion, SemanticVersion(hostVersion) == nil {
      throw ValidationError("\(hostVersion) is not a version such as 1.4.0.")
    }
  }

  /// The Modfile for the host that the command line names.
  func forHost(_ modfile: Modfile) -> Modfile {
    hostVersion.flatMap { SemanticVersion($0) }.map { modfile.with(host: $0) } ?? modfile
  }

  /// The path of the Modfile.
  var modfile: String { projectFiles.modfile }

  /// The path of the lock.
  var lock: String { projectFiles.lock }

  /// The folder of the Modfile.
  var project: String {
    guard let slash = modfile.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == modfile.startIndex ? "/" : String(modfile[..<slash])
  }

  /// The path of what lies beside the Modfile, unless the command line names another place.
  func beside(_ name: String) -> String {
    project.isExactly(".") ? name : "\(project.isExactly("/") ? "" : project)/\(name)"
  }

  /// The Modfile and its lock.
  var projectFiles: ProjectFiles {
    namedModfile.map { ProjectFiles(named: $0) } ?? ProjectFiles(usual: "Modfile")
  }

  /// The access to the registries.
  ///
  /// - Parameters:
  ///   - isOffline: whether nobody is asked.
  ///   - policy: whom the host trusts, where something is installed.
  /// - Throws: `fetch.url`; `install.offline` if there is no place for the cache; `install.link`.
  func registries(
    _ modfile: Modfile, isOffline: Bool, under policy: TrustPolicy? = nil,
    except exceptions: InstallExceptions = InstallExceptions()
  ) throws(SignetError) -> RegistryAccess {
    let folder = beside("registries")
    if roots == nil {
      try ProjectPlace.check(folder, option: "--roots DIR")
      for source in modfile.sources {
        try ProjectPlace.check("\(folder)/\(source.name).root.json", option: "--roots DIR")
      }
    }
    let sources = MirrorSources(credentials: access, authorities: authorities, proxy: proxy)
    let mirror: @Sendable (String) throws(SignetError) -> RepositoryMirror = { (url) throws(SignetError) in
      try sources.mirror(of: url)
    }
    let files: @Sendable (String) throws(SignetError) -> any RepositorySource = { (url) throws(SignetError) in
      try sources.source(url, hasLargeFiles: true)
    }
    var settings = RegistryAccess.Settings(
      project: project, roots: roots ?? folder, cache: InstallCache(try cachePath()),
      clock: .system, mirror: isOffline ? nil : mirror,
      files: isOffline ? nil : files, policy: policy)
    (settings.exceptions, settings.minimumAge) = (exceptions, modfile.minimumAge)
    return RegistryAccess(settings)
  }

  private func cachePath() throws(SignetError) -> String {
    if let cache { return cache }
    // Paths that are not absolute do not count (XDG Base Directory Specification).
    if let base = ProcessEnvironment.value("XDG_CACHE_HOME"), base.utf8.first == UInt8(ascii: "/") {
      return base + "/signet"
    }
    guard let home = ProcessEnvironment.value("HOME"), home.utf8.first == UInt8(ascii: "/") else {
      throw SignetError(
        .installOffline, "the cache", "has no place, because HOME is not set", hint: "name a directory: --cache DIR")
    }
    return home + "/.cache/signet"
  }
}

extension PolicyPinOptions {
  /// Reads a policy's file.
  ///
  /// - Parameter isUsual: whether it is in the place where commands look if none is named.
  /// - Throws: `file.…`, `policy.…`.
  func policy(_ path: String, isUsual: Bool, allowsTestKeys: Bool) throws(SignetError) -> TrustPolicy {
    do throws(SignetError) { return try policy(path, allowsTestKeys: allowsTestKeys) } catch
      where isUsual && error.code == .fileMissing
    {
      var error = error
      error.hint = "name the trust policy: --policy PATH; if there is none yet: signet trust init trust.json"
      throw error
    }
  }
}

/// Where the modules of a Modfile are installed.
struct InstallOptions: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp("The store's directory. By default modules, beside the Modfile.", valueName: "dir"),
    completion: .directory)
  var namedStore: String?

  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "Trust the signers of this trust policy. By default trust.json, beside the Modfile.", valueName: "path"),
    completion: .file())
  var namedPolicy: String?

  @OptionGroup var pin: PolicyPinOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory for modules that are used as source. By default sources, beside the Modfile.", valueName: "dir"),
    completion: .directory)
  var sources: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Install the modules of this target, too. Without it those outside of all targets.", valueName: "name"))
  var target: String?

  @Flag(name: .long, help: "Ask nobody: use what the cache has.")
  var offline = false

  @OptionGroup var age: AgeOptions
  @OptionGroup var continuity: ContinuityOptions

  /// Tells of releases that the command line names, and that were not chosen.
  func tell(ofNamesBeside lock: ModuleLock, on console: Console) {
    for (option, name) in continuity.named.map({ ("--allow-less", $0) }) + age.named.map({ ("--allow-new", $0) })
    where lock[name.identifier].map({ !name.isOf($0.identifier, $0.version) }) ?? true {
      console.note("\(option) \(name) names no release that was chosen")
    }
  }

  func validate() throws {
    if let target, ModfileName(target) == nil { throw ValidationError("\(target) is not the name of a target.") }
  }

  /// The path of the store of a project.
  func store(of files: ModfileOptions) -> String { namedStore ?? files.beside(Self.storeName) }

  /// The path of the store, which is no link unless it is named.
  ///
  /// - Throws: `install.link`.
  func storePath(of files: ModfileOptions) throws(SignetError) -> String {
    let store = store(of: files)
    if namedStore == nil { try ProjectPlace.check(store, option: "--store DIR") }
    return store
  }

  /// The path of the trust policy of a project.
  func policyPath(of files: ModfileOptions) -> String { namedPolicy ?? files.beside(Self.policyName) }

  /// Reads the trust policy of a project.
  ///
  /// - Throws: `file.…`, `policy.…`.
  func policy(of files: ModfileOptions) throws(SignetError) -> TrustPolicy {
    try pin.policy(policyPath(of: files), isUsual: namedPolicy == nil, allowsTestKeys: false)
  }

  /// The name of a project's store.
  static let storeName = "modules"

  /// The name of a project's trust policy.
  static let policyName = "trust.json"

  /// The folder for sources of a project.
  ///
  /// - Throws: `install.link`.
  func sourcesFolder(of files: ModfileOptions) throws(SignetError) -> SourcesFolder {
    if let sources { return SourcesFolder(sources) }
    let usual = files.beside("sources")
    try ProjectPlace.check(usual, option: "--sources DIR")
    return SourcesFolder(usual)
  }

  /// The name of the target.
  var targetName: ModfileName? { target.flatMap(ModfileName.init) }
}
