internal import SignetBase

/// The pieces of a compressed file, streams of xz or frames of Zstandard or lz4, as far as their structure is sound.
struct CompressedPieces {
  /// The number of complete pieces.
  var count = 0
  /// Where the last complete piece ends, with what may fill the place between pieces.
  var end = 0
  /// Whether there is something else between or after them that the format allows: padding, or frames that are skipped.
  var hasOthers = false
  /// Where the contents of frames are that are skipped; not all of them if there are more than ``othersLimit``.
  var others: [Range<Int>] = []
  /// What is wrong with what follows: `archive.trailing-data` if no piece begins there; nil at the end of the file.
  var fault: SignetError?
  /// Where the fault is: no piece before it needs much memory.
  var reached = 0
  /// Whether only zeros follow, which the format does not allow.
  var isPadding = false

  /// How many places beside the data are looked at one by one.
  static let othersLimit = 4096

  /// Notes the content of a frame that is skipped.
  mutating func skip(_ range: Range<Int>) {
    hasOthers = true
    // A few too many are enough to know that there are many.
    if others.count <= Self.othersLimit { others.append(range) }
  }
}
