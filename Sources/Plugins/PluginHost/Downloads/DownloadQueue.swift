internal import Signet

/// The queue of modules to fetch. It orders them so that no server keeps transfers from others waiting.
struct DownloadQueue {
  /// The greatest number of transfers at once: as many as browsers have connections to one server. Others wait.
  static let limit = 6

  private struct Entry {
    let module: ModuleIdentifier
    let origin: String
    /// The earliest time at which the transfer may begin. A retry has to wait for it.
    let ready: ContinuousClock.Instant
  }

  /// The greatest number of transfers from one server at once.
  let perOrigin: Int
  /// Modules that wait, in the order of the requests.
  private var waiting: [Entry] = []
  /// How many transfers of each server are under way.
  private var running: [String: Int] = [:]
  private var runningCount = 0

  init(perOrigin: Int) { self.perOrigin = max(1, perOrigin) }

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ module: ModuleIdentifier, _ origin: String, ready: ContinuousClock.Instant) {
    waiting.append(Entry(module: module, origin: origin, ready: ready))
  }

  /// Removes a waiting module.
  ///
  /// - Returns: whether it was waiting.
  mutating func remove(_ module: ModuleIdentifier) -> Bool {
    guard let place = waiting.firstIndex(where: { $0.module == module }) else { return false }
    waiting.remove(at: place)
    return true
  }

  /// Removes all waiting modules.
  mutating func removeAll() -> [ModuleIdentifier] {
    defer { waiting = [] }
    return waiting.map(\.module)
  }

  /// Takes the next module: of the server with the fewest transfers under way, and of these the first.
  mutating func next(at now: ContinuousClock.Instant) -> ModuleIdentifier? {
    guard let place = place(at: now, without: nil) else { return nil }
    let entry = waiting.remove(at: place)
    running[entry.origin, default: 0] += 1
    runningCount += 1
    return entry.module
  }

  /// Notes that a transfer or its turn has ended.
  mutating func end(_ origin: String) {
    runningCount -= 1
    running[origin] = running[origin].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// When the first waiting retry may begin; nil if no retry waits, or each first needs another transfer to end.
  func nextReady(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    waiting.filter { running[$0.origin] ?? 0 < perOrigin }.map(\.ready).min()
  }

  /// Whether another transfer could begin only if one of this server gave up its place.
  func isAnotherWaiting(for origin: String, at now: ContinuousClock.Instant) -> Bool {
    guard place(at: now, without: origin) != nil else { return false }
    return runningCount >= Self.limit || place(at: now, without: nil) == nil
  }

  /// - Parameter without: a server of which one transfer is not counted.
  private func place(at now: ContinuousClock.Instant, without: String?) -> Int? {
    var best: (place: Int, count: Int)?
    for (place, entry) in waiting.enumerated() where entry.ready <= now {
      let count = (running[entry.origin] ?? 0) - (entry.origin == without ? 1 : 0)
      if count < perOrigin, best.map({ count < $0.count }) != false { best = (place, count) }
    }
    return best?.place
  }
}
