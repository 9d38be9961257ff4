internal import ModuleInstaller
internal import ModuleResolver
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetGit
internal import SignetProcesses
internal import SignetSystem
internal import SignetTUF

/// A run of a command that installs what a Modfile names.
struct InstallRun {
  let command: String
  let files: ModfileOptions
  let options: InstallOptions
  let console: Console

  /// Chooses releases, verifies all of them, installs, and writes the lock.
  ///
  /// - Parameters:
  ///   - mode: what is kept of the lock.
  ///   - isLocked: whether the lock must be there already, as it would be written.
  ///   - edit: makes another text of the Modfile, which is written before the lock.
  ///   - finish: makes another text of the Modfile as it was read, once releases are chosen, which the chosen ones fit,
  ///     too; nil to leave what `edit` has made.
  func run(
    _ mode: ModuleResolver.Mode, isLocked: Bool = false,
    editing edit: ((Modfile, [UInt8], ModuleLock?) throws(SignetError) -> [UInt8])? = nil,
    finishing finish: ((Resolution, Modfile, [UInt8]) throws(SignetError) -> [UInt8]?)? = nil
  ) throws(SignetError) -> ExitStatus {
    try CommandRun.aboutModfile(command, subject: files.modfile, on: console) { (run) throws(SignetError) in
      let plan = try plan(mode, editing: edit, finishing: finish)
      if isLocked, plan.lock != plan.installation.lock {
        throw Self.notLocked(files.lock, plan.lock, plan.installation.resolution)
      }
      let events = try install(plan, isLocked: isLocked)
      run.did(events.map(\.entry))
    }
  }

  /// What is to be installed, and what it was chosen from.
  private struct Plan {
    /// The Modfile as it was read, and as it shall be.
    let modfile: (before: [UInt8], after: [UInt8])
    /// The lock as it was read.
    let lock: ModuleLock?
    let policy: TrustPolicy
    let installation: ModfileInstallation
  }

  /// Chooses releases.
  private func plan(
    _ mode: ModuleResolver.Mode,
    editing edit: ((Modfile, [UInt8], ModuleLock?) throws(SignetError) -> [UInt8])?,
    finishing finish: ((Resolution, Modfile, [UInt8]) throws(SignetError) -> [UInt8]?)?
  ) throws(SignetError) -> Plan {
    var (modfile, bytes) = try files.projectFiles.read()
    let (read, before) = (modfile, bytes)
    let old = try files.projectFiles.readLock()
    if let edit {
      bytes = try edit(modfile, bytes, old)
      modfile = try Modfile(bytes)
    }
    let policy = try options.policy(of: files)
    let registries = try files.registries(
      modfile, isOffline: options.offline, under: policy, except: options.continuity.ofModfile(options.age))
    // Also where no release is left: the complaints say why.
    defer { for complaint in registries.complaints { console.warn(complaint) } }
    let installation: ModfileInstallation
    do throws(SignetError) {
      installation = try ModfileInstallation(files.forHost(modfile), lock: old, mode: mode, registries)
    } catch  where old != nil && !options.offline && error.isUnreachable {
      var error = error
      error.hint =
        "try again later; until then, what \(files.lock.display) names can be installed from the cache, if it is there: "
        + "signet install --offline"
      throw error
    }
    if let finish, let finished = try finish(installation.resolution, read, before) { bytes = finished }
    return Plan(modfile: (before, bytes), lock: old, policy: policy, installation: installation)
  }

  /// Fetches, verifies and installs, and tells what was done.
  private func install(_ plan: Plan, isLocked: Bool) throws(SignetError) -> [ModfileInstallation.Event] {
    let installation = plan.installation.keepingLock(isLocked)
    let (storePath, folder) = (try options.storePath(of: files), try options.sourcesFolder(of: files))
    let choice = try installation.choice(
      for: options.targetName, environment: Dictionary(ProcessVariables.all.map { ($0.name, $0.value) }) { $1 })
    for warning in choice.warnings { console.warn(warning) }
    let ready = try installation.fetch(for: options.targetName, under: plan.policy, as: choice) { module in
      console.note("fetch \(module.identifier) \(module.version)")
    }
    let store = try ModuleStore(creating: storePath, policy: plan.policy, clock: .system)
    if let warning = store.clockWarning() { console.warn(warning) }
    let (before, after) = ((plan.modfile.before, plan.lock), try installation.lock(after: ready))
    let change = try ProjectChange(of: files.projectFiles, from: before, to: plan.modfile.after, after)
    let drafts = change.drafts
    defer { Interruption.cleanUp(with: nil) }
    Interruption.cleanUp { for name in drafts { _ = try? OutputFile.remove(name) } }
    let events = try installation.apply(
      ready, for: options.targetName, to: store, sources: folder, writing: change
    ) { draft in
      Interruption.cleanUp {
        NewDirectory.remove(draft)
        for name in drafts { _ = try? OutputFile.remove(name) }
      }
    }
    try tell(of: events, installation, storePath, folder)
    options.tell(ofNamesBeside: installation.lock, on: console)
    for remark in installation.resolution.remarks { console.warn(remark.warning) }
    for module in try installation.local(for: options.targetName, in: store) { console.note(note(about: module)) }
    try console.result(summary(of: events, by: installation, choice: choice, folder: folder))
    return events
  }

  /// Tells what has changed of single modules.
  private func tell(
    of events: [ModfileInstallation.Event], _ installation: ModfileInstallation, _ storePath: String,
    _ folder: SourcesFolder
  ) throws(SignetError) {
    for change in installation.resolution.changes { try console.result(change.line) }
    let told = Set(installation.resolution.changes.compactMap(\.removed))
    for case .removed(let module, let version, let isSource) in events where !told.contains(module) {
      let place = isSource ? folder.path : storePath
      try console.result("- \(module)\(version.map { " \($0)" } ?? ""), from \(place.display)")
    }
    for case .repaired(let module) in events {
      console.note("\(module.module.identifier) was damaged in \(storePath.display), and is as it was signed again")
    }
    for case .letThrough(let remark) in events { console.warn(remark) }
    for case .lowered(let module) in events {
      console.note(
        "\(module.identifier) was newer than the lock for another target, and that release is removed: "
          + "install the target again to get \(module.version)")
    }
    for case .replaced(let module, let sequences) in events {
      let numbers = sequences.map { "\($0)" }.joined(separator: ", ")
      console.note(
        "\(module.identifier) was newer than the lock, installed by hand: the release with sequence \(numbers) is removed, "
          + "because hosts load what the lock says")
    }
  }

  /// What to do with a module of a folder.
  private func note(about module: ModfileInstallation.LocalModule) -> String {
    let store = options.store(of: files).display
    let steps =
      "build, sign and install it by hand (signet store install FILE --store \(store) --policy "
      + "\(options.policyPath(of: files).display))"
    guard let taken = module.taken else { return "\(module.identifier) is in a folder: \(steps)" }
    return
      "\(module.identifier) is in a folder with sequence \(module.sequence), and \(store) has a release with sequence "
      + "\(taken): first raise the sequence in \(module.folder.description.display)/module.json above \(taken), then \(steps)"
  }

  /// What has changed on this machine, in lines: at least one.
  private func summary(
    of events: [ModfileInstallation.Event], by installation: ModfileInstallation, choice: BinaryChoice,
    folder: SourcesFolder
  ) -> [String] {
    func line(_ word: String, _ count: Int, _ rest: String) -> [String] {
      count > 0 ? ["\(Console.good()) \(word)  \(count.of("module", "modules")) \(rest)"] : []
    }
    let unpacked = events.count { if case .unpacked(_, _, true) = $0 { true } else { false } }
    let changes =
      line(
        "installed", events.count { if case .installed(_, true) = $0 { true } else { false } },
        "into \(options.store(of: files).display)")
      + line(
        "repaired", events.count { if case .repaired = $0 { true } else { false } },
        "in \(options.store(of: files).display)")
      + line("unpacked", unpacked, "into \(folder.path.display)")
      + (unpacked > 0 ? ["  next      let the host's build find them there"] : [])
      + binaries(events, installation, choice)
      + line(
        "removed", events.count { if case .removed(_, _, false) = $0 { true } else { false } },
        "from \(options.store(of: files).display)")
      + line(
        "removed", events.count { if case .removed(_, _, true) = $0 { true } else { false } },
        "from \(folder.path.display)")
      + line(
        "lowered", events.count { if case .lowered = $0 { true } else { false } },
        "to what \(files.lock.display) says")
    guard changes.isEmpty else { return changes }
    let kept = events.count {
      switch $0 {
      case .installed, .repaired, .unpacked: true
      case .removed, .lowered, .replaced, .letThrough: false
      }
    }
    guard installation.resolution.changes.isEmpty else {
      let locked = installation.lock.modules
      let count = locked.isEmpty ? "no module" : locked.count.of("module", "modules")
      return ["\(Console.good()) locked  \(count) in \(files.lock.display)"]
    }
    return kept > 0
      ? ["\(Console.good()) unchanged  \(kept.of("module is", "modules are")) as \(files.lock.display) says"]
      : ["\(Console.good()) unchanged  there is nothing to install"]
  }

  /// That modules were unpacked which have a binary, too: who wants hosts to load it may have forgotten to ask for it.
  private func binaries(
    _ events: [ModfileInstallation.Event], _ installation: ModfileInstallation, _ choice: BinaryChoice
  ) -> [String] {
    let sources = Set(choice.uses.filter { $0.use == .source }.map(\.module))
    let both = Set(
      installation.resolution.modules.filter { module in
        guard case .source = module.origin else { return false }
        return module.release.hasBinary && sources.contains(module.identifier)
      }.map(\.identifier))
    let count = events.count { event in
      if case .unpacked(let module, _, true) = event { both.contains(module.identifier) } else { false }
    }
    guard count > 0 else { return [] }
    return [
      "  or        use_lib=1 signet install for binaries in \(options.store(of: files).display): "
        + "\(count.of("module has one", "modules have one"))"
    ]
  }

  private static func notLocked(_ path: String, _ old: ModuleLock?, _ resolution: Resolution) -> SignetError {
    SignetError(
      .installNotLocked, path, old == nil ? "is missing" : "does not fit the Modfile",
      found: resolution.changes.map(\.line).joined(separator: "; "),
      hint: "install without --locked, look at the change, and commit it")
  }
}

extension CommandRun {
  /// Runs a command about a Modfile. What is wrong has a name of its own, such as a module's, or another file's.
  static func aboutModfile(
    _ command: String, subject: String, on console: Console, _ body: (inout CommandRun) throws(SignetError) -> Void
  ) throws(SignetError) -> ExitStatus {
    try judging(command, about: subject, on: console) { (run) throws(SignetError) in
      do throws(SignetError) { try body(&run) } catch  where error.code != .standardOutput {
        // A conflict is told in sentences, one a line, and not as the cause, too.
        let explanation = error.cause as? ConflictExplanation
        var told = error
        if explanation != nil { told.cause = nil }
        console.tell(of: told, told.object)
        for sentence in explanation?.sentences ?? [] { console.note(sentence.display) }
        run.ended(error, as: Report.ended(subject, error))
      }
    }
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

extension ModfileInstallation.Event {
  /// The event in a report.
  fileprivate var entry: JSONValue {
    switch self {
    case .installed(let module, let isChanged):
      .object([("verdict", .string(isChanged ? "installed" : "unchanged"))] + module.members)
    case .repaired(let module): .object([("verdict", .string("repaired"))] + module.members)
    case .unpacked(let module, let path, let isChanged):
      .object(
        ("verdict", .string(isChanged ? "unpacked" : "unchanged")), ("identifier", .string("\(module.identifier)")),
        ("version", .string("\(module.version)")), ("path", .string(path)))
    case .removed(let module, let version, let isSource):
      .object(
        ("verdict", .string("removed")), ("identifier", .string("\(module)")),
        ("version", version.map { .string("\($0)") }), ("form", .string(isSource ? "source" : "binary")))
    case .lowered(let module):
      .object(
        ("verdict", .string("lowered")), ("identifier", .string("\(module.identifier)")),
        ("version", .string("\(module.version)")))
    case .replaced(let module, let sequences):
      .object(
        ("verdict", .string("replaced")), ("identifier", .string("\(module.identifier)")),
        ("version", .string("\(module.version)")), ("sequences", .array(sequences.map { .integer($0) })))
    case .letThrough(let remark):
      .object(
        ("verdict", .string("let through")), ("code", .string("\(remark.code)")), ("object", .string(remark.object)))
    }
  }
}

extension Resolution.Change {
  /// The module, if it has left the lock.
  fileprivate var removed: ModuleIdentifier? { if case .removed(let module, _) = self { module } else { nil } }

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
        found: reason.display,
        hint:
          "take a later release: signet update \(module); where there is none, let its line in the Modfile accept an "
          + "older one, or ask the publisher"
      )
    case .notOffered(let module, let version):
      SignetError(
        .installNotOffered, "\(module) \(version)",
        "is in the lock, and is offered no longer, so another release was chosen")
    case .sequenceFell(let module, let from, let to, let cause):
      SignetError(
        .installSequenceFell, "\(module)",
        "gets a lower sequence than before, which hosts that have loaded it refuse",
        expected: "\(from) or higher", found: "\(to)", hint: cause.hint(module))
    }
  }
}

extension Resolution.FallCause {
  /// What to do about it.
  fileprivate func hint(_ module: ModuleIdentifier) -> String {
    switch self {
    case .choice: "demand a later version in the Modfile"
    case .withdrawal(let version):
      "\(version) was withdrawn: ask the publisher for a release that replaces it; to go back until then, forget in each "
        + "store what hosts have loaded: signet store floor --reset \(module) --store DIR --policy POLICY"
    case .demand:
      "if that is meant, forget in each store what hosts have loaded: signet store floor --reset \(module) --store DIR "
        + "--policy POLICY; otherwise let the Modfile accept a later version"
    case .override(.path(let path)): "raise the sequence in \(path.description.display)/module.json"
    case .override(.commit): "name a commit whose module.json has a higher sequence"
    case .endOfOverride(let override):
      "keep \("\(override)".display) in the Modfile until its source offers a later release"
    }
  }
}
