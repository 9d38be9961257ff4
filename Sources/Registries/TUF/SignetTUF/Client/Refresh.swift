internal import SignetBase
internal import SignetSystem

/// One refresh from one mirror: the workflow of section 5, step by step. Each step needs the proof of the one before.
struct Refresh {
  private let folder: TrustedMetadataFolder
  private let source: any RepositorySource
  private let limits: TUFLimits
  private let time: UnixTime

  init(of folder: TrustedMetadataFolder, from source: any RepositorySource, limits: TUFLimits, at time: UnixTime) {
    self.folder = folder
    self.source = TimedSource(source: source, end: .now + .seconds(limits.refreshSeconds))
    self.limits = limits
    self.time = time
  }

  /// Brings the folder up to date.
  ///
  /// - Returns: the top-level targets.
  func run() throws(SignetError) -> FreshTargets {
    let root = try freshRoot()
    let timestamp = try freshTimestamp(root)
    let snapshot = try freshSnapshot(timestamp)
    let targets = RoleLoading(folder, limits, topLevelOf: snapshot)
    if let stored = try targets.stored() { return stored }
    return try targets.fetched(from: source)
  }

  /// Section 5.3.
  private func freshRoot() throws(SignetError) -> FreshRoot {
    var root = try folder.root(atMost: limits.longestFile)
    for _ in 0..<limits.rootRotations {
      guard let bytes = try next(root) else { break }
      let newer = try root.updated(with: bytes)
      if newer.hasRotated(since: root), try folder.rotation() == nil { try folder.note(rotation: newer.role.version) }
      try folder.store("root", bytes)
      root = newer
    }
    let fresh = try root.fresh(at: time)
    if let rotation = try folder.rotation() {
      if rotation <= root.role.version { try folder.dropTimestampAndSnapshot() }
      try folder.forgetRotation()
    }
    return fresh
  }

  /// The next root; nil if the mirror has none.
  private func next(_ root: TrustedRoot) throws(SignetError) -> [UInt8]? {
    do throws(SignetError) {
      return try source.bytes(of: root.nextPath, atMost: limits.root)
    } catch  where error.code == .tufNotFound {
      return nil
    }
  }

  /// Section 5.4.
  private func freshTimestamp(_ root: FreshRoot) throws(SignetError) -> FreshTimestamp {
    let prior = try Self.usable { () throws(SignetError) in
      try folder.stored("timestamp", atMost: limits.timestamp).map { (bytes) throws(SignetError) in
        try root.prior(timestamp: bytes)
      }
    }
    let bytes = try source.bytes(of: FreshRoot.timestampPath, atMost: limits.timestamp)
    let timestamp = try root.timestamp(bytes, after: prior)
    if timestamp.isNew { try folder.store("timestamp", bytes) }
    return timestamp
  }

  /// Section 5.5.
  private func freshSnapshot(_ timestamp: FreshTimestamp) throws(SignetError) -> FreshSnapshot {
    let limit = try limits.length(
      timestamp.role.snapshot, atMost: limits.statedSnapshot, otherwise: limits.snapshot, timestamp.snapshotPath)
    // The stored snapshot may be the one of an earlier timestamp, with another length.
    let prior = try Self.usable { () throws(SignetError) in
      try folder.stored("snapshot", atMost: limits.longestFile).map { (bytes) throws(SignetError) in
        try timestamp.prior(snapshot: bytes)
      }
    }
    if let prior, let snapshot = try? timestamp.snapshot(prior) { return snapshot }
    let bytes = try source.bytes(of: timestamp.snapshotPath, atMost: limit)
    let snapshot = try timestamp.snapshot(bytes, after: prior)
    try folder.store("snapshot", bytes)
    return snapshot
  }

  /// A stored file whose content cannot be used counts as missing (section 5: "errors should not leave clients in an
  /// unrecoverable state"). One that cannot be read is an error: it is the memory of what was trusted last.
  ///
  /// - Throws: `file.…`.
  private static func usable<Value>(
    _ read: () throws(SignetError) -> Value?
  ) throws(SignetError) -> Value? {
    do throws(SignetError) { return try read() } catch  where !Set.aboutFiles.contains(error.code) { return nil }
  }
}

/// A mirror from which nothing is taken after some time. What is taken before is not lost: roots are stored one by one.
private struct TimedSource: RepositorySource {
  let source: any RepositorySource
  let end: ContinuousClock.Instant
  var name: String { source.name }

  func read(
    _ path: String, atMost limit: Int, _ receive: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    try check(path)
    try source.read(path, atMost: limit) { (piece) throws(SignetError) in
      try check(path)
      try receive(piece)
    }
  }

  private func check(_ path: String) throws(SignetError) {
    guard ContinuousClock.now < end else {
      throw SignetError(
        .tufTooSlow, path.display, "comes too late: the mirror has taken too long for a refresh",
        hint: "use another mirror")
    }
  }
}

extension TUFLimits {
  /// The length at most of a file of which something is said.
  ///
  /// - Parameters:
  ///   - statedLength: the longest length that may be stated.
  ///   - limit: the length if none is stated.
  /// - Throws: `tuf.too-long` if a longer one is stated.
  func length(
    _ facts: FileFacts, atMost statedLength: Int, otherwise limit: Int, _ object: String
  ) throws(SignetError) -> Int {
    guard let stated = facts.length else { return limit }
    guard stated <= statedLength else {
      throw SignetError(
        .tufTooLong, object, "is longer than allowed", expected: "at most \(statedLength) bytes",
        found: "\(stated) bytes", hint: "raise the limit if the repository is that large")
    }
    return stated
  }
}
