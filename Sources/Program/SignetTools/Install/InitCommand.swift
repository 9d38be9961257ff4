internal import ArgumentParser
internal import ModuleInstaller
internal import ModuleResolver
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem
internal import SignetTUF

struct InitCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Begin a Modfile, with a registry and a trust policy.",
    discussion: """
      Writes a Modfile, trust.json beside it, and what version control leaves out into .gitignore. With --source, the Modfile \
      names that registry, and registries/NAME.root.json is a copy of its first root, which must be signed by its own keys. \
      Get the root and the publishers' keys over a way that you trust. Requests nothing.

      Without --key, the policy trusts no one yet. Look at it with signet trust list.

      To a Modfile that is there, --source adds the registry, and --key adds the publisher to the policy that is there. \
      Nothing else changes, and another root is never overwritten. Then add modules with signet add.

      Examples:
        signet init
        signet init --source https://modules.example.com/registry \\
            --root 1.root.json --name example \\
            --modules 'com.example.**' --key publisher.pub
      """)

  @Option(
    name: .customLong("modfile"),
    help: ArgumentHelp("The Modfile to write, or to add to. By default Modfile.", valueName: "path"),
    completion: .file())
  var namedModfile: String?

  @Option(
    name: .long, help: ArgumentHelp("The address of a registry: http, https or oci.", valueName: "url"))
  var source: String?

  @Option(name: .long, help: "The name of the source. By default registry.")
  var name: String?

  @Option(
    name: .long, help: ArgumentHelp("The registry's first root, 1.root.json.", valueName: "path"), completion: .file()
  )
  var root: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The root's SHA-256. Only this root is accepted, no matter who owns or can write its file.", valueName: "hex"))
  var rootSha256: SHA256Argument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Modules that the registry may serve: com.example.**, or ** for any. Repeatable.", valueName: "pattern"))
  var modules: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Trust this public key for these modules: its file, or the key as text. Repeatable.", valueName: "key"),
    completion: .file())
  var key: [String] = []

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard (source == nil) == (root == nil), (source == nil) == modules.isEmpty else {
      throw ValidationError("--source, --root and --modules go together.")
    }
    if source == nil, name != nil || rootSha256 != nil || !key.isEmpty {
      throw ValidationError("--name, --root-sha256 and --key go with --source.")
    }
    if let name, ModfileName(name) == nil { throw ValidationError("\(name) is not the name of a source.") }
    for text in modules where ModulePattern(text) == nil {
      throw ValidationError("--modules \(text) is not a pattern.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    var files = ModfileOptions()
    files.namedModfile = namedModfile
    let policy = files.beside(InstallOptions.policyName)
    return try CommandRun.making("init", about: files.modfile, on: console) { (run) throws(SignetError) in
      // What is wrong has a name of its own, such as a root's.
      do throws(SignetError) { try begin(files, policy, &run) } catch  where error.code != .standardOutput {
        run.ended(error.object, error)
      }
    }
  }

  private func begin(_ files: ModfileOptions, _ policy: String, _ run: inout CommandRun) throws(SignetError) {
    try files.checkPlaces()
    let source = try moduleSource()
    // All that is there is read before anything is written.
    let modfile = try ProjectModfile(files, adding: source)
    let ignored = try ProjectIgnores(beside: files)
    let root = try firstRoot(files)
    let trust = try ProjectPolicy(policy, trusting: key, as: sourceName, for: modules)
    try root?.write()
    try trust.write()
    try ignored.write()
    // Last: it is what says that there is a project. A run that ended before it can be run again.
    try modfile.write()
    var lines = ["\(Console.good()) \(modfile.words)  \(files.modfile.display)"]
    if let root { lines.append("  root     \(root.path.display), SHA-256 \(root.sha256)") }
    lines.append("  policy   \(policy.display), \(trust.words)")
    lines.append("  ignored  \(ProjectIgnores.names), by \(ignored.path.display)")
    let add = "signet add MODULE\(namedModfile.map { " --modfile \($0.shellWord.display)" } ?? "")"
    if trust.isEmpty {
      lines.append(
        "  next     signet trust add \(policy.shellWord.display) --name NAME --key KEY --modules 'com.example.**'")
      lines.append("  then     \(add)")
    } else {
      lines.append("  next     \(add)")
    }
    try console.result(lines)
    run.did([
      .object(
        ("file", .string(files.modfile)), ("verdict", .string(modfile.verdict)),
        ("policy", .string(policy)),
        ("root", root.map { .string($0.path) }), ("rootSha256", root.map { .string($0.sha256) }))
    ])
  }

  private var sourceName: String { name ?? "registry" }

  private func moduleSource() throws(SignetError) -> ModuleSource? {
    guard let source, let name = ModfileName(sourceName) else { return nil }
    return try ModuleSource(name: name, url: source, modules: modules.compactMap { ModulePattern($0) })
  }

  /// The root that is copied; nil without a registry.
  private func firstRoot(_ files: ModfileOptions) throws(SignetError) -> ProjectRoot? {
    guard let root else { return nil }
    let bytes = try FirstRoot.read(root, pin: rootSha256)
    _ = try TrustedRoot(bytes, name: root)
    return try ProjectRoot(sourceName, bytes, in: files.beside("registries"))
  }
}

extension ProjectModfile {
  /// What is done, for people.
  fileprivate var words: String {
    switch change {
    case .begun: "begun"
    case .added: "added to"
    case .unchanged: "unchanged"
    }
  }

  /// What is done, for programs.
  fileprivate var verdict: String { change == .added ? "added" : words }
}

extension ModfileOptions {
  /// Checks that no place of a project leads elsewhere.
  fileprivate func checkPlaces() throws(SignetError) {
    for place in ["registries", InstallOptions.policyName, ".gitignore"] {
      try ProjectPlace.check(beside(place), option: nil)
    }
  }
}
