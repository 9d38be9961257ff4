/// The characters of which a part of a token consists.
enum TokenAlphabet {
  case digits, letters, base32, base36, base62, base64URL, hexadecimal, word, alphanumericOrHyphen

  /// Whether a character belongs to it.
  func has(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return self != .letters && (self != .base32 || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte))
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      return self != .digits && self != .base32 && (self != .hexadecimal || byte <= UInt8(ascii: "f"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return self != .digits && self != .letters && self != .base36 && self != .hexadecimal
    case UInt8(ascii: "_"): return self == .base64URL || self == .word
    case UInt8(ascii: "-"): return self == .base64URL || self == .alphanumericOrHyphen
    default: return false
    }
  }
}
