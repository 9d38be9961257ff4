internal import SignetBase

/// A reader of mappings in flow style: `{url: tool, sha512: …}` (YAML 1.2.2, section 7.4).
struct YAMLFlow {
  /// A collection that has not ended.
  private struct Frame {
    let isMapping: Bool
    var mapping: YAMLMapping
    var key: (text: [UInt8], line: Int)?
    var value = YAMLValue.nothing
  }

  private let keys: Set<[UInt8]>
  private var frames: [Frame] = []
  /// The mappings that have ended.
  private(set) var mappings: [YAMLMapping] = []

  init(keys: Set<[UInt8]>) { self.keys = keys }

  /// Reads a collection, up to the bracket that ends it.
  mutating func read(_ scanner: inout YAMLScanner, isRoot: Bool) {
    let start = (scanner.line, scanner.lineStart)
    // Behind a text in quotation marks and behind a bracket, a colon needs no blank.
    var isAfterJSON = false
    repeat {
      scanner.skipBlanksAndLines()
      guard let byte = scanner.byte else { break }
      let wasAfterJSON = isAfterJSON
      isAfterJSON = false
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if let last = frames.indices.last { frames[last].value = .other }
        let mapping = YAMLMapping(isRoot: isRoot && frames.isEmpty)
        frames.append(Frame(isMapping: byte == UInt8(ascii: "{"), mapping: mapping))
        scanner.skip(1)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        scanner.skip(1)
        endCollection()
        isAfterJSON = true
      case UInt8(ascii: ","):
        scanner.skip(1)
        endEntry()
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        noteSecond(in: &scanner)
        take(.text(scanner.quoted()))
        isAfterJSON = true
      case UInt8(ascii: ":") where wasAfterJSON || scanner.isAtFlowColon:
        beginValue(scanner.line)
        scanner.skip(1)
      case UInt8(ascii: "?") where scanner.isAtIndicator("?"): scanner.skip(1)
      case UInt8(ascii: "&"), UInt8(ascii: "!"): scanner.skipFlowWord()
      case UInt8(ascii: "*"):
        scanner.skipFlowWord()
        take(.other)
      default:
        noteSecond(in: &scanner)
        take(YAMLValue(plain: scanner.flowPlain()))
      }
    } while !frames.isEmpty
    guard !frames.isEmpty else { return }
    scanner.noteFault(inLine: start.0, from: start.1)
    while !frames.isEmpty { endCollection() }
  }

  /// Notes that a text follows another one, without a comma between them.
  private func noteSecond(in scanner: inout YAMLScanner) {
    if let last = frames.last, last.value != .nothing { scanner.noteFault() }
  }

  private mutating func take(_ value: YAMLValue) {
    if let last = frames.indices.last { frames[last].value.append(value) }
  }

  private mutating func beginValue(_ line: Int) {
    guard let last = frames.indices.last else { return }
    if case .text(let text) = frames[last].value { frames[last].key = (text, line) }
    frames[last].value = .nothing
  }

  private mutating func endEntry() {
    guard let last = frames.indices.last else { return }
    let (key, value) = (frames[last].key, frames[last].value)
    (frames[last].key, frames[last].value) = (nil, .nothing)
    guard let key, keys.contains(key.text) else { return }
    let field = YAMLMapping.Field(key: key.text, value: value, line: key.line)
    if frames[last].isMapping {
      frames[last].mapping.fields.append(field)
    } else {
      // A pair in a list is a mapping of its own.
      mappings.append(YAMLMapping(fields: [field], isRoot: false))
    }
  }

  private mutating func endCollection() {
    endEntry()
    if let frame = frames.popLast(), !frame.mapping.fields.isEmpty { mappings.append(frame.mapping) }
  }
}
