internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// Compressed files and packages, which are read through what is around their content.
extension ContentWalk {
  /// Reads what a compressed file decompresses to: all before a fault, and before what does not belong to the data.
  mutating func decompress(
    _ source: any ByteSource, _ compression: FileCompression, at outer: ContentPlace, isNamedAsTar: Bool
  ) throws(SignetError) {
    let place = outer.decompressed()
    var reading = files.begin(place, called: source.path)
    var faults = ContainerFaults()
    var (texts, hasTexts): ([Range<Int>], Bool) = ([], true)
    do throws(SignetError) {
      let found = try unsafe FileDecompression.decompress(source, compression) { (piece) throws(SignetError) in
        try budget.spend(piece.count, source.path)
        try unsafe files.take(piece, &reading)
      }
      faults = ContainerFaults(danger: found.danger, form: found.form, unread: found.unread)
      texts = found.texts
      hasTexts = found.hasOtherTexts || found.danger != nil || found.unread != nil
    } catch {
      guard ContainerFaults.isRefusal(error) else { throw error }
      // A bomb is dangerous whatever is in it.
      faults = ContainerFaults(danger: error, unread: error)
    }
    // What begins like a compressed file by chance is a file, too.
    if let unread = faults.unread, !isNamedAsTar,
      try !UnreadFormat.isCompressed(source, compression, outer.entry, because: unread)
    {
      try search(source, at: outer)
      return try end(&reading, at: place)
    }
    // What is beside the data and behind them has room for texts, and so has what was not decompressed.
    if hasTexts { try files.scan(source, without: texts, at: outer) }
    // Each may be a container itself.
    var beside = place
    beside.disk = nil
    for range in texts { try read(source.part(range, called: source.path), at: beside) }
    if let unread = faults.unread { try files.notes.note(unsearched: unread, of: place.entry) }
    let isTar = reading.isArchive
    if isNamedAsTar, !isTar {
      // What was not begun may be a tar.
      let isUnknown = faults.unread?.code == .archiveFilter
      let fault = faults.dangerOfArchive ?? (isUnknown ? nil : ContainerFormat.misnamed(source, "a tar, compressed"))
      try files.notes.look(atUnlisted: compression.moduleFormat, fault)
    } else if !isTar, let danger = faults.danger {
      try files.notes.note(danger: danger, of: place.entry)
    }
    try end(&reading, at: place, faults, compression.moduleFormat)
  }

  /// Reads a package of RPM: its headers, and the files in its payload.
  mutating func readPackage(_ source: any ByteSource, at place: ContentPlace) throws(SignetError) {
    let package: RPMPackage
    do throws(SignetError) {
      package = try RPMPackage(source)
    } catch {
      guard ContainerFaults.isRefusal(error) else { throw error }
      try files.notes.note(unsearched: error, of: place.entry)
      return try search(source, at: place)
    }
    try search(package.headers, at: place)
    var inner = place
    inner.isPackage = true
    guard let format = ContainerFormat(try package.payloadHead()) else {
      try files.notes.note(unsearched: package.unknownPayload, of: place.entry)
      return try search(package.payload, at: inner)
    }
    try look(into: package.payload, format, at: inner)
  }
}
