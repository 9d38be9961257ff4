internal import Signet
internal import SignetBase

/// Several modules that are loaded together, and what has become of each.
struct LoadingRound {
  /// What has become of the modules. A module without code is verified again in each round, and so is one that failed, but not for
  /// each of those that require it.
  var results: [ModuleIdentifier: Result<LoadedModule, SignetError>] = [:]
  /// Modules that are not loaded.
  var leftOut: Set<ModuleIdentifier> = []
  /// When suspects are opened.
  var suspectOrder = SuspectOrder.asked
  /// Modules that have to be looked at alone, and are not loaded since other code is on trial.
  var heldBack: [ModuleIdentifier] = []
  /// Modules that require one of these.
  var dependents: [ModuleIdentifier] = []
}

/// When a round opens modules with which the process may have crashed.
enum SuspectOrder {
  /// In a later round, after everything else.
  case last
  /// In this round, if no other code is on trial. The program has asked for a module, so nothing but suspects waits.
  case asked
  /// In this round, if no other code is on trial. Whatever requires the suspect waits until that has passed.
  case alone
  /// In this round, whatever is on trial: there are very many of them.
  case together

  /// Whether a module waits for a later round.
  func holdsBack(isSuspect: Bool, _ trial: TrialState) -> Bool {
    switch self {
    case .last: isSuspect
    case .asked: isSuspect && trial != .closed
    case .alone: isSuspect ? trial != .closed : trial == .ofSuspect
    case .together: false
    }
  }
}

/// What is on trial.
enum TrialState: Comparable {
  /// No code.
  case closed
  /// Code, and none of it with which the process may have crashed.
  case open
  /// Code with which the process may have crashed.
  case ofSuspect
}
