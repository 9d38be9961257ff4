internal import SignetBase

/// A list of patterns as OpenSSH has them (ssh_config(5), "PATTERNS"), with commas between them: `*` stands for any
/// characters or none, `?` for one, and a pattern behind `!` takes back what the others cover.
struct SSHPatternList {
  private let patterns: [(isExcluding: Bool, pattern: StarPattern<Part>)]

  private enum Part {
    case byte(UInt8)
    case anyByte
  }

  init(_ text: String) {
    patterns = text.utf8.split(separator: UInt8(ascii: ",")).map { word in
      let isExcluding = word.first == UInt8(ascii: "!")
      let parts: [Part?] = (isExcluding ? word.dropFirst() : word).map { byte in
        switch byte {
        case UInt8(ascii: "*"): nil
        case UInt8(ascii: "?"): .anyByte
        default: .byte(byte)
        }
      }
      return (isExcluding, StarPattern(parts))
    }
  }

  func covers(_ name: [UInt8]) -> Bool {
    func covers(_ pattern: StarPattern<Part>) -> Bool {
      pattern.covers(name) { part, byte in
        switch part {
        case .byte(let own): own == byte
        case .anyByte: true
        }
      }
    }
    guard !patterns.contains(where: { $0.isExcluding && covers($0.pattern) }) else { return false }
    return patterns.contains { !$0.isExcluding && covers($0.pattern) }
  }
}
