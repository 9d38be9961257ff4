package import SignetSystem

extension ByteSource {
  /// A range of these bytes as a source of its own.
  ///
  /// - Parameters:
  ///   - range: within the bytes.
  ///   - path: its name in messages.
  package func part(_ range: Range<Int>, called path: String) -> any ByteSource { FilePart(self, range, path: path) }
}
