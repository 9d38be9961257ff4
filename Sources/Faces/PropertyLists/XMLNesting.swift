/// A look at how deep the elements of an XML property list are nested.
///
/// Foundation's decoder calls itself for each level, and so a deep list would end the process. This look is stricter
/// than the decoder: only `plist` may have attributes, and the document type may have no declarations.
struct XMLNesting {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether no more elements than the limit are nested, and every mark can be told.
  static func isBounded(_ bytes: [UInt8], by limit: Int) -> Bool {
    var look = XMLNesting(bytes)
    while let start = look.bytes[look.place...].firstIndex(of: UInt8(ascii: "<")) {
      look.place = start
      guard look.passMark(), (0...limit).contains(look.depth) else { return false }
    }
    return look.depth == 0
  }

  /// Passes what begins at the place.
  ///
  /// - Returns: false if it cannot be told what it is.
  private mutating func passMark() -> Bool {
    // The dashes that begin a comment do not end it, but a question mark may do both for the decoder.
    if starts("<!--") { return pass("-->", after: "<!--") }
    if starts("<![CDATA[") { return pass("]]>") }
    if starts("<?") { return pass("?>") }
    if starts("<!") { return passTag().map { !$0.contains(UInt8(ascii: "[")) } ?? false }
    guard let tag = passTag() else { return false }
    if tag.first == UInt8(ascii: "/") {
      depth -= 1
      return true
    }
    let isEmpty = tag.last == UInt8(ascii: "/")
    let name = isEmpty ? tag.dropLast() : tag
    if !isEmpty { depth += 1 }
    return name.starts(with: Array("plist".utf8)) || name.allSatisfy { !"\"'=".utf8.contains($0) }
  }

  private func starts(_ mark: String) -> Bool { bytes[place...].starts(with: mark.utf8) }

  /// Goes behind the next mark.
  ///
  /// - Parameter beginning: what is before everything that is looked at.
  private mutating func pass(_ mark: String, after beginning: String = "") -> Bool {
    let mark = Array(mark.utf8)
    place += beginning.utf8.count
    while place + mark.count <= bytes.count {
      if bytes[place...].starts(with: mark) {
        place += mark.count
        return true
      }
      place += 1
    }
    return false
  }

  /// Goes behind a tag, and gives what is between its brackets.
  private mutating func passTag() -> ArraySlice<UInt8>? {
    guard let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
    defer { place = end + 1 }
    return bytes[(place + 1)..<end]
  }
}
