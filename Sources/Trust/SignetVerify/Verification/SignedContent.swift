package import SignetBase
package import SignetSystem

/// A file of which a part is signed, and which may hold its bundles itself, as a module's archive does.
///
/// The engine asks nothing else of it. What it holds is a matter of its kind.
package protocol SignedContent: Sendable {
  /// All bytes.
  var source: any ByteSource { get }
  /// The signed bytes.
  var signed: any ByteSource { get }
  /// Whether bundles lie in it: then not all bytes are signed.
  var holdsBundles: Bool { get }

  /// The bundles in it, before they are parsed; none if there are none.
  ///
  /// - Throws: `signature.malformed`, `bundle.count`.
  func bundles() throws(SignetError) -> [EncodedBundle]

  /// Reads what the signed bytes hold. It is called only once they were found to be the signed ones.
  ///
  /// - Parameter folder: the folder whose file system holds what has to be decompressed; no file appears in it.
  func opened(snapshotsIn folder: String) throws(SignetError) -> any OpenedContent
}

/// What signed bytes hold, once they were found to be the signed ones.
package protocol OpenedContent: Sendable {}
