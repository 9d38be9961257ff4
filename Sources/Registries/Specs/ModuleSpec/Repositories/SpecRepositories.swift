public import Signet
public import SignetBase
internal import SignetSystem

/// The repositories of specs that a user has added: a folder with one folder for each.
public struct SpecRepositories: Sendable {
  /// The folder's path.
  public let path: String
  private let git: SpecGit

  /// Names the folder, which need not exist yet.
  public init(_ path: String, git: SpecGit) {
    self.path = path
    self.git = git
  }

  /// Whether a text can be the name of a repository: it is that of a folder, and stands in commands.
  public static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-") && text.utf8.first != UInt8(ascii: ".")
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "._-".utf8.contains($0)
      }
  }

  /// All repositories, in the order of their names.
  ///
  /// - Throws: `spec-repo.malformed`, `file.…`.
  public func all() throws(SignetError) -> [SpecRepository] {
    let names: [String]
    do throws(SignetError) { names = try TrustedPath.openFolder(path).entryNames() } catch
      where error.code == .fileMissing
    {
      return []
    }
    var repositories: [SpecRepository] = []
    for name in names where Self.isName(name) { repositories.append(try repository(name)) }
    return repositories
  }

  /// The repository of a name.
  ///
  /// - Throws: `spec-repo.unknown`, `spec-repo.malformed`; `file.others-may-write` if others can change what is kept.
  public func repository(_ name: String) throws(SignetError) -> SpecRepository {
    let folder = "\(path)/\(name)"
    let line: [UInt8]
    do throws(SignetError) {
      guard Self.isName(name) else { throw SignetError(.fileMissing, name, "is not a name") }
      line = try TrustedPath.openFolder(folder).file(SpecRepository.placeName).bytes(limit: 1 << 13)
    } catch  where error.code == .fileMissing {
      throw unknown(name)
    }
    return SpecRepository(
      name: name, place: try SpecPlace(line: line, "\(folder)/\(SpecRepository.placeName)"), folder: folder, git: git)
  }

  /// Adds a repository: whole, or not at all.
  ///
  /// - Parameters:
  ///   - verifier: who must have signed each spec; nil to look at no signature.
  ///   - begun: is told of the folder that is removed if this fails, for those who end the process meanwhile.
  /// - Returns: how many specs it has.
  /// - Throws: `spec-repo.exists` if there is one of that name; `spec-repo.name`, `spec-repo.…`; `output.failed`.
  public func add(
    _ name: String, at place: SpecPlace, verifiedBy verifier: Verifier?, begun: (String) -> Void = { _ in }
  ) throws(SignetError) -> Int {
    guard Self.isName(name) else {
      throw SignetError(
        .specRepositoryName, name, "is not the name of a repository",
        expected: "1 to 64 letters, digits, and ._- but not first")
    }
    let place = try absolute(place)
    try make(path)
    let folder = try TrustedPath.openFolder(path)
    guard try !isThere(name, in: folder) else { throw exists(name) }
    TemporaryDirectory.sweep(folder)
    let draft = try TemporaryDirectory(in: path)
    begun(draft.path)
    let tree = try SpecRepository(name: name, place: place, folder: draft.path, git: git).begin(verifiedBy: verifier)
    let isPublished: Bool
    do throws(SystemFailure) { isPublished = try draft.publish(to: "\(path)/\(name)") } catch {
      throw SignetError(.outputFailed, "\(path)/\(name)", "cannot be created", cause: error)
    }
    guard isPublished else { throw exists(name) }
    return tree.releases.count
  }

  /// Forgets a repository. What is in its place stays.
  ///
  /// - Throws: `spec-repo.unknown`, `output.failed`.
  public func remove(_ name: String) throws(SignetError) {
    let folder: Directory
    do throws(SignetError) {
      guard Self.isName(name) else { throw unknown(name) }
      folder = try TrustedPath.openFolder(path)
    } catch  where error.code == .fileMissing {
      throw unknown(name)
    }
    guard try isThere(name, in: folder) else { throw unknown(name) }
    do throws(SystemFailure) {
      // In one step it is no repository any more. What is left of it if this is killed, a sweep removes.
      let draft = TemporaryDirectory.unheldName()
      try folder.move(name, to: folder, as: draft)
      try folder.removeTree(named: draft)
    } catch {
      throw SignetError(.outputFailed, "\(path)/\(name)", "cannot be removed", cause: error)
    }
  }

  private func isThere(_ name: String, in folder: Directory) throws(SignetError) -> Bool {
    do throws(SystemFailure) { return try folder.status(of: name) != nil } catch {
      throw SignetError(.fileUnreadable, "\(path)/\(name)", "cannot be read", cause: error)
    }
  }

  /// A folder by its path from the root: commands are run in other folders, too.
  private func absolute(_ place: SpecPlace) throws(SignetError) -> SpecPlace {
    guard case .folder(let path) = place else { return place }
    let found: String
    do throws(SignetError) { found = try Directory(opening: "\(path)/.").place() } catch {
      throw SignetError(
        .specRepositoryPlace, path, "is neither a folder nor an address of git", cause: error,
        hint: "name a folder, or https://HOST/PATH, ssh://HOST/PATH or file:///PATH")
    }
    // The whole path is written to a line.
    return try SpecPlace(found)
  }

  private func make(_ folder: String) throws(SignetError) {
    do throws(SystemFailure) { try Directory.makeWithParents(folder, mode: 0o700) } catch {
      throw SignetError(.outputFailed, folder, "cannot be created", cause: error)
    }
  }

  private func unknown(_ name: String) -> SignetError {
    SignetError(
      .specRepositoryUnknown, name, "is not the name of a repository that was added",
      hint: "list those that were: signet spec repo list")
  }

  private func exists(_ name: String) -> SignetError {
    SignetError(
      .specRepositoryExists, name, "is the name of a repository that was added already",
      hint: "choose another name, or remove that one: signet spec repo remove \(name)")
  }
}
