/// Characters in names that are invisible, or that make other characters look as if they were elsewhere:
/// `a<U+202E>txt.so` appears as `aos.txt` where right-to-left text is reversed.
///
/// These characters are refused: Unicode's Bidi_Control characters, those that are ignored by default
/// (Default_Ignorable_Code_Point: blanks without width, fillers, tags, the soft hyphen, the byte-order mark),
/// separators of lines and paragraphs, and the marks of annotations. Scripts and emoji need joiners and variation
/// selectors, which are accepted where they have an effect.
package enum InvisibleCharacters {
  /// The first of these characters in a text, or nil.
  package static func first(in text: String) -> Unicode.Scalar? {
    // Nearly every path is ASCII, which is recognized by its bytes.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    var before: Unicode.Scalar?
    var last: Unicode.Scalar?
    for (index, scalar) in zip(text.unicodeScalars.indices, text.unicodeScalars) {
      defer { (before, last) = (last, scalar) }
      guard !scalar.isASCII, isInvisible(scalar) else { continue }
      let rest = text.unicodeScalars[index...].dropFirst()
      let isNeeded =
        scalar.properties.isVariationSelector
        ? selects(scalar, last, rest.first)
        : scalar.properties.isJoinControl && joins(scalar, before: before, last: last, next: rest.first)
      guard isNeeded else { return scalar }
    }
    return nil
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Separators of lines and paragraphs; interlinear annotations.
    case 0x2028, 0x2029, 0xfff9...0xfffb: true
    default: scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isBidiControl
    }
  }

  /// Whether a variation selector changes how the character before it looks.
  private static func selects(_ selector: Unicode.Scalar, _ last: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    guard let last else { return false }
    switch selector.value {
    // Text or emoji; digits are emoji only as keycaps.
    case 0xfe0e, 0xfe0f: return last.properties.isEmoji && (!last.isASCII || next?.value == 0x20e3)
    case 0x180b...0x180f: return (0x1820...0x18aa).contains(last.value)
    default: return last.properties.isIdeographic
    }
  }

  /// Whether a joiner is between characters that join, or that it keeps from joining.
  private static func joins(
    _ joiner: Unicode.Scalar, before: Unicode.Scalar?, last: Unicode.Scalar?, next: Unicode.Scalar?
  ) -> Bool {
    guard let last, let next else { return false }
    if isOfJoiningScript(last), isOfJoiningScript(next) { return true }
    // Emoji that consist of several, such as families. A selector may follow the first.
    let first = last.value == 0xfe0f ? before : last
    return joiner.value == 0x200d && first.map(isPictograph) == true && isPictograph(next)
  }

  /// Whether a character joins with other emoji. Digits and trademark signs count as emoji, too, but join with nothing.
  private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x2190 && scalar.properties.isEmoji
  }

  /// The blocks of scripts whose letters join or form conjuncts: of the Near East, India, South East Asia and Mongolia.
  private static let joiningScripts: [ClosedRange<UInt32>] = [
    0x0600...0x0dff, 0x0f00...0x109f, 0x1700...0x18af, 0x1a20...0x1aaf, 0x1b00...0x1c4f, 0x1cd0...0x1cff,
    0xa800...0xa95f, 0xa980...0xaaff, 0xabc0...0xabff, 0xfb50...0xfdff, 0xfe70...0xfefc, 0x10a00...0x11fff,
    0x1e900...0x1e95f,
  ]

  private static func isOfJoiningScript(_ scalar: Unicode.Scalar) -> Bool {
    guard joiningScripts.contains(where: { $0.contains(scalar.value) }) else { return false }
    switch scalar.properties.generalCategory {
    case .otherLetter, .modifierLetter, .lowercaseLetter, .uppercaseLetter, .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }
}
