internal import SignetBase

/// A language whose code is in a binary, as far as compilers and linkers leave evidence of it.
package enum ELFLanguage: Sendable {
  /// C or C++.
  case c
  /// Swift.
  case swift
  /// Rust.
  case rust
  /// Go.
  case go

  /// The maximum number of bytes of compilers' names that are looked at. Usual are some hundred.
  private static let commentLimit = 64 << 10
  /// The maximum number of bytes of constants that are looked at. Paths are in all parts of them.
  private static let constantsLimit = 64 << 20
  /// The folders of Rust's library before `/src/`, and after it until version 1.46.
  private static let rustFolders = ["library/core", "library/std", "library/alloc"].map { Array($0.utf8) }
  private static let oldRustFolders = ["libcore/", "libstd/", "liballoc/"].map { Array($0.utf8) }
  private static let longestRustPath = 32
  /// Sections of Go's linker.
  private static let goSections = [".go.buildinfo", ".note.go.buildid", ".gopclntab"]

  /// The language that has a section of this name; nil if none has.
  init?(section name: String) {
    if name.utf8.starts(with: "swift5_".utf8) {
      self = .swift
    } else if Self.goSections.contains(where: { $0.isExactly(name) }) {
      self = .go
    } else {
      return nil
    }
  }

  /// The languages of a program or library.
  ///
  /// The start files in most programs were compiled by a C compiler, and name it. So the name of a C compiler is
  /// evidence of C only if nothing shows another language.
  ///
  /// - Throws: `file.…` if the file cannot be read.
  static func found(
    _ sections: ELFSections, _ linking: ELFLinking?, _ file: ELFFile
  ) throws(SignetError) -> Set<ELFLanguage> {
    var found = sections.languages
    if let comment = sections.comment?.prefix(commentLimit) {
      let bytes = try file.bytes(at: comment.lowerBound, comment.count).bytes
      for name in bytes.split(separator: 0) { found.formUnion(compiler(String(decoding: name, as: UTF8.self))) }
    }
    for library in linking?.needed ?? [] { found.formUnion(runtime(library)) }
    if found == [.c], let constants = sections.constants, try namesRustLibrary(constants.prefix(constantsLimit), file)
    {
      found.insert(.rust)
    }
    return found
  }

  /// Whether texts have paths of Rust's own library. They say where its code panics, and vendors change only what is
  /// before them. Until version 1.73, the compiler left no name of its own.
  private static func namesRustLibrary(_ constants: Range<Int>, _ file: ELFFile) throws(SignetError) -> Bool {
    var start = constants.lowerBound
    while start < constants.upperBound {
      let end = min(start + ELFFile.pieceSize, constants.upperBound)
      if namesRustLibrary(try file.bytes(at: start, end - start).bytes) { return true }
      guard end < constants.upperBound else { return false }
      // A path can be in two pieces.
      start = max(start + 1, end - longestRustPath)
    }
    return false
  }

  private static func namesRustLibrary(_ bytes: [UInt8]) -> Bool {
    let folder = Array("/src/".utf8)
    var last = folder.count - 1
    while last < bytes.count {
      // Only a byte of the folder's name can be in it, so most bytes need no look.
      guard folder.contains(bytes[last]) else {
        last += folder.count
        continue
      }
      let (before, after) = (bytes[...last].dropLast(folder.count), bytes[(last + 1)...])
      if bytes[...last].suffix(folder.count).elementsEqual(folder),
        rustFolders.contains(where: { before.suffix($0.count).elementsEqual($0) })
          || oldRustFolders.contains(where: { after.starts(with: $0) })
      {
        return true
      }
      last += 1
    }
    return false
  }

  /// The language of a compiler, by the name that it leaves in .comment.
  private static func compiler(_ name: String) -> Set<ELFLanguage> {
    if name.utf8.starts(with: "rustc version".utf8) { return [.rust] }
    if name.utf8.starts(with: "Swift version".utf8) { return [.swift] }
    if name.utf8.starts(with: "GCC:".utf8) { return [.c] }
    // Vendors put their names before it, and Swift's own toolchain contains a clang.
    return name.utf8.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("clang".utf8) } ? [.c] : []
  }

  /// The language of a needed library that is a language's runtime.
  private static func runtime(_ library: [UInt8]) -> Set<ELFLanguage> {
    if library.starts(with: "libswiftCore.so".utf8) { return [.swift] }
    if library.starts(with: "libstd-".utf8) { return [.rust] }
    if library.starts(with: "libstdc++.so".utf8) || library.starts(with: "libc++.so".utf8) { return [.c] }
    return []
  }
}
