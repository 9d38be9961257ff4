public import SignetBase
public import SignetNames

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
      expected: "a lock as it was written", hint: "take the lock as it was committed; or remove it, and install again"
    )
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

  /// The modules that one host needs: those of a target, those outside of all targets, and all that these require.
  ///
  /// - Parameter target: the target; nil for the modules outside of all targets alone.
  /// - Throws: `modfile.name` for a target that the Modfile does not have, `resolve.not-locked` for a module that the lock
  ///   does not have.
  public func modules(
    for target: ModfileName?, in modfile: Modfile
  ) throws(SignetError) -> [LockedModule] {
    var queue = modfile.modules.map(\.identifier)
    if let target {
      guard let group = modfile.targets.first(where: { $0.name == target }) else {
        let names = modfile.targets.map { "\($0.name)" }.joined(separator: ", ")
        throw SignetError(
          .modfileName, "target \(target)", "is not in the Modfile", expected: names.isEmpty ? "no target" : names)
      }
      queue += group.modules.map(\.identifier)
    }
    var known = Set(queue)
    var index = 0
    while index < queue.count {
      guard let module = self[queue[index]] else {
        throw SignetError(
          .resolveNotLocked, "\(queue[index])", "is required, and not in the lock",
          expected: "a lock of this Modfile",
          hint: "install again")
      }
      index += 1
      for requirement in module.requirements where known.insert(requirement.identifier).inserted {
        queue.append(requirement.identifier)
      }
    }
    return modules.filter { known.contains($0.identifier) }
  }
}
