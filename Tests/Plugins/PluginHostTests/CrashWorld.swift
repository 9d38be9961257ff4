import Signet
import SignetCrypto

@testable import ModuleStore
@testable import PluginHost

/// A model of hosts that start, run and crash, one after another, with a few modules each of which behaves in its own way.
///
/// Journals, counting, the order and the queue are the product's own. The model repeats how a host loads modules and what requires them; it knows no
/// `markHealthy()` and no failures in order. Time goes in ticks.
struct CrashWorld: CustomStringConvertible {
  /// What a module does each time it is loaded.
  enum Behaviour: CaseIterable {
    case sound
    /// It is sound, and loading it takes as long as the half of a trial.
    case slow
    /// The process crashes while it is loaded.
    case crashesLoading
    /// The process crashes some time after it was loaded, within its trial.
    case crashesLater

    var isGuilty: Bool { self == .crashesLoading || self == .crashesLater }
  }

  /// Two modules each of which is sound without the other.
  struct Conflict: Hashable, CustomStringConvertible {
    enum Kind: CaseIterable {
      /// The process crashes if one is loaded while the other is on trial.
      case onTrial
      /// The process crashes if both are loaded.
      case inProcess
    }
    let one: ModuleIdentifier
    let other: ModuleIdentifier
    let kind: Kind

    /// The module with which a module does not get on.
    func partner(of module: ModuleIdentifier) -> ModuleIdentifier? {
      module == one ? other : module == other ? one : nil
    }
    var description: String { "\(one) and \(other) \(kind)" }
  }

  /// Ticks of a trial.
  static let trial = 4

  private(set) var state = StoreState()
  /// How often the process has crashed.
  private(set) var crashes = 0
  /// What runs at the end of the last start.
  private(set) var running: Set<ModuleIdentifier> = []

  let modules: [ModuleIdentifier]
  private let behaviours: [ModuleIdentifier: Behaviour]
  /// What each module requires.
  private let requirements: [ModuleIdentifier: ModuleIdentifier]
  /// The modules that do not get on with each other.
  private let conflicts: [Conflict]

  /// - Parameters:
  ///   - old: the modules that have run well before.
  ///   - requirements: what each module requires.
  ///   - conflicts: the modules that do not get on with each other.
  init(
    _ behaviours: [ModuleIdentifier: Behaviour], old: Set<ModuleIdentifier>,
    requirements: [ModuleIdentifier: ModuleIdentifier] = [:], conflicts: [Conflict] = []
  ) throws {
    self.behaviours = behaviours
    self.requirements = requirements
    self.conflicts = conflicts
    modules = behaviours.keys.sorted { "\($0)" < "\($1)" }
    for module in modules {
      let release = StoreState.Release(
        sequence: 1, sha256: try Digest.of([], .sha256), hasRunWell: old.contains(module))
      state.modules[module] = ModuleRecord(releases: [release])
    }
  }

  var description: String {
    modules.map { module in
      let record = state.modules[module]?.crash(1)
      let suspicion = record?.suspicion.map { "\($0.grade) \($0.crash)" } ?? "none"
      let isOld = state.modules[module]?.release(1)?.hasRunWell ?? false
      return
        "\(module) \(behaviours[module].map { "\($0)" } ?? "")\(isOld ? " old" : "") \(record?.count ?? 0) \(suspicion)"
        + (record?.lane.map { " lane \($0)" } ?? "")
    }
    .joined(separator: ", ") + conflicts.map { ", \($0)" }.joined()
  }

  /// The modules that were set aside.
  var setAside: Set<ModuleIdentifier> { Set(modules.filter { state.modules[$0]?.isSetAside(1) ?? false }) }

  /// What a run does until it has crashed, or everything is loaded and no trial is open.
  private struct Run {
    var lines: [JournalLine] = [.start]
    var now = 0
    var queue = HeldBackModules()
    var trial = TrialState.closed
    /// When the trial ends, while it is open.
    var end = 0
    /// When the process crashes, as far as that is known by now.
    var crash = Int.max
    var loaded: Set<ModuleIdentifier> = []
    var onTrial: Set<ModuleIdentifier> = []
    /// What this round has not loaded.
    var heldBack: [ModuleIdentifier] = []
    var dependents: [ModuleIdentifier] = []
    var hasCrashed: Bool { now >= crash }
  }

  /// A start of a host, and its run.
  ///
  /// - Parameters:
  ///   - killed: the tick at which the process is killed by somebody else.
  ///   - delay: after how many ticks a module that crashes later does so, from 1 to less than a trial.
  /// - Returns: whether it crashed, or was killed.
  mutating func start(killed: Int? = nil, delay: (ModuleIdentifier) -> Int) -> Bool {
    var run = Run()
    run.crash = killed ?? .max
    let suspects = state.heldBack(among: modules).flatMap(\.self)
    for module in modules where !suspects.contains(module) { load(module, .last, &run, delay) }
    for module in suspects { load(module, .alone, &run, delay) }
    end(&run)
    while !run.hasCrashed {
      if run.trial != .closed {
        run.now = min(run.end, run.crash)
        guard !run.hasCrashed else { break }
        let passed = run.onTrial.map(name).sorted { "\($0)" < "\($1)" }
        run.lines += passed.map { .well($0) } + [.noted]
        state.noteWell(passed)
        run.onTrial = []
        run.trial = .closed
      }
      guard let (modules, areTogether) = run.queue.next() else { break }
      for module in modules { load(module, areTogether ? .together : .alone, &run, delay) }
      end(&run)
    }
    running = run.loaded
    guard run.hasCrashed else { return false }
    crashes += 1
    let text = run.lines.map { "\($0)\n" }.joined()
    state.count([JournalRecord("run-\(crashes)", text)], [:])
    return true
  }

  /// A round ends: what is on trial is so from now on for a whole trial.
  private func end(_ run: inout Run) {
    run.end = run.now + Self.trial
    let loaded = run.loaded
    let waiting = run.heldBack.filter { !loaded.contains($0) }
    let batches = state.heldBack(among: waiting)
    run.queue.add(
      batches + waiting.filter { !batches.joined().contains($0) }.map { [$0] }, dependents: run.dependents)
    run.heldBack = []
    run.dependents = []
  }

  private func name(_ module: ModuleIdentifier) -> ModuleStore.ReleaseName {
    ModuleStore.ReleaseName(identifier: module, sequence: 1)
  }

  /// A module that was asked for.
  private func load(
    _ module: ModuleIdentifier, _ order: SuspectOrder, _ run: inout Run, _ delay: (ModuleIdentifier) -> Int
  ) {
    guard !enter(module, order, &run, delay), !run.heldBack.contains(module), !run.heldBack.isEmpty else { return }
    run.dependents.append(module)
  }

  /// - Returns: whether it is loaded.
  private func enter(
    _ module: ModuleIdentifier, _ order: SuspectOrder, _ run: inout Run, _ delay: (ModuleIdentifier) -> Int
  ) -> Bool {
    guard !run.hasCrashed, !setAside.contains(module) else { return false }
    guard !run.loaded.contains(module) else { return true }
    if let required = requirements[module], !enter(required, order, &run, delay) { return false }
    let isSuspect = state.modules[module]?.crash(1)?.isHeldBack ?? false
    guard !order.holdsBack(isSuspect: isSuspect, run.trial) else {
      run.heldBack.append(module)
      return false
    }
    run.lines.append(.loading(name(module)))
    run.trial = isSuspect || run.trial == .ofSuspect ? .ofSuspect : .open
    switch behaviours[module] ?? .sound {
    case .sound: break
    case .slow: run.now = min(run.now + Self.trial / 2, run.crash)
    case .crashesLoading: run.crash = run.now
    case .crashesLater: run.crash = min(run.crash, run.now + delay(module))
    }
    for conflict in conflicts {
      guard let partner = conflict.partner(of: module) else { continue }
      let isThere = conflict.kind == .onTrial ? run.onTrial.contains(partner) : run.loaded.contains(partner)
      if isThere { run.crash = min(run.crash, run.now + delay(module)) }
    }
    guard !run.hasCrashed else { return false }
    run.lines.append(.loaded(name(module)))
    run.loaded.insert(module)
    run.onTrial.insert(module)
    return true
  }
}
