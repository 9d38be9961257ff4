package import SignetArchive
package import SignetBase
package import SignetSystem

/// What is known of an archive that another program made, to read it once more.
package struct ListedArchive {
  package let source: any ByteSource
  package let format: ArchiveListing.Format
  /// Whether its entries can be decompressed in little memory.
  package let isBounded: Bool
  /// The signatures of Android in a ZIP, which belong to no entry.
  package let androidBlock: Range<Int>?

  /// Lists the entries once more, to read them.
  ///
  /// - Throws: what ``ArchiveListing`` and `body` throw.
  package func list(_ body: (ArchiveListing) throws(SignetError) -> Void) throws(SignetError) {
    try ArchiveListing.with(source, format, decodesAll: isBounded, body)
  }
}
