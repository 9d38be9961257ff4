internal import Signet
package import SignetSystem

/// What is in a store's folder for downloads and is not being fetched now. Its sum is bounded, however many modules are
/// requested.
package enum KeptDownloads {
  private struct Kept {
    let name: String
    let size: Int
    /// When some of it last arrived.
    let last: Int
    /// Whether its archive is complete and waits for the next start.
    let isWhole: Bool
  }

  /// Removes downloads until the limits are met. Partial ones go first, from the oldest on, and then complete ones.
  ///
  /// What a host is fetching now is locked. It does not count, and is not removed.
  ///
  /// - Parameters:
  ///   - folder: the store's folder for downloads.
  ///   - limits: the greatest number of modules and of bytes.
  package static func trim(_ folder: Directory, _ limits: ArchiveFetcher.Limits) {
    guard let names = try? folder.entryNames() else { return }
    var all = names.compactMap { kept($0, in: folder) }
    guard isTooMuch(all, limits) else { return }
    all.removeAll { own($0, in: folder) == nil }
    all.sort { ($0.isWhole ? 1 : 0, $0.last, $0.name) < ($1.isWhole ? 1 : 0, $1.last, $1.name) }
    while isTooMuch(all, limits), !all.isEmpty { own(all.removeFirst(), in: folder)?.remove() }
  }

  private static func isTooMuch(_ all: [Kept], _ limits: ArchiveFetcher.Limits) -> Bool {
    all.count > limits.keptDownloads || all.reduce(0) { $0 + $1.size } > limits.keptBytes
  }

  /// nil while it is being fetched.
  private static func own(_ kept: Kept, in folder: Directory) -> DownloadFolder? {
    ModuleIdentifier(kept.name).flatMap { try? DownloadFolder(of: $0, in: folder, patience: 0) }
  }

  private static func kept(_ name: String, in folder: Directory) -> Kept? {
    guard ModuleIdentifier(name) != nil, let own = try? folder.subdirectory(name),
      let files = try? own.entryNames()
    else { return nil }
    var (size, last, isWhole) = (0, 0, false)
    for file in files {
      guard let status = (try? own.status(of: file)) ?? nil, status.kind == .regular else { continue }
      size += status.size
      last = max(last, status.modified.seconds * 1_000_000_000 + status.modified.nanoseconds)
      isWhole = isWhole || file.isExactly(DownloadFolder.archiveName)
    }
    return Kept(name: name, size: size, last: last, isWhole: isWhole)
  }
}
