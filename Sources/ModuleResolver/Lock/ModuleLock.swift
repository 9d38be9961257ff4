public import Signet
public import SignetBase

/// What a host's `Modfile.lock` says: the release of each module (docs/modfile.md).
///
/// A lock has one text for one content.
public struct ModuleLock: Hashable, Sendable {
  /// The modules, in the order of their identifiers.
  public let modules: [LockedModule]

  /// The most bytes of a lock: sixteen times those of a Modfile, because a module has more lines.
  public static let sizeLimit = 16 << 20
  /// The most modules of a lock.
  public static let moduleLimit = 10_000

  /// The first line.
  static let head = "Modfile.lock 1"

  /// Creates a lock. The order of the modules does not matter.
  ///
  /// - Throws: `lockfile.order` for a module that stands twice, `lockfile.count`.
  public init(_ modules: [LockedModule]) throws(SignetError) {
    guard modules.count <= Self.moduleLimit else {
      throw SignetError(
        .lockfileCount, "Modfile.lock", "has too many modules", expected: "at most \(Self.moduleLimit)",
        found: "\(modules.count)")
    }
    self.modules = modules.sorted { $0.identifier.precedes($1.identifier) }
    let pairs = zip(self.modules, self.modules.dropFirst())
    if let twice = pairs.first(where: { $0.identifier == $1.identifier }) {
      throw SignetError(
        .lockfileOrder, "Modfile.lock", "has module \(twice.0.identifier) twice", expected: "each module once")
    }
  }

  /// Reads a lock.
  ///
  /// - Throws: `lockfile.…` with the line.
  public init(_ bytes: [UInt8]) throws(SignetError) {
    var reader = try LockReader(bytes)
    try self.init(try reader.read())
    guard let line = LockReader.firstDifference(Array(text.utf8), bytes) else { return }
    throw SignetError(
      .lockfileNotCanonical, "Modfile.lock:\(line)", "is not the one text for its content",
      expected: "a lock as it was written", hint: "install again; do not edit the lock")
  }

  /// The lock's one text.
  public var text: String { ([Self.head + "\n"] + modules.map { "\n" + $0.text }).joined() }

  /// The release of a module; nil if the lock does not have it.
  public subscript(identifier: ModuleIdentifier) -> LockedModule? {
    // The modules are in order.
    var (low, high) = (0, modules.count)
    while low < high {
      let middle = (low + high) / 2
      if modules[middle].identifier.precedes(identifier) { low = middle + 1 } else { high = middle }
    }
    return low < modules.count && modules[low].identifier == identifier ? modules[low] : nil
  }
}
