internal import ArgumentParser
internal import SignetBase
internal import SignetFiles
internal import SignetSystem

/// What another program writes to standard input, as a file that can be read more than once.
enum StandardInput {
  /// How a command line names it. A file of this name is `./-`.
  static let path = "-"
  /// How messages name it.
  static let name = "standard input"

  private static let descriptor: Int32 = 0

  /// Whether a path of a command line means standard input.
  static func isMeant(by path: String) -> Bool { path.isExactly(Self.path) }

  /// What people read in the place of a path.
  static func shown(_ path: String) -> String { isMeant(by: path) ? name : path }

  /// Copies standard input, up to its end, to a file without a name in the folder for temporary files. What is signed or
  /// verified then is the copy.
  ///
  /// - Throws: `file.read-failed`, `extraction.failed`.
  static func copy() throws(SignetError) -> RegularFile {
    let copy = try Snapshot(in: TemporaryName.usualFolder, of: name)
    try copy.append(contentsOf: descriptor)
    return try copy.finish()
  }

  /// Checks that nothing else is read from standard input, and that it goes alone: its bytes come once.
  ///
  /// - Parameter descriptors: those from which keys and passphrases are read.
  static func check(_ files: [String], descriptors: [Int32?]) throws {
    guard files.contains(where: isMeant) else { return }
    guard files.count == 1 else { throw ValidationError("Standard input (-) goes alone, without other files.") }
    guard !descriptors.contains(descriptor) else {
      throw ValidationError("Standard input (-) is the file: read the key and its passphrase from elsewhere.")
    }
  }
}
