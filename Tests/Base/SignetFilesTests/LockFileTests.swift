import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetFiles

#if os(Linux)
  @Suite struct LockFileTests {
    @Test("a lock ends with its value, also while another process has a copy of its descriptor")
    func copies() throws {
      let folder = try TemporaryFolder()
      let directory = try Directory(opening: folder.path)
      func lock() throws -> LockFile { try LockFile("lock", in: directory, isMade: true) }
      var holder: LockFile? = try lock()
      #expect(try holder?.take(.exclusive, byte: 7, patience: 0) == true)
      // What a process has that was forked meanwhile: another descriptor of the same opening.
      let path = URL(fileURLWithPath: folder.file("lock")).resolvingSymlinksInPath().path
      let own = try #require(
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.first {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        })
      let copy = dup(own)
      defer { close(copy) }
      let other = try lock()
      #expect(try !other.take(.exclusive, byte: 7, patience: 0))
      holder = nil
      #expect(try other.take(.exclusive, byte: 7, patience: 0))
    }
  }
#endif
