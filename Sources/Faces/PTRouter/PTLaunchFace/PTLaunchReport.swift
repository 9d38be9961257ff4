public import PluginKit

/// What became of the entries of a launch file.
public struct PTLaunchReport: Sendable {
  /// What became of one entry: a class, a URL or a container.
  public struct Entry: Sendable {
    /// The name as the file has it.
    public let name: String
    /// Why it failed; nil if it did not.
    ///
    /// `launch.not-loaded` means that no loaded module has the class, and `launch.entry` that the entry means nothing.
    public let error: PluginError?
  }

  /// The entries, in the order in which they were treated.
  public internal(set) var entries: [Entry] = []
  /// Keys that have no meaning here, each with its place, such as `InnerJump://account/login.style`. They are skipped.
  public internal(set) var unknownKeys: [String] = []

  /// The entries that failed.
  public var failures: [Entry] { entries.filter { $0.error != nil } }

  mutating func add(_ name: String, _ error: PluginError? = nil) { entries.append(Entry(name: name, error: error)) }
}
