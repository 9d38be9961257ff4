package import SignetBase
internal import SignetCrypto
package import SignetSystem

extension ModulePredicate {
  /// What the first bundle of a file claims of a module. Nobody has verified it: it counts for nothing but what somebody who did
  /// verify it, some time ago, wants to remember.
  ///
  /// - Parameter file: a bundle a line.
  /// - Throws: `signature.…`, `bundle.…`, `envelope.…`, `statement.…`.
  package static func claimed(in file: RegularFile) throws(SignetError) -> ModulePredicate? {
    guard let first = try BundleFile.bundles(of: file, isList: true).first else { return nil }
    return try Statement(payload: first.bundle().envelope.payload).module
  }
}
