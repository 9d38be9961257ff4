internal import SignetArchive
internal import SignetBase
internal import SignetCrypto

/// The kinds of field that descriptions have beside those of every document; complaints name the element.
extension JSONObject {
  /// Texts of one kind, none of them twice.
  mutating func texts(_ name: String, atMost limit: Int, _ kind: ModuleText) throws(SignetError) -> [String] {
    try elements(name, atMost: limit) { text, _ throws(SignetError) in
      guard !kind.allows(text) else { return nil }
      return kind.meaning
    }
  }

  /// Paths of a module's contents, none of them twice.
  mutating func paths(_ name: String, atMost limit: Int) throws(SignetError) -> [String] {
    try elements(name, atMost: limit) { text, place throws(SignetError) in
      try Self.check(path: text, at: place())
      return nil
    }
  }

  /// A path of a module's contents.
  mutating func entryPath(_ name: String) throws(SignetError) -> String {
    let text = try string(name)
    try Self.check(path: text, at: path(of: name))
    return text
  }

  mutating func versions(_ name: String) throws(SignetError) -> VersionRange {
    let text = try string(name)
    guard let range = VersionRange(text) else { throw wrong(name, "versions such as >=1.2.0 <2.0.0", text) }
    return range
  }

  /// The same rules as for the archive's own paths: what breaks them could never be found there.
  private static func check(path: String, at place: @autoclosure () -> String) throws(SignetError) {
    do throws(SignetError) {
      try EntryPath.check(path)
      try EntryPath.checkPortable(path)
    } catch {
      var located = error.about(place())
      located.found = error.found ?? path
      throw located
    }
  }

  /// - Parameter fault: what an element would have to be; nil when it is that. Where an element stands is found out for
  ///   those alone that are complained about: lines and columns are counted from the beginning of the text.
  private mutating func elements(
    _ name: String, atMost limit: Int, _ fault: (String, () -> String) throws(SignetError) -> String?
  ) throws(SignetError) -> [String] {
    let elements = try optionalArray(name)
    let object = self
    guard elements.count <= limit else { throw wrong(name, "at most \(limit) elements", "\(elements.count)") }
    var texts: [String] = []
    var known: Set<[UInt8]> = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.content else {
        throw wrong(name, index, element, "a text", element.kind)
      }
      if let meaning = try fault(text, { object.path(of: name, index, element) }) {
        throw wrong(name, index, element, meaning, text)
      }
      guard known.insert(Array(text.utf8)).inserted else { throw twice(name, index, element, text) }
      texts.append(text)
    }
    return texts
  }

  /// An element of a list that is not what it must be.
  func wrong(
    _ name: String, _ index: Int, _ element: JSONValue, _ expected: String, _ found: String
  ) -> SignetError {
    SignetError(
      .jsonWrongValue, path(of: name, index, element), "is not what it must be", expected: expected, found: found)
  }

  /// An element of a list that stands there already.
  func twice(_ name: String, _ index: Int, _ element: JSONValue, _ found: String) -> SignetError {
    SignetError(.jsonWrongValue, path(of: name, index, element), "stands twice", found: found)
  }
}
