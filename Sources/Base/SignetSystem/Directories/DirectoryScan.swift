package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The contents of a directory at all depths, without the bytes of its files.
///
/// Links and special files are listed, but not followed or opened. Two scans are equal if nothing was written, added,
/// removed or exchanged between them, as far as the system's times tell.
package struct DirectoryScan: Equatable, Sendable {
  /// An entry of the directory.
  package struct Entry: Equatable, Sendable {
    /// The path from the directory; its names need not be UTF-8.
    package let path: [UInt8]
    /// The entry's status.
    package let status: FileStatus
    /// The target of a symbolic link; nil for anything else.
    package let target: [UInt8]?
  }

  /// Limits on what is read; more is refused.
  package struct Limits: Sendable {
    /// The total number of entries.
    package let entries: Int
    /// The length of a path in bytes.
    package let pathLength: Int
    /// The number of names in a path, and so of descriptors that are open at once.
    package let depth: Int
    /// The length of all paths and targets of links together in bytes. Long paths take time and memory for each name
    /// in them.
    package let allPaths: Int

    package init(entries: Int, pathLength: Int, depth: Int, allPaths: Int = .max) {
      self.entries = entries
      self.pathLength = pathLength
      self.depth = depth
      self.allPaths = allPaths
    }
  }

  /// The entries, sorted by the bytes of their paths.
  package private(set) var entries: [Entry] = []
  private let root: FileStatus

  /// The permission bits of the directory itself.
  package var mode: UInt32 { root.mode }

  /// Reads a directory.
  ///
  /// - Parameter leavesOutHidden: whether names that begin with a dot are left out, with everything below them.
  ///   Such a scan is not for ``checkUnchanged(_:limits:)``, which looks at all names.
  /// - Throws: `directory.entry-count`, `path.bounds`, `file.changed`, `file.unreadable`.
  package init(
    _ directory: Directory, limits: Limits, leavesOutHidden: Bool = false
  ) throws(SignetError) {
    root = try FileStatus(of: directory.descriptor, path: directory.path)
    var walk = Walk(directory: directory, limits: limits, leavesOutHidden: leavesOutHidden)
    try walk.visit(directory.descriptor, root, at: [], depth: 1)
    entries = walk.entries.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Checks that a directory still holds what it held when it was scanned.
  ///
  /// - Throws: `file.changed`, and what scanning throws.
  package func checkUnchanged(_ directory: Directory, limits: Limits) throws(SignetError) {
    let now = try DirectoryScan(directory, limits: limits)
    guard now != self else { return }
    let pair = zip(entries, now.entries).first { $0 != $1 }
    let path = pair?.0.path ?? (entries.count > now.entries.count ? entries : now.entries).last?.path ?? []
    throw directory.changed(path, "it was written to, or something was added or removed")
  }

  private struct Walk {
    let directory: Directory
    let limits: Limits
    let leavesOutHidden: Bool
    var entries: [Entry] = []
    private var pathsLength = 0

    init(directory: Directory, limits: Limits, leavesOutHidden: Bool) {
      self.directory = directory
      self.limits = limits
      self.leavesOutHidden = leavesOutHidden
    }

    /// Reads an open directory and those below it.
    mutating func visit(
      _ descriptor: Int32, _ status: FileStatus, at path: [UInt8], depth: Int
    ) throws(SignetError) {
      for name in try names(in: descriptor, path) where !(leavesOutHidden && name.first == UInt8(ascii: ".")) {
        let path = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
        try checkBounds(path, depth)
        let entry = try entry(name, in: descriptor, path)
        if let target = entry.target { try countPaths(target.count) }
        entries.append(entry)
        guard entry.status.kind == .directory else { continue }
        try descend(to: name, in: descriptor, entry, depth: depth)
      }
      guard try FileStatus(of: descriptor, path: directory.shown(path)) == status else {
        throw directory.changed(path, "something was added or removed")
      }
    }

    private mutating func descend(
      to name: [UInt8], in descriptor: Int32, _ entry: Entry, depth: Int
    ) throws(SignetError) {
      let below: Int32
      do throws(SystemFailure) {
        below = try Directory.descend(name, in: descriptor)
      } catch {
        throw directory.complaint(entry.path, error)
      }
      defer { close(below) }
      guard try FileStatus(of: below, path: directory.shown(entry.path)) == entry.status else {
        throw directory.changed(entry.path, "it is another directory")
      }
      try visit(below, entry.status, at: entry.path, depth: depth + 1)
    }

    private mutating func checkBounds(_ path: [UInt8], _ depth: Int) throws(SignetError) {
      guard path.count <= limits.pathLength else {
        throw SignetError(
          .pathBounds, directory.shown(path), "has too long a path", expected: "at most \(limits.pathLength) bytes",
          found: "\(path.count) bytes")
      }
      guard depth <= limits.depth else {
        throw SignetError(
          .pathBounds, directory.shown(path), "is nested too deeply", expected: "at most \(limits.depth) names",
          found: "\(depth) or more")
      }
      try countPaths(path.count)
    }

    private mutating func countPaths(_ count: Int) throws(SignetError) {
      pathsLength += count
      guard pathsLength <= limits.allPaths else {
        throw SignetError(
          .pathBounds, directory.path, "has too long paths all together",
          expected: "at most \(limits.allPaths) bytes", found: "more")
      }
    }

    /// The names in a directory, except `.` and `..`.
    private func names(in descriptor: Int32, _ path: [UInt8]) throws(SignetError) -> [[UInt8]] {
      do throws(SystemFailure) {
        let found = try Directory.names(in: descriptor, upTo: limits.entries - entries.count)
        if found.isWhole { return found.names }
      } catch {
        throw directory.complaint(path, error)
      }
      throw SignetError(
        .directoryEntryCount, directory.path, "has too many entries", expected: "at most \(limits.entries)",
        found: "more")
    }

    private func entry(_ name: [UInt8], in descriptor: Int32, _ path: [UInt8]) throws(SignetError) -> Entry {
      do throws(SystemFailure) {
        let status = try FileStatus(of: name, in: descriptor)
        let target = status.kind == .symbolicLink ? try target(of: name, in: descriptor) : nil
        return Entry(path: path, status: status, target: target)
      } catch {
        throw directory.complaint(path, error)
      }
    }

    private func target(of name: [UInt8], in descriptor: Int32) throws(SystemFailure) -> [UInt8] {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let name = name.map { CChar(bitPattern: $0) } + [0]
      let count = unsafe readlinkat(descriptor, name, &buffer, buffer.count)
      guard count >= 0 else { throw .last("readlinkat") }
      return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }
  }
}
