extension DERReader {
  /// Elements within elements at most. What certificates hold of a type that they define themselves (ANY DEFINED BY)
  /// lies three or four deep.
  private static let depthLimit = 16

  /// Whether everything that has not been read yet is DER, element by element, whatever it means: constructed elements
  /// hold elements, and values of the simple types have their one form (X.690, sections 8 and 11).
  package var isWellFormed: Bool { isWellFormed(depth: 0) }

  private func isWellFormed(depth: Int) -> Bool {
    guard depth < Self.depthLimit else { return false }
    var reader = self
    while !reader.isAtEnd {
      guard let (tag, content) = reader.element() else { return false }
      let isConstructed = tag & 0x20 != 0
      if isConstructed, !content.isWellFormed(depth: depth + 1) { return false }
      if tag & 0xc0 == 0, !Self.isUniversal(tag, content.rest) { return false }
    }
    return true
  }

  /// Whether an element has a form that its universal type allows.
  private static func isUniversal(_ tag: UInt8, _ content: [UInt8]) -> Bool {
    switch tag {
    // EXTERNAL and EMBEDDED PDV are constructed, too.
    case DERElement.sequence, DERElement.set, 0x28, 0x2b: true
    case let other where other & 0x20 != 0: false
    case DERElement.boolean: content == [0] || content == [0xff]
    case DERElement.integer, DERElement.enumerated: isShortestInteger(content)
    case DERElement.bitString: isBitString(content)
    case DERElement.null: content.isEmpty
    case DERElement.objectIdentifier: OID(content: content) != nil
    // 0 ends contents of indefinite length; these types hold others.
    case 0, DERElement.sequence & 0x1f, DERElement.set & 0x1f: false
    default: true
    }
  }

  /// Whether an INTEGER's content has no needless octet in front (X.690, section 8.3.2).
  package static func isShortestInteger(_ content: [UInt8]) -> Bool {
    guard let first = content.first else { return false }
    return content.count == 1 || !(first == 0 && content[1] < 0x80 || first == 0xff && content[1] >= 0x80)
  }

  /// Whether the bits that do not count are at most seven, and zero (X.690, section 11.2.1).
  package static func isBitString(_ content: [UInt8]) -> Bool {
    guard let unused = content.first, unused < 8 else { return false }
    guard content.count > 1, let last = content.last else { return unused == 0 }
    return last & (1 << unused &- 1) == 0
  }

  /// Passes the next element when it and all within it are DER, whatever they mean.
  package mutating func any() -> Void? {
    guard let tag = nextTag, let element = encoded(tag) else { return nil }
    return DERReader(element).isWellFormed ? () : nil
  }

  /// Whether the elements that have not been read yet are at least one and at most so many, and each has a form.
  ///
  /// - Parameter form: reads one element; nil when it is not as it must be.
  package mutating func isList(atMost limit: Int, _ form: (inout DERReader) -> Void?) -> Bool {
    guard !isAtEnd else { return false }
    var count = 0
    while !isAtEnd {
      count += 1
      guard count <= limit, form(&self) != nil else { return false }
    }
    return true
  }
}
