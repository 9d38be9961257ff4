internal import Signet
internal import SignetBase
internal import SignetSystem

/// The patches that wait to be installed: archives in a folder. The application or another program puts them there.
final class SMPatches: Sendable {
  /// A patch of a module, as it was found.
  struct Patch: Sendable {
    let module: ModuleIdentifier
    let path: String
    /// The file. It is kept open, so that no later patch of the module can be taken for it.
    let file: RegularFile
    /// The files with its bundles, by their endings. They are kept open, too.
    fileprivate let bundles: [String: RegularFile]
  }

  private static let ending = ".zip"
  private static let refusedEnding = ".refused"
  private static let doneEnding = ".done"
  /// The endings of the file with the patch's bundles.
  private static let bundleEndings = [".sigstore.json", ".sigstore.jsonl"]

  private let path: String
  /// How many patches were put away. One is at a time, because names are taken twice for it.
  private let count = Monitor(0)

  init(in folder: String) { path = folder }

  /// Where the patch of a module is put. Writers and readers alike take the module's identifier for its name.
  func path(of module: ModuleIdentifier) -> String { "\(path)/\(module)\(Self.ending)" }

  /// The patch of a module, or nil.
  ///
  /// - Throws: `file.…` for one that is there, or a bundle beside it, and cannot be read. Without the bundle the patch would
  ///   be refused, and set aside, for a signature that it has.
  func patch(of module: ModuleIdentifier) throws(SignetError) -> Patch? {
    let path = path(of: module)
    // The bundles first: they come before the patch that they are for.
    var bundles: [String: RegularFile] = [:]
    for ending in Self.bundleEndings { bundles[ending] = try Self.file(path + ending) }
    return try Self.file(path).map { Patch(module: module, path: path, file: $0, bundles: bundles) }
  }

  private static func file(_ path: String) throws(SignetError) -> RegularFile? {
    do throws(SignetError) { return try RegularFile(openingNoFollow: path) } catch  where error.code == .fileMissing {
      return nil
    }
  }

  /// All patches, sorted by their modules.
  ///
  /// - Parameter complain: is told of each that cannot be read, and of a folder that cannot. They may be read later.
  func all(_ complain: (SignetError) -> Void) -> [Patch] {
    let names: [String]
    do throws(SignetError) { names = try Directory(opening: path).entryNames() } catch {
      if error.code != .fileMissing { complain(error) }
      return []
    }
    return names.sorted().compactMap { name in
      guard name.hasSuffix(Self.ending) else { return nil }
      guard let module = ModuleIdentifier(String(name.dropLast(Self.ending.count))) else { return nil }
      do throws(SignetError) { return try patch(of: module) } catch {
        complain(error)
        return nil
      }
    }
  }

  /// Removes a patch that was installed.
  func remove(_ patch: Patch) { putAway(patch, as: Self.doneEnding) { try? $0.removeTree(named: $1) } }

  /// Sets a patch aside that was refused, so that nothing installs it later.
  func setAside(_ patch: Patch) { putAway(patch, as: Self.refusedEnding) { _, _ in } }

  /// Takes a patch away with what is beside it. A later patch of the module, which may have come meanwhile, stays.
  ///
  /// The patch goes last. If the process ends before that, it has no signature, and is refused. The other way around,
  /// the next patch would be held against a signature that is not its own.
  private func putAway(_ patch: Patch, as ending: String, _ body: (Directory, String) -> Void) {
    count.withLock { count in
      count += 1
      guard let folder = try? Directory(opening: path) else { return }
      let name = "\(patch.module)\(Self.ending)"
      for beside in Self.bundleEndings {
        guard let bundle = patch.bundles[beside] else { continue }
        take(name + beside, bundle, from: folder, as: ending, body)
      }
      take(name, patch.file, from: folder, as: ending, body)
    }
  }

  /// Takes a file away, unless another one has its name meanwhile.
  private func take(
    _ name: String, _ file: RegularFile, from folder: Directory, as ending: String,
    _ body: (Directory, String) -> Void
  ) {
    let taken = name + ending
    guard (try? folder.replace(taken, in: folder, with: name)) != nil else { return }
    guard let found = try? folder.status(of: taken), found.identity == file.status.identity else {
      // If yet another one is there already, that one counts.
      if (try? folder.move(taken, to: folder, as: name)) == nil { try? folder.removeTree(named: taken) }
      return
    }
    body(folder, taken)
  }
}
