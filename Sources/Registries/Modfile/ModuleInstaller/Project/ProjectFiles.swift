public import ModuleResolver
public import SignetBase
internal import SignetSystem

/// The files of a project that say what it needs and what it gets: its Modfile, and the lock beside it.
public struct ProjectFiles: Sendable {
  /// The path of the Modfile.
  public let modfile: String
  /// The path of the lock.
  public var lock: String { modfile + ".lock" }
  /// Whether a user has named the Modfile, which may be a link then.
  private let isNamed: Bool

  /// The files beside a Modfile that a user has named.
  public init(named modfile: String) {
    self.modfile = modfile
    isNamed = true
  }

  /// The files in the usual place of a project, where no link is followed: version control keeps links.
  public init(usual modfile: String) {
    self.modfile = modfile
    isNamed = false
  }

  /// Reads the Modfile.
  ///
  /// - Throws: `modfile.…` with the file's path; `install.link`, `file.…`.
  public func read() throws(SignetError) -> (modfile: Modfile, bytes: [UInt8]) {
    if !isNamed { try ProjectPlace.check(modfile, option: "--modfile PATH") }
    let bytes: [UInt8]
    do throws(SignetError) { bytes = try Self.bytes(modfile, Modfile.sizeLimit, .modfileSize) } catch
      where !isNamed && error.code == .fileMissing
    {
      var error = error
      error.hint = "begin a project in this folder: signet init; or name its Modfile: --modfile PATH"
      throw error
    }
    do throws(SignetError) { return (try Modfile(bytes), bytes) } catch {
      throw error.inFile(modfile, named: "Modfile")
    }
  }

  /// Reads the lock; nil if the file is missing.
  ///
  /// - Throws: `lockfile.…`; `install.link`, `file.…`.
  public func readLock() throws(SignetError) -> ModuleLock? {
    try ProjectPlace.check(lock, option: nil)
    do throws(SignetError) {
      let bytes = try Self.bytes(lock, ModuleLock.sizeLimit, .lockfileSize)
      do throws(SignetError) { return try ModuleLock(bytes) } catch {
        throw error.inFile(lock, named: "Modfile.lock")
      }
    } catch  where error.code == .fileMissing {
      return nil
    }
  }

  private static func bytes(_ path: String, _ limit: Int, _ code: SignetError.Code) throws(SignetError) -> [UInt8] {
    do throws(SignetError) { return try RegularFile(opening: path).bytes(limit: limit) } catch
      where error.code == .fileTooLarge
    {
      throw SignetError(code, path, "is too large", expected: "at most \(limit) bytes", cause: error)
    }
  }
}

extension SignetError {
  /// The error about a place in a text, with the file's path for the name that the text's reader has given it.
  fileprivate func inFile(_ path: String, named name: String) -> SignetError {
    guard object.utf8.starts(with: name.utf8) else { return self }
    return about(path + String(decoding: object.utf8.dropFirst(name.utf8.count), as: UTF8.self))
  }
}
