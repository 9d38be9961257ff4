internal import SignetBase

/// A level of a SLSA track, such as `SLSA_BUILD_LEVEL_3` (slsa.dev/spec/v1.1/verification_summary, SlsaResult).
package struct SLSALevel {
  /// The track, such as `BUILD`.
  package let track: [UInt8]
  /// The level; nil if the verifier says nothing about it: `SLSA_BUILD_LEVEL_UNEVALUATED`.
  package let number: UInt8?

  /// What only SLSA's own results begin with.
  package static let prefix = Array("SLSA_".utf8)
  private static let middle = Array("_LEVEL_".utf8)
  /// The tracks, each with its highest level.
  private static let tracks = [("BUILD", 3), ("SOURCE", 4)].map { (name: Array($0.utf8), highest: UInt8($1)) }

  /// Reads a result; nil if it is not a level of a known track.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let known = Self.tracks.first { bytes.starts(with: Self.prefix + $0.name + Self.middle) }
    guard let known else { return nil }
    track = known.name
    let rest = bytes.dropFirst(Self.prefix.count + known.name.count + Self.middle.count)
    let zero = UInt8(ascii: "0")
    if rest.elementsEqual("UNEVALUATED".utf8) {
      number = nil
    } else if rest.count == 1, let digit = rest.first, (zero...zero + known.highest).contains(digit) {
      number = digit - zero
    } else {
      return nil
    }
  }

  /// Whether a result means that another one holds: each level of a track implies those below it.
  package static func includes(_ found: String, _ demanded: String) -> Bool {
    if found.isExactly(demanded) { return true }
    guard let found = SLSALevel(found), let demanded = SLSALevel(demanded), found.track == demanded.track,
      let reached = found.number, let least = demanded.number
    else { return false }
    return reached >= least
  }
}
