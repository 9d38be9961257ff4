#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A directory of files, in the working folder.
struct TestDirectory {
  let name: String
  /// Files in a folder below; all lie in such folders.
  private let folderSize: Int
  private let sizes: [Int]
  private let content: TestFile.Content

  init(name: String, folderSize: Int, sizes: [Int], of content: TestFile.Content = .noise) {
    self.name = name
    self.folderSize = folderSize
    self.sizes = sizes
    self.content = content
  }

  var count: Int { sizes.count }
  var size: Int { sizes.reduce(0, +) }

  /// 10,000 files of up to 4 KiB in 100 folders.
  static let many = TestDirectory(name: "many", folderSize: 100, sizes: (0..<10_000).map { 1 + $0 * 97 % 4096 })

  /// Files of 8 MiB, so many as make up the size.
  static func large(_ size: Int) -> TestDirectory {
    let fileSize = 8 << 20
    let count = (size + fileSize - 1) / fileSize
    return TestDirectory(
      name: "heavy", folderSize: 16, sizes: (0..<count).map { min(fileSize, size - $0 * fileSize) })
  }

  /// Makes it, written to the disk and left in the page cache.
  func make() throws {
    try Self.makeFolder(name)
    for (number, size) in sizes.enumerated() {
      let folder = "\(name)/\(number / folderSize)"
      if number.isMultiple(of: folderSize) { try Self.makeFolder(folder) }
      try TestFile.make(
        "\(folder)/\(number).bin", size: size, of: content, seed: UInt64(number) << 32 + 1, isSynced: false)
    }
    sync()
  }

  static func makeFolder(_ path: String) throws {
    guard unsafe mkdir(path, 0o755) == 0 else { throw BenchFailure(system: "mkdir", path) }
  }

  /// Makes a folder and those above it, as far as they are missing.
  static func makeFolders(_ path: String) throws {
    if unsafe mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let end = path.lastIndex(of: "/") else { throw BenchFailure(system: "mkdir", path) }
    try makeFolders(String(path[..<end]))
    try makeFolder(path)
  }
}
