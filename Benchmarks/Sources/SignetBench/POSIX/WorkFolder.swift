#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A folder for one run, the working folder until it is removed.
struct WorkFolder {
  private let path: String
  private let before: String

  init() throws {
    before = try Path.resolved(".")
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/signet-bench-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw BenchFailure(system: "mkdtemp", parent) }
    path = try Path.resolved(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    guard unsafe chdir(path) == 0 else { throw BenchFailure(system: "chdir", path) }
  }

  /// Removes the folder and what is in it.
  func remove() {
    Self.empty(path)
    _ = unsafe chdir(before)
    if unsafe rmdir(path) != 0 {
      StandardStream.error.write("warning: \(BenchFailure(system: "rmdir", path).message)\n")
    }
  }

  /// Removes what is in a folder; nothing in it leads elsewhere, links are removed themselves.
  private static func empty(_ path: String) {
    guard let folder = unsafe opendir(path) else { return }
    defer { unsafe closedir(folder) }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      // A folder is not unlinked.
      if name == "." || name == ".." { continue }
      if unsafe unlink("\(path)/\(name)") == 0 { continue }
      empty("\(path)/\(name)")
      _ = unsafe rmdir("\(path)/\(name)")
    }
  }
}
