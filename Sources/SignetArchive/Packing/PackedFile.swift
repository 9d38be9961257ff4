package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// A file of a directory that goes into an archive.
package struct PackedFile: PackedContent {
  private let directory: Directory
  private let entry: DirectoryScan.Entry

  package init(_ entry: DirectoryScan.Entry, of directory: Directory) {
    self.directory = directory
    self.entry = entry
  }

  package var size: Int { entry.status.size }

  package func read(_ sink: EntryReader.Sink) throws(SignetError) { try unsafe directory.read(entry, sink) }

  package func source(_ path: String) throws(SignetError) -> any ByteSource { try directory.file(entry) }
}
