package import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// New files that are synced together: with a sync for each, thousands of small files take most of their time for it.
///
/// As with one file alone, the bytes of all are on the disk before the first has its name, and so are the names before the
/// batch is done. An end in between leaves some files whole, and of the others nothing.
package final class OutputBatch {
  /// The most files in a batch: each keeps two descriptors open.
  package static let limit = 240

  private var drafts: [OutputDraft] = []
  private var paths: [String] = []

  package init() {}

  package var count: Int { drafts.count }

  /// Writes a file that will get its name with the others.
  ///
  /// - Throws: `output.exists`, `output.failed`. The files before it are not affected.
  package func add(_ bytes: [UInt8], to path: String) throws(SignetError) {
    let draft = try OutputDraft(to: path, .keep)
    try draft.write(bytes)
    drafts.append(draft)
    paths.append(path)
  }

  /// Gives all files their names, and empties the batch.
  ///
  /// - Returns: for each file, in the order in which they were added, why it did not get its name; nil if it did. Nothing is
  ///   left of a file that did not.
  package func publish() -> [SignetError?] {
    defer { (drafts, paths) = ([], []) }
    func failed(_ index: Int, _ failure: SystemFailure) -> SignetError {
      OutputFile.complaint(paths[index], .nothingDone(failure))
    }
    do throws(SystemFailure) { try OutputDraft.syncFileSystems(of: drafts) } catch {
      return paths.indices.map { failed($0, error) }
    }
    var failures = drafts.map { draft -> SignetError? in
      do throws(SignetError) {
        try draft.place()
        return nil
      } catch {
        return error
      }
    }
    do throws(SystemFailure) { try OutputDraft.syncFileSystems(of: drafts) } catch {
      for index in paths.indices where failures[index] == nil {
        unsafe unlink(paths[index])
        failures[index] = failed(index, error)
      }
    }
    return failures
  }
}
