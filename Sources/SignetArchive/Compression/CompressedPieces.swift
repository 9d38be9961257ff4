internal import SignetBase

/// The pieces of a compressed file, streams of xz or frames of Zstandard or lz4, as far as their structure is sound.
struct CompressedPieces {
  /// The number of complete pieces.
  var count = 0
  /// Where the last complete piece ends, with what may fill the place between pieces.
  var end = 0
  /// Whether there is something else between or after them that the format allows: padding, or frames that are skipped.
  var hasOthers = false
  /// What is wrong with what follows: `archive.trailing-data` if no piece begins there; nil at the end of the file.
  var fault: SignetError?
  /// Where the fault is: no piece before it needs much memory.
  var reached = 0
  /// Whether only zeros follow, which the format does not allow.
  var isPadding = false
}
