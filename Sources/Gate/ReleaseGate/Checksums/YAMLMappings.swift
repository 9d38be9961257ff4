internal import SignetBase

/// A reader of the mappings in a YAML text (YAML 1.2.2), in block style and in flow style, which JSON is, too.
///
/// It gives values that are texts. It does not follow references (`*a`), and does not judge whether the text is correct. It
/// looks at each byte a few times, and does not call itself, whatever the nesting.
struct YAMLMappings {
  /// A mapping in block style that has not ended.
  private struct Open {
    let column: Int
    var mapping: YAMLMapping
    /// Whether the last key is one that is kept.
    var isLastKept = false
  }

  private var scanner: YAMLScanner
  private let keys: Set<[UInt8]>
  private var open: [Open] = []
  private var mappings: [YAMLMapping] = []

  /// Reads a text.
  ///
  /// - Parameter keys: the keys of the fields to give.
  /// - Returns: the mappings that have one of the keys, and the first place that could not be read.
  static func read(
    _ text: [UInt8], keeping keys: Set<[UInt8]>
  ) -> (mappings: [YAMLMapping], fault: (line: Int, text: String)?) {
    var reader = YAMLMappings(scanner: YAMLScanner(text), keys: keys)
    while !reader.scanner.isAtEnd { reader.readLine() }
    reader.close { _ in true }
    return (reader.mappings, reader.scanner.fault)
  }

  private init(scanner: YAMLScanner, keys: Set<[UInt8]>) {
    self.scanner = scanner
    self.keys = keys
  }

  /// Reads a line, and those after it that its value has.
  private mutating func readLine() {
    if scanner.skipDocumentMarker() { close { _ in true } }
    scanner.skipBlanks()
    var dash: Int?
    while scanner.isAtIndicator("-") {
      let column = scanner.column
      close { $0 > column }
      noteChild()
      dash = column
      scanner.skip(1)
      scanner.skipBlanks()
    }
    let column = scanner.column
    scanner.skipProperties()
    guard !scanner.isAtEndOfLine else { return scanner.skipLine() }
    if scanner.isAtIndicator("?") || scanner.isAtIndicator(":") {
      scanner.noteFault()
      return scanner.skipLine()
    }
    readNode(at: column, after: dash)
  }

  /// Reads what begins in a line: a key with its value, or a value.
  ///
  /// - Parameter dash: the column of the last dash before it, which begins an element of a list.
  private mutating func readNode(at column: Int, after dash: Int?) {
    let line = scanner.line
    if scanner.isAtQuote {
      let text = scanner.quoted()
      scanner.skipBlanks()
      if scanner.line == line, scanner.isAtIndicator(":") {
        scanner.skip(1)
        return readField(text, line, at: column, after: dash)
      }
      scanner.endLine()
      return take(.text(text), at: column)
    }
    if let key = scanner.plainKey() { return readField(key, line, at: column, after: dash) }
    let parent = dash ?? open.last?.column ?? -1
    take(readValue(in: parent, isRoot: open.isEmpty && dash == nil), at: column)
  }

  /// Reads the value of a key, and adds both to their mapping.
  private mutating func readField(_ key: [UInt8], _ line: Int, at column: Int, after dash: Int?) {
    close { $0 > column }
    if open.last?.column != column {
      noteChild()
      open.append(Open(column: column, mapping: YAMLMapping(isRoot: open.isEmpty && dash == nil)))
    }
    scanner.skipBlanks()
    scanner.skipProperties()
    let value = readValue(in: column, isRoot: false)
    let last = open.count - 1
    open[last].isLastKept = keys.contains(key)
    if open[last].isLastKept {
      open[last].mapping.fields.append(YAMLMapping.Field(key: key, value: value, line: line))
    }
  }

  /// Reads a value up to the end of its last line.
  private mutating func readValue(in parent: Int, isRoot: Bool) -> YAMLValue {
    if scanner.isAtEndOfLine {
      scanner.skipLine()
      return .nothing
    }
    if scanner.isAtQuote {
      let text = scanner.quoted()
      scanner.endLine()
      return .text(text)
    }
    switch scanner.byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var flow = YAMLFlow(keys: keys)
      flow.read(&scanner, isRoot: isRoot)
      mappings += flow.mappings
      scanner.endLine()
      return .other
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      return .text(scanner.block(in: parent))
    case UInt8(ascii: "*"):
      scanner.skipLine()
      return .other
    default:
      let text = scanner.plain(in: parent)
      scanner.skipLine()
      return YAMLValue(plain: text)
    }
  }

  /// Gives a value without a key to the last key: it is on a line of its own, or is the rest of a text.
  private mutating func take(_ value: YAMLValue, at column: Int) {
    close { $0 >= column }
    guard let last = open.indices.last, open[last].isLastKept, let field = open[last].mapping.fields.indices.last
    else { return }
    open[last].mapping.fields[field].value.append(value)
  }

  /// Notes that the value of the last key is no text.
  private mutating func noteChild() {
    guard let last = open.indices.last, open[last].isLastKept, let field = open[last].mapping.fields.indices.last
    else { return }
    if open[last].mapping.fields[field].value == .nothing { open[last].mapping.fields[field].value = .other }
  }

  private mutating func close(_ isOver: (Int) -> Bool) {
    while let last = open.last, isOver(last.column) {
      if !last.mapping.fields.isEmpty { mappings.append(last.mapping) }
      open.removeLast()
    }
  }
}
