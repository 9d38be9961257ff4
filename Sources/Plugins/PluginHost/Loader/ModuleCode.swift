internal import SignetSystem

/// The record of which libraries of the process belong to modules.
enum ModuleCode {
  /// The dynamic linker's names for them.
  private static let names = Monitor<Set<String>>([])

  /// Notes a library, before any of it runs.
  static func add(_ name: String) { names.withLock { _ = $0.insert(name) } }

  /// Whether a library belongs to a module, by the dynamic linker's name for it.
  static func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

  /// Whether there is any such library.
  static var isThere: Bool { names.withLock { !$0.isEmpty } }
}
