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
/// It is looked for beside this program's own file, and never by `PATH`. In a folder like /tmp, another user could put a
/// file there. So whoever can write the other program, or a folder that it was installed in, must be able to write this
/// one, too.
enum OtherProgram {
  /// Becomes another program, with this one's arguments and environment.
  ///
  /// - Throws: `file.missing`, `file.others-may-write`, `file.unreadable`.
  static func become(_ name: String) throws(SignetError) -> Never {
    let path = try path(of: name)
    unsafe execv(path, CommandLine.unsafeArgv)
    throw SignetError(
      .fileUnreadable, path, "cannot be run", cause: SystemFailure.last("execve"), hint: "install Signet whole")
  }

  /// Where it is.
  static func path(of name: String) throws(SignetError) -> String {
    guard let own = ProgramPlace.file else {
      throw SignetError(
        .fileMissing, name, "cannot be found, as this program's own place is unknown", hint: "mount /proc")
    }
    return try path(of: name, beside: own)
  }

  /// - Parameter own: the path of this program's file, without links.
  static func path(of name: String, beside own: String) throws(SignetError) -> String {
    let folder = ProgramPlace.folder(of: own)
    let above = ProgramPlace.folder(of: folder)
    let places = [[folder], [above + "/libexec", above + "/libexec/signet"]]
    for folders in places {
      let path = folders[folders.count - 1] + "/" + name
      guard (try? FileStatus(ofLink: path)) != nil else { continue }
      for each in folders.dropFirst(folders[0] == folder ? 1 : 0) + [path] {
        try check(each, name: name, own: own, folder: folder)
      }
      return path
    }
    throw SignetError(
      .fileMissing, name, "is not installed beside this program", expected: "one of the files",
      found: "none of \(places.map { $0[$0.count - 1] + "/" + name }.joined(separator: ", "))",
      hint: "install Signet whole, with make install")
  }

  /// Checks that nobody can write a file or folder who could not have written this program.
  private static func check(
    _ path: String, name: String, own: String, folder: String
  ) throws(SignetError) {
    let status = try FileStatus(ofLink: path)
    let known = [try FileStatus(ofLink: own), try FileStatus(ofLink: folder)]
    func refusal(_ message: String, expected: String, found: String) -> SignetError {
      SignetError(
        .fileOthersMayWrite, path, message, expected: expected, found: found,
        hint: "install Signet whole, with make install")
    }
    guard status.kind == .regular || status.kind == .directory else {
      throw refusal("is not \(name), but leads to it", expected: "a file", found: "a link or a device")
    }
    guard ([0, geteuid()] + known.map(\.owner)).contains(status.owner) else {
      throw refusal(
        "belongs to another user than this program", expected: "user \(known[0].owner)", found: "user \(status.owner)"
      )
    }
    let writable = known.reduce(0) { $0 | $1.mode & 0o022 }
    let groups = known.filter { $0.mode & 0o020 != 0 }.map(\.group)
    guard status.mode & 0o022 & ~writable == 0, status.mode & 0o020 == 0 || groups.contains(status.group) else {
      throw refusal(
        "can be written by users who cannot write this program", expected: "mode \(String(known[0].mode, radix: 8))",
        found: "mode \(String(status.mode, radix: 8))")
    }
  }
}
