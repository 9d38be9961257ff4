internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// The search of files, one after the other: the rules look at each place where a literal of theirs is.
struct FileSearch {
  var notes: RuleNotes
  /// The number of the readings so far. Several files of an artifact may have one name.
  private var readings = 0

  init(_ notes: RuleNotes) { self.notes = notes }

  /// Begins to read a file.
  ///
  /// - Parameters:
  ///   - path: its name in messages.
  ///   - source: the bytes, if they can be read again.
  ///   - looksInside: whether a container is told from other files.
  mutating func begin(
    _ place: ContentPlace, called path: String, source: (any ByteSource)? = nil, looksInside: Bool = true
  ) -> Reading {
    readings += 1
    return Reading(readings, place, called: path, notes.settings, source: source, looksInside: looksInside)
  }

  /// Searches the next bytes of a file.
  mutating func take(_ piece: UnsafeRawBufferPointer, _ reading: inout Reading) throws(SignetError) {
    try unsafe reading.take(piece) { (match) throws(SignetError) in try notes.look(at: match) }
  }

  /// Ends the reading of a file, and says if not all of it was looked at.
  mutating func finish(_ reading: inout Reading, at place: ContentPlace) throws(SignetError) -> Reading.Outcome {
    let outcome = try reading.finish { (match) throws(SignetError) in try notes.look(at: match) }
    if let reason = reading.unsearched { try notes.note(unsearched: reason, of: place.entry) }
    return outcome
  }

  /// Searches the bytes of a file that is at hand.
  ///
  /// - Parameter looksInside: whether it may be a container besides.
  mutating func search(
    _ file: any ByteSource, at place: ContentPlace, looksInside: Bool
  ) throws(SignetError) -> Reading {
    var reading = begin(place, called: file.path, source: file, looksInside: looksInside)
    try reading.takeAll { (match) throws(SignetError) in try notes.look(at: match) }
    return reading
  }

  /// Searches the bytes of a container for texts, without those that are looked at one by one. Rules on files look at what
  /// is in it.
  mutating func scan(
    _ file: any ByteSource, without searched: [Range<Int>] = [], at place: ContentPlace
  ) throws(SignetError) {
    let parts = SourceParts(file, without: searched)
    guard parts.size > 0 else { return }
    var reading = begin(place, called: file.path, source: parts, looksInside: false)
    try reading.takeAll { (match) throws(SignetError) in
      try notes.look(at: match, offset: parts.offset(of: match.offset))
    }
    _ = try reading.finish { (match) throws(SignetError) in
      try notes.look(at: match, offset: parts.offset(of: match.offset))
    }
    if let reason = reading.unsearched { try notes.note(unsearched: reason, of: place.entry) }
  }

  /// Searches a text that an archive has in a form of its own: where a link leads.
  mutating func scan(text: [UInt8], of path: String, at place: ContentPlace) throws(SignetError) {
    try scan(BytesInMemory(text, path: path), at: place)
  }
}
