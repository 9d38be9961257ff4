internal import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A program that was installed with this one, and that this process can become.
///
/// It is looked for beside this program's own file, and never by `PATH`. Whoever can write the other program, or a folder
/// that it was installed in, must be able to write this one, too. In a shared folder with the sticky bit, such as /tmp,
/// anybody could add it, or a link to another file: nothing is taken from there.
struct OtherProgram {
  /// The name of its file.
  let name: String
  /// The path of this program's own file, from the root and without links.
  let own: String

  /// - Throws: `file.missing` if this program's own place is unknown.
  init(_ name: String) throws(SignetError) {
    guard let own = ProgramPlace.file else {
      throw SignetError(
        .fileMissing, name, "cannot be found, as the place of this program is unknown",
        hint: "run it again by its path; if it was replaced just now, that is enough")
    }
    self.init(name, beside: own)
  }

  init(_ name: String, beside own: String) { (self.name, self.own) = (name, own) }

  /// Becomes the other program, with this one's arguments and environment.
  ///
  /// - Throws: what ``path()`` throws; `file.unreadable` if it cannot be run.
  func become() throws(SignetError) -> Never {
    let path = try path()
    unsafe execv(path, CommandLine.unsafeArgv)
    throw SignetError(
      .fileUnreadable, path, "cannot be run", cause: SystemFailure.last("execve"), hint: "install Signet whole")
  }

  /// Where it is.
  ///
  /// - Throws: `file.missing`, `file.others-may-write`, `file.unreadable`.
  func path() throws(SignetError) -> String {
    let folder = ProgramPlace.folder(of: own)
    let prefix = ProgramPlace.folder(of: folder)
    let installed = ProgramPlace.path("libexec", in: prefix)
    let places = [
      (folder: folder, above: [String]()), (folder: ProgramPlace.path("signet", in: installed), above: [installed]),
    ]
    for place in places {
      let path = ProgramPlace.path(name, in: place.folder)
      do throws(SignetError) { _ = try FileStatus(ofLink: path) } catch  where error.code == .fileMissing { continue }
      return try checked(path, place.above + [place.folder])
    }
    throw SignetError(
      .fileMissing, name, "is not installed beside this program", expected: "one of the files",
      found: "none of \(places.map { ProgramPlace.path(name, in: $0.folder) }.joined(separator: ", "))",
      hint: "install Signet whole, with make install")
  }

  /// The path to run, if nobody could have put a file there who could not have written this program.
  ///
  /// - Parameter folders: those that it was installed in, the last one with the file.
  private func checked(_ path: String, _ folders: [String]) throws(SignetError) -> String {
    for folder in folders {
      let status = try FileStatus(ofLink: ProgramPlace.resolved(folder) ?? folder)
      guard status.mode & 0o1000 == 0 || status.mode & 0o022 == 0 else {
        throw refusal(
          folder, "is a folder in which any user can put a program",
          expected: "a folder that only its owner can write",
          found: "mode \(String(status.mode, radix: 8))", hint: "install Signet in another folder, with make install")
      }
    }
    guard FileStatus.identities(of: [path]) != FileStatus.identities(of: [own]) else {
      throw SignetError(
        .fileUnreadable, path, "is this program itself", expected: name,
        hint: "install Signet whole, with make install")
    }
    // Nobody but this user and root can write it, or anything on the way to it.
    if let file = try? TrustedPath.open(path, isSecret: false) { return file.path }
    // Somebody else's installation, or that of a group: its owners could have written this program as well.
    let home = ProgramPlace.folder(of: own)
    for each in folders where each != home { try compare(each, with: [own, home]) }
    try compare(path, with: [own, home])
    return path
  }

  /// Checks that nobody can write a file or a folder who cannot write one of these.
  private func compare(_ path: String, with others: [String]) throws(SignetError) {
    let status = try FileStatus(ofLink: path)
    guard status.kind == .regular || status.kind == .directory else {
      throw refusal(
        path, "is a link, or no file", expected: "a file that only you or root can write",
        found: "a link or a device", hint: "install Signet whole, with make install")
    }
    var owners: Set<UInt32> = [0, geteuid()]
    var writers: UInt32 = 0
    var groups: Set<UInt32> = []
    for other in others {
      let status = try FileStatus(ofLink: other)
      owners.insert(status.owner)
      // What the sticky bit keeps from others is not theirs to write.
      guard status.mode & 0o1000 == 0 else { continue }
      writers |= status.mode & 0o022
      if status.mode & 0o020 != 0 { groups.insert(status.group) }
    }
    guard owners.contains(status.owner) else {
      throw refusal(
        path, "belongs to another user than this program", expected: "the user of \(own)",
        found: "user \(status.owner)",
        hint: "install Signet whole, with make install")
    }
    let isListed = try AccessList.read(.path(path), path) != nil
    guard status.mode & 0o022 & ~writers == 0, status.mode & 0o020 == 0 || groups.contains(status.group), !isListed
    else {
      throw refusal(
        path, "can be written by users who cannot write this program", expected: "no write permission for others",
        found: "mode \(String(status.mode, radix: 8))\(isListed ? " and an access control list" : "")",
        hint: "check its content, then: chmod go-w \(path.shellWord)")
    }
  }

  private func refusal(
    _ path: String, _ message: String, expected: String, found: String, hint: String
  ) -> SignetError {
    SignetError(.fileOthersMayWrite, path, message, expected: expected, found: found, hint: hint)
  }
}
