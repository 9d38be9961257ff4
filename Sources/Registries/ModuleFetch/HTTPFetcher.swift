public import ModuleStore
internal import SignetBase
internal import SignetHTTP
internal import SignetNames

extension ArchiveFetcher {
  /// A fetcher that uses libcurl over http and https, with the default limits, the system's authorities and no proxy.
  public static func http() -> ArchiveFetcher {
    // A download takes several turns, each with connections of its own.
    let names = ServerNames()
    return ArchiveFetcher { (fetcher, note, folder, signal, progress) throws(SignetError) in
      try fetcher.transfer(note, in: folder, signal, names, progress: progress)
    }
  }

  /// Fetches what is missing of an item, as far as it comes in this turn.
  ///
  /// - Throws: `fetch.…`, `store.write-failed`, `file.…`.
  private func transfer(
    _ note: DownloadNote, in folder: DownloadFolder, _ signal: FetchSignal, _ names: ServerNames,
    progress: FetchProgress
  ) throws(SignetError) -> TransferEnd {
    // Both URLs are parsed before anything is fetched, because libcurl may refuse what the plain rules accept.
    let archive = try FetchURL(note.item.url)
    let signature = try note.item.signature.map { (url) throws(SignetError) in try FetchURL(url) }
    let end = ContinuousClock.now + .seconds(limits.totalSeconds) - signal.beginTurn()
    var isLost = false
    defer { signal.endTurn(isLost: isLost) }
    let transfer = Transfer(limits: limits, connections: HTTPConnections(settings, names), signal: signal, end: end)
    if try folder.archive() == nil {
      var note = note
      let demand = StagedBody.Demand(limit: limits.bytes, size: note.item.size, source: note.source)
      let file = try folder.partialArchive(goesOn: note.source != nil)
      let body = StagedBody(file: file, demand: demand, signal: signal, limits: limits, progress: progress) {
        (source) throws(SignetError) in
        note.source = source
        try folder.write(note)
      }
      let turn = try transfer.run(.archive, archive, into: body)
      guard case .whole = turn else {
        isLost = body.rest == nil
        return turn
      }
      try folder.finishArchive()
    }
    if let signature, try folder.signature() == nil {
      let demand = StagedBody.Demand(limit: limits.signatureBytes, size: nil)
      let body = StagedBody(
        file: try folder.partialSignature(), demand: demand, signal: signal, limits: limits, progress: nil
      ) { _ in }
      let turn = try transfer.run(.signature, signature, into: body)
      guard case .whole = turn else {
        isLost = true
        return turn
      }
      try folder.finishSignature()
    }
    return .whole
  }

  private var settings: HTTPSettings {
    HTTPSettings(
      headerBytes: limits.headerBytes, connectSeconds: limits.connectSeconds, stalledSeconds: limits.stalledSeconds,
      leastSpeed: limits.leastSpeed, authorities: authorities, proxy: proxy,
      // What a server sends after an answer must not count as the next answer.
      reusesConnections: false)
  }
}
