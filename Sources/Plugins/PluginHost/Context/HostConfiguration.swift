public import ModuleStore
public import Signet

/// The options of a host.
public struct HostConfiguration: Sendable {
  /// The identifier of this host. Only its own manifest is accepted.
  public var identifier: ModuleIdentifier?
  /// The version that modules may require; nil refuses modules that require any.
  public var version: SemanticVersion?
  /// A directory with archives that ship with the host, each with its signature in it or beside it.
  public var embedded: String?
  /// Libraries that modules may need and that the host opens for them: the DT_SONAME and the absolute path of each.
  public var hostLibraries: [String: String] = [:]
  /// The limits on what an archive may hold.
  public var limits = ArchiveLimits()
  /// The fetcher of archives; nil for a host that does not fetch. `ModuleFetch` has one: `.http()`.
  public var fetcher: ArchiveFetcher?
  /// The registry that says which releases there are; nil for a host that has none. `ModuleCatalog` is one.
  public var registry: (any ReleaseSource)?
  /// The source of the time.
  public var clock = VerificationClock.system
  /// How long after the last load a crash of the process is attributed to what was loaded, unless
  /// `markHealthy()` ends that earlier.
  public var trial = Duration.seconds(5)
  /// How long a module may take to be loaded before the host is told.
  public var loadingPatience = Duration.seconds(10)
  /// The clock by which a transfer is too slow for its place.
  package var turnClock: @Sendable () -> ContinuousClock.Instant = { .now }

  /// Makes a configuration with the defaults.
  public init() {}
}
