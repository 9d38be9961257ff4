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

  /// Removes the folder and the files in it.
  func remove() {
    if let folder = unsafe opendir(path) {
      while let entry = unsafe readdir(folder) {
        // Files only: folders, `.` and `..` among them, are not unlinked.
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
          unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        _ = unsafe unlink("\(path)/\(name)")
      }
      unsafe closedir(folder)
    }
    _ = unsafe chdir(before)
    if unsafe rmdir(path) != 0 {
      StandardStream.error.write("warning: \(BenchFailure(system: "rmdir", path).message)\n")
    }
  }
}
