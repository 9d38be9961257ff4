internal import ModuleInstaller
internal import ModuleResolver
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem
internal import SignetTUF

/// A run of a command that installs what a Modfile names.
struct InstallRun {
  let command: String
  let files: ModfileOptions
  let options: InstallOptions
  let console: Console

  /// Chooses releases, verifies all of them, writes the lock, and installs.
  ///
  /// - Parameters:
  ///   - mode: what is kept of the lock.
  ///   - isLocked: whether the lock must be there already, as it would be written.
  ///   - edit: makes another text of the Modfile, which is written before the lock.
  func run(
    _ mode: ModuleResolver.Mode, isLocked: Bool = false,
    editing edit: ((Modfile, [UInt8]) throws(SignetError) -> [UInt8])? = nil
  ) throws(SignetError) -> ExitStatus {
    try Self.reporting(command, files.modfile, console) { () throws(SignetError) in
      var (modfile, text) = try files.read()
      var new: [UInt8]?
      if let edit {
        text = try edit(modfile, text)
        modfile = try Modfile(text)
        new = text
      }
      let old = try files.readLock()
      let policy = try options.pin.policy(options.policy, allowsTestKeys: false)
      let registries = try files.registries(isOffline: options.offline)
      let installation = try ModfileInstallation(files.forHost(modfile), lock: old, mode: mode, registries)
      for complaint in registries.complaints { console.warn(complaint) }
      if isLocked, old != installation.lock { throw Self.notLocked(files.lock, old, installation.resolution) }
      let choice = try installation.choice(
        for: options.targetName, environment: Dictionary(ProcessVariables.all.map { ($0.name, $0.value) }) { $1 })
      for warning in choice.warnings { console.warn(warning) }
      let ready = try installation.fetch(for: options.targetName, under: policy, as: choice) { module in
        console.note("fetch \(module.identifier) \(module.version)")
      }
      let folder = SourcesFolder(options.sources ?? "\(files.project)/sources")
      try installation.checkPlaces(of: ready, for: options.targetName, in: folder)
      // After an end in between, the lock says what to install, and this file what to remove.
      let unfinished = try files.readUnfinished()
      let leaving = installation.leaving([old, unfinished].compactMap(\.self))
      if !leaving.isEmpty {
        let text = try ModuleLock(leaving).text
        try OutputFile.write(Array(text.utf8), to: files.unfinished, .replace(unless: []))
      }
      if let new { try OutputFile.write(new, to: files.modfile, .replace(unless: [])) }
      if old != installation.lock {
        try OutputFile.write(Array(installation.lock.text.utf8), to: files.lock, .replace(unless: []))
      }
      let store = try ModuleStore(creating: options.store, policy: policy, clock: .system)
      if let warning = store.clockWarning() { console.warn(warning) }
      var entries: [JSONValue] = []
      let changes = installation.resolution.changes
      for change in changes { try console.result(change.line) }
      for remark in installation.resolution.remarks { console.warn(remark.warning) }
      try installation.install(ready, into: store, under: policy) { (installed) throws(SignetError) in
        entries.append(.object([("verdict", .string("installed"))] + installed.members))
      }
      var unpacked = 0
      func tell(_ module: LockedModule, _ path: String) {
        unpacked += 1
        entries.append(
          .object(
            ("verdict", .string("unpacked")), ("identifier", .string("\(module.identifier)")),
            ("version", .string("\(module.version)")), ("path", .string(path))))
      }
      func began(_ draft: String) { Interruption.cleanUp { NewDirectory.remove(draft) } }
      defer { Interruption.cleanUp(with: nil) }
      try installation.unpack(ready, into: folder, under: policy, began: began) {
        (module, path) throws(SignetError) in
        tell(module, path)
      }
      var unwanted = ready.filter { $0.use == .source }.map { ($0.module.identifier, $0.module.version) }
      try installation.unpackCommits(for: options.targetName, into: folder, began: began) {
        (module, path) throws(SignetError) in
        tell(module, path)
        unwanted.append((module.identifier, module.version))
      }
      // A module is in one of both places: a host must not load what its build has built in.
      for module in ready where module.use == .binary { try folder.remove(module.module.identifier) }
      // What nothing requires any longer is no longer wanted in the store.
      for module in leaving {
        unwanted.append((module.identifier, module.version))
        try folder.remove(module.identifier)
      }
      for (module, version) in unwanted {
        do throws(SignetError) {
          _ = try store.remove(module)
          entries.append(
            .object(
              ("verdict", .string("removed")), ("identifier", .string("\(module)")),
              ("version", .string("\(version)"))))
        } catch  where error.code == .storeNotInstalled {
          continue
        }
      }
      if unfinished != nil || !leaving.isEmpty { try OutputFile.remove(files.unfinished) }
      for module in try installation.local(for: options.targetName) {
        try folder.remove(module.identifier)
        console.note(
          "\(module.identifier) is in a folder: build, sign and install it by hand (signet module install)")
      }
      let installed = ready.count { $0.use == .binary }
      if installed > 0 || unpacked == 0 {
        try console.result(
          "\(Console.good()) installed  \(installed.of("module", "modules")) into \(options.store.display)")
      }
      if unpacked > 0 {
        try console.result(
          "\(Console.good()) unpacked  \(unpacked.of("module", "modules")) into \(folder.path.display)",
          "  next      let the host's build find them there")
      }
      return entries
    }
  }

  private static func notLocked(_ path: String, _ old: ModuleLock?, _ resolution: Resolution) -> SignetError {
    SignetError(
      .installNotLocked, path, old == nil ? "is missing" : "does not fit the Modfile",
      found: resolution.changes.map(\.line).joined(separator: "; "),
      hint: "install without --locked, look at the change, and commit it")
  }

  /// Runs the body, and reports what it did or why not.
  static func reporting(
    _ command: String, _ subject: String, _ console: Console, _ body: () throws(SignetError) -> [JSONValue]
  ) throws(SignetError) -> ExitStatus {
    let entries: [JSONValue]
    do throws(SignetError) { entries = try body() } catch  where error.code != .standardOutput {
      let status: ExitStatus = error.isInstallFailure ? .failed : .refused
      if status == .refused { console.refuse(subject, [error]) } else { console.complain(subject, error) }
      // A conflict is told in sentences, one a line.
      if let explanation = error.cause as? ConflictExplanation {
        for sentence in explanation.sentences { console.note(sentence.display) }
      }
      if console.isJSON {
        let entry = status == .refused ? Report.refused(subject, error) : Report.failed(subject, error)
        try console.document(Report.document(command, [entry], status))
      }
      return status
    }
    if console.isJSON { try console.document(Report.document(command, entries, .done)) }
    return .done
  }
}

extension SignetError {
  /// The failures that say nothing about what is installed: the command could not be done.
  private static let installFailures = Set.aboutFiles.union(Set.aboutOutputs).union(Set.aboutGit).union([
    .installNoRoot, .installOffline, .installOverride, .installSourceFolder, .cryptoFailure, .extractionFailed,
    .resolveNotLocked,
    .resolveTooHard, .resolveBounds, .storeLocked, .storeWriteFailed, .storeNotSynced, .storeBounds, .storeFileSystem,
    .storeStateMissing, .storeStateMalformed, .tufUnreachable, .tufTooSlow, .tufNotFound, .fetchURL,
    .fetchUnavailable,
  ])

  fileprivate var isInstallFailure: Bool {
    Self.installFailures.contains(code)
      || ["modfile.", "lockfile."].contains { code.rawValue.utf8.starts(with: $0.utf8) }
  }
}

extension BinaryChoice {
  /// What somebody who has set variables should know.
  fileprivate var warnings: [SignetError] {
    unknown.map { name in
      SignetError(
        .installSwitch, name.display, "names no module that is installed", expected: "use_lib, or NAME_use_lib",
        hint: "write the identifier with _ for each dot and __ for each hyphen")
    }
      + withoutBinary.map { module in
        SignetError(.installSwitch, BinaryChoice.variable(of: module), "asks for a binary of a module that has none")
      }
  }
}

extension Resolution.Change {
  /// The change in a line.
  var line: String {
    switch self {
    case .added(let module, let version): "+ \(module) \(version)"
    case .changed(let module, let from, let to): "~ \(module) \(from) -> \(to)"
    case .removed(let module, let version): "- \(module) \(version)"
    }
  }
}

extension Resolution.Remark {
  /// The remark as a warning.
  fileprivate var warning: SignetError {
    switch self {
    case .withdrawn(let module, let version, let reason):
      SignetError(
        .installWithdrawn, "\(module) \(version)", "was withdrawn by its publisher, and is kept because of the lock",
        found: reason.display, hint: "signet update \(module)")
    case .notOffered(let module, let version):
      SignetError(
        .installNotOffered, "\(module) \(version)",
        "is in the lock, and is offered no longer, so another release was chosen")
    case .sequenceFell(let module, let from, let to):
      SignetError(
        .installSequenceFell, "\(module)",
        "gets a lower sequence than before, which hosts that have loaded it refuse",
        expected: "\(from) or higher", found: "\(to)", hint: "demand a later version in the Modfile")
    }
  }
}
