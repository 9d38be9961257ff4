internal import Signet
internal import SignetBase
internal import SignetCrypto

/// How archives are fetched: over http and https, bounded, into files of which nothing is known until they were verified.
public struct ArchiveFetcher: Hashable, Sendable {
  /// How much is fetched, and how long that may take.
  public var limits = Limits()
  /// A file with the certificates of the authorities that servers are known by, in PEM; nil for those of the system. Only this user
  /// and root may be able to write it.
  public var authorities: String?
  /// A proxy's URL. What the environment says of proxies does not count.
  public var proxy: String?

  /// The system's authorities, no proxy, and the limits that hold unless others are asked for.
  public init() {}
}

extension ArchiveFetcher {
  /// Fetches what is not there of an item, as far as it comes in this turn.
  ///
  /// - Throws: `fetch.…`, `store.write-failed`, `file.…`.
  func fetch(
    _ note: DownloadNote, in folder: DownloadFolder, _ signal: FetchSignal, progress: FetchProgress
  ) throws(SignetError) -> TransferEnd {
    let end = ContinuousClock.now + .seconds(limits.totalSeconds) - signal.beginTurn()
    var isLost = false
    defer { signal.endTurn(isLost: isLost) }
    let connection = try HTTPConnection(self)
    let transfer = Transfer(limits, connection, signal, end)
    if try folder.archive() == nil {
      var note = note
      let demand = StagedBody.Demand(limit: limits.bytes, size: note.item.size, source: note.source)
      let file = try folder.partialArchive(goesOn: note.source != nil)
      let body = StagedBody(file, demand, signal, limits, progress: progress) { (source) throws(SignetError) in
        note.source = source
        try folder.write(note)
      }
      let turn = try transfer.run(.archive, note.item.source, into: body)
      guard case .whole = turn else {
        isLost = body.rest == nil
        return turn
      }
      try folder.finishArchive()
    }
    if let source = note.item.signatureSource, try folder.signature() == nil {
      let demand = StagedBody.Demand(limit: limits.signatureBytes, size: nil)
      let body = StagedBody(try folder.partialSignature(), demand, signal, limits, progress: nil) { _ in }
      let turn = try transfer.run(.signature, source, into: body)
      guard case .whole = turn else {
        isLost = true
        return turn
      }
      try folder.finishSignature()
    }
    return .whole
  }
}
