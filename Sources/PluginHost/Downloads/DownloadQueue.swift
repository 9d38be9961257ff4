internal import Signet

/// Which of the modules that are to be fetched comes next, so that no server keeps those of others waiting.
struct DownloadQueue {
  /// Transfers at once: as many as browsers have connections to one server. Others wait for their turn.
  static let limit = 6

  private struct Entry {
    let module: ModuleIdentifier
    let origin: String
    /// Not before then: it is to be tried again after a while.
    let ready: ContinuousClock.Instant
  }

  /// Transfers from one server at once.
  let perOrigin: Int
  /// Those that wait, the first that was asked for first.
  private var waiting: [Entry] = []
  /// How many transfers of each server are under way.
  private var running: [String: Int] = [:]
  private var runningCount = 0

  init(perOrigin: Int) { self.perOrigin = max(1, perOrigin) }

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ module: ModuleIdentifier, _ origin: String, ready: ContinuousClock.Instant) {
    waiting.append(Entry(module: module, origin: origin, ready: ready))
  }

  /// Takes one out.
  ///
  /// - Returns: whether it was waiting.
  mutating func remove(_ module: ModuleIdentifier) -> Bool {
    guard let place = waiting.firstIndex(where: { $0.module == module }) else { return false }
    waiting.remove(at: place)
    return true
  }

  /// Takes all out.
  mutating func removeAll() -> [ModuleIdentifier] {
    defer { waiting = [] }
    return waiting.map(\.module)
  }

  /// Takes the next one: of the server with the fewest transfers under way, and of these the first.
  mutating func next(at now: ContinuousClock.Instant) -> ModuleIdentifier? {
    guard let place = place(at: now, without: nil) else { return nil }
    let entry = waiting.remove(at: place)
    running[entry.origin, default: 0] += 1
    runningCount += 1
    return entry.module
  }

  /// Notes that a transfer has ended, or its turn.
  mutating func end(_ origin: String) {
    runningCount -= 1
    running[origin] = running[origin].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// When the first of those comes that are to be tried again after a while; nil when none does, or only once another has ended.
  func nextReady(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    waiting.filter { running[$0.origin] ?? 0 < perOrigin }.map(\.ready).min()
  }

  /// Whether another could begin if a transfer of this server gave its place away, and could not otherwise.
  func isAnotherWaiting(for origin: String, at now: ContinuousClock.Instant) -> Bool {
    guard place(at: now, without: origin) != nil else { return false }
    return runningCount >= Self.limit || place(at: now, without: nil) == nil
  }

  /// - Parameter without: a server of which one transfer does not count.
  private func place(at now: ContinuousClock.Instant, without: String?) -> Int? {
    var best: (place: Int, count: Int)?
    for (place, entry) in waiting.enumerated() where entry.ready <= now {
      let count = (running[entry.origin] ?? 0) - (entry.origin == without ? 1 : 0)
      if count < perOrigin, best.map({ count < $0.count }) != false { best = (place, count) }
    }
    return best?.place
  }
}
