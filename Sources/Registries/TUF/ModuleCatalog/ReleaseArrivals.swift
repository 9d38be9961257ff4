internal import Signet
internal import SignetBase
internal import SignetFiles
internal import SignetSystem

/// When releases of a module came, as one client knows it.
///
/// An index says when its publisher has pushed a release. Who has stolen the publisher's keys can say any time. So the client
/// writes down when it looks: a release that was not there at the last look came after that.
struct ReleaseArrivals {
  /// Between which times a release came.
  private struct Bounds {
    /// The last look at which it was not there; nil if the first look has found it.
    let after: UnixTime?
    /// The look that has found it.
    let by: UnixTime
  }

  private let path: String
  private var looked: UnixTime?
  private var bounds: [String: Bounds] = [:]

  /// Room for as many releases as an index has.
  private static let limits = JSONLimits(size: 4 << 20, depth: 4, values: 1 << 18)
  private static let limit = 20_000
  /// How many seconds go by before a look is written down in which nothing was new.
  private static let interval: Int64 = 60

  /// Reads what is known.
  ///
  /// - Parameter path: the file, which need not be there yet.
  /// - Throws: `repo.index` if it cannot be read; `file.…`.
  init(at path: String) throws(SignetError) {
    self.path = path
    do throws(SignetError) { _ = try FileStatus(ofLink: path) } catch  where error.code == .fileMissing { return }
    let text = try TrustedContent.read(path, limit: Self.limits.size).withBytes { Array(copying: $0) }
    do throws(SignetError) {
      var object = try JSONObject(JSONReader.read(text, limits: Self.limits), "times", unknownField: .repoIndex)
      looked = try object.time("looked")
      for release in try object.objects("releases", atMost: Self.limit) {
        var release = release
        bounds[try release.string("release")] = Bounds(
          after: try release.optionalTime("after"), by: try release.time("by"))
        try release.finish()
      }
      try object.finish()
    } catch {
      throw SignetError(
        .repoIndex, path, "cannot be read", expected: "when releases were seen", cause: error,
        hint: "remove the file; then releases that came before are as old as their publisher says")
    }
  }

  /// Takes up what an index has now, and writes it down. What it has no longer is forgotten, so that the file does not grow.
  ///
  /// - Throws: `output.…`.
  mutating func look(at index: ModuleIndex, _ now: UnixTime) throws(SignetError) {
    let present = Set(index.releases.map(Self.name))
    let (new, gone) = (present.filter { bounds[$0] == nil }, bounds.keys.filter { !present.contains($0) })
    // A clock that was ahead has looked at no time that has come yet.
    let last = looked.flatMap { $0 <= now ? $0 : nil }
    for name in new { bounds[name] = Bounds(after: last, by: now) }
    for name in gone { bounds[name] = nil }
    if new.isEmpty, gone.isEmpty, let looked, (looked.seconds...looked.seconds + Self.interval).contains(now.seconds)
    {
      return
    }
    looked = now
    let releases = bounds.sorted { $0.key.precedesInBytes($1.key) }.map { name, bounds in
      JSONValue.object(
        ("release", .string(name)), ("after", bounds.after.map { .string("\($0)") }), ("by", .string("\(bounds.by)")))
    }
    let text = try CanonicalJSON.write(.object(("looked", .string("\(now)")), ("releases", .array(releases))))
    try OutputFile.write(text, to: path, mode: 0o600, .replace(unless: []))
  }

  /// When a release came: as its publisher says, but not before the last look that has not found it.
  func time(of release: ModuleRelease, _ now: UnixTime) -> UnixTime {
    let known = bounds[Self.name(of: release)]
    let stated = release.pushedAt ?? release.signedAt ?? known?.by ?? now
    // One that nobody has written down was not there at the last look, either.
    guard let after = known == nil ? looked : known?.after, after <= now else { return stated }
    return max(stated, after)
  }

  /// What tells a release from one with other bytes: a version that was withdrawn may come back as another one.
  private static func name(of release: ModuleRelease) -> String {
    "\(release.version) \(release.sequence) \(release.archive.sha256.hex)"
  }
}
