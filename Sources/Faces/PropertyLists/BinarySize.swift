/// A look at how large a binary property list is if each value counts as often as the list names it.
///
/// Foundation's decoder ends the process if a count does not fit into a whole number, or if a text reaches beyond the
/// list. And it copies a value each time it is named, so a small list could take all of the memory, or hours. This look
/// is stricter than the decoder: names are texts, and references and places have at most eight bytes.
struct BinarySize {
  private let bytes: [UInt8]
  private let limits: PropertyList.Limits
  /// Where the table of places begins, and all values end.
  private let table: Int
  private let count: Int
  private let placeSize: Int
  private let referenceSize: Int
  private var values = 0
  private var textSize = 0

  /// The greatest size of all texts and data in bytes: far more than names that are used again and again take.
  private static let textLimit = 16 << 20
  private static let trailerSize = 32
  private static let headerSize = 8

  private init?(_ bytes: [UInt8], _ limits: PropertyList.Limits) {
    let trailer = bytes.count - Self.trailerSize
    guard bytes.starts(with: "bplist0".utf8), trailer > Self.headerSize,
      let count = Self.number(bytes[(trailer + 8)..<(trailer + 16)]),
      let table = Self.number(bytes[(trailer + 24)..<(trailer + 32)])
    else { return nil }
    self.bytes = bytes
    self.limits = limits
    self.table = table
    self.count = count
    placeSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let sizes = 1...8
    // The table is all that is between the values and the trailer.
    guard sizes.contains(placeSize), sizes.contains(referenceSize), (Self.headerSize..<trailer).contains(table),
      count == (trailer - table) / placeSize, count * placeSize == trailer - table
    else { return nil }
  }

  /// Whether a list is as large as the limits allow at most, and everything that it names is in it.
  static func isBounded(_ bytes: [UInt8], by limits: PropertyList.Limits) -> Bool {
    guard var look = BinarySize(bytes, limits) else { return false }
    let root = bytes.count - Self.trailerSize + 16
    return number(bytes[root..<(root + 8)]).map { look.pass($0, depth: 0) } ?? false
  }

  /// Passes a value with everything in it.
  ///
  /// - Parameter isName: whether only a text will do.
  /// - Returns: false if it is not in the list, or goes beyond the limits.
  private mutating func pass(_ index: Int, depth: Int, isName: Bool = false) -> Bool {
    values += 1
    // A dictionary has a name for each value.
    guard depth <= limits.depth, values <= limits.values * 2, let place = place(index) else { return false }
    let (kind, isText) = (bytes[place] >> 4, [5, 6].contains(bytes[place] >> 4))
    guard !isName || isText else { return false }
    switch kind {
    case 4, 5: return passText(place, unit: 1)
    case 6: return passText(place, unit: 2)
    case 10, 12: return passList(place, depth: depth, hasNames: false)
    case 13: return passList(place, depth: depth, hasNames: true)
    // What else there is has a small size of its own, which the decoder checks.
    default: return true
    }
  }

  private mutating func passText(_ place: Int, unit: Int) -> Bool {
    guard let content = content(place, unit: unit) else { return false }
    textSize += content.count
    return textSize <= Self.textLimit
  }

  private mutating func passList(_ place: Int, depth: Int, hasNames: Bool) -> Bool {
    guard let content = content(place, unit: hasNames ? 2 * referenceSize : referenceSize) else { return false }
    let names = hasNames ? content.count / 2 : 0
    for start in stride(from: content.startIndex, to: content.endIndex, by: referenceSize) {
      let isName = start - content.startIndex < names
      guard let index = Self.number(content[start..<(start + referenceSize)]),
        pass(index, depth: isName ? depth : depth + 1, isName: isName)
      else { return false }
    }
    return true
  }

  /// Where a value begins; nil if it is not in the list.
  private func place(_ index: Int) -> Int? {
    guard index < count else { return nil }
    let start = table + index * placeSize
    return Self.number(bytes[start..<(start + placeSize)]).flatMap {
      (Self.headerSize..<table).contains($0) ? $0 : nil
    }
  }

  /// What follows the mark of a value and its count; nil if the list ends before.
  ///
  /// - Parameter unit: the size of what is counted.
  private func content(_ place: Int, unit: Int) -> ArraySlice<UInt8>? {
    var start = place + 1
    var count = Int(bytes[place] & 0x0f)
    if count == 0x0f {
      // The count is a value of its own: a whole number.
      guard start < table, (0x10...0x13).contains(bytes[start]) else { return nil }
      let size = 1 << Int(bytes[start] & 0x0f)
      guard start + 1 + size <= table, let number = Self.number(bytes[(start + 1)..<(start + 1 + size)]) else {
        return nil
      }
      start += 1 + size
      count = number
    }
    guard count <= (table - start) / unit else { return nil }
    return bytes[start..<(start + count * unit)]
  }

  /// A whole number, its first byte being the greatest; nil if it is negative.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let number = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Int(exactly: number)
  }
}
