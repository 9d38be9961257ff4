import SignetBase
import SignetCrypto
import StoreFront

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is on offer, from a file: `[{"identifier": …, "version": …, "title": …, "path": …}]`.
enum Catalogue {
  /// Reads a catalogue.
  ///
  /// - Throws: `catalogue.malformed`; what reading throws.
  static func items(_ path: String) throws(SignetError) -> [StoreItem] {
    do {
      return try JSONDecoder().decode([StoreItem].self, from: Data(contentsOf: URL(filePath: path)))
    } catch {
      throw SignetError(.init("catalogue.malformed", .failure), path, "is no catalogue", cause: error)
    }
  }
}
