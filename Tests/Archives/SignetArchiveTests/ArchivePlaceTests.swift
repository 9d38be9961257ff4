import Foundation
import SignetBase
import SignetNames
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

@Suite struct ArchivePlaceTests {
  /// What the first byte of each place is, from the beginning to the end of an archive.
  private func places(_ archive: OpenedArchive) -> [String] {
    var places: [String] = []
    for offset in 0..<archive.source.size {
      let place = archive.place(at: offset)
      let text = "\(place.entry ?? "archive"): \(place.words)"
      if places.last != text { places.append(text) }
    }
    return places
  }

  @Test("each byte of a ZIP belongs to a field of a header, to an entry's bytes, or to the end")
  func zip() throws {
    let entries = [
      ZIPWriterTests.file("a", Array(repeating: 0x61, count: 500)), ZIPWriterTests.file("b", [1]),
      PackedEntry(path: "d", content: .directory),
    ]
    let bytes = try ZIPWriterTests.write(entries, in: TemporaryFolder())
    let archive = try ArchiveFile(BytesInMemory(bytes, path: "m.zip"), limits: ArchiveLimits()).open()
    let header = [
      "its header", "the flags in its header", "the compression method in its header", "the time in its header",
      "the checksum in its header", "the compressed size in its header", "the size in its header", "its header",
      "the name in its header",
    ]
    var expected: [String] = []
    for (name, content) in [("a", "its compressed bytes"), ("b", "its bytes"), ("d", nil)] {
      expected += (header + [content].compactMap { $0 }).map { "\(name): \($0)" }
    }
    #expect(places(archive) == expected + ["archive: the central directory, or the end"])
  }

  @Test("each byte of a tar belongs to a field of a header, to an entry's bytes, to padding, or to the end")
  func tar() throws {
    let folder = try TemporaryFolder()
    let python = try #require(Program.find("python3"))
    let script = """
      import io, tarfile
      out = io.BytesIO()
      with tarfile.open(fileobj=out, mode='w', format=tarfile.PAX_FORMAT) as tar:
          entry = tarfile.TarInfo('a')
          entry.size, entry.mode = 3, 0o644
          tar.addfile(entry, io.BytesIO(b'abc'))
      open('m.tar', 'wb').write(out.getvalue())
      """
    let run = try Program.run(python, ["-B", "-c", script], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let bytes = try folder.read("m.tar")
    let archive = try ArchiveFile(BytesInMemory(bytes, path: "m.tar"), limits: ArchiveLimits()).open()
    #expect(
      places(archive) == [
        "a: the name in its header", "a: the mode in its header", "a: the owner in its header",
        "a: the size in its header", "a: the time in its header",
        "a: its header, after the checksum, such as the owner's name", "a: its header",
        "a: the owner in its header", "a: its header", "a: the name in its header", "a: its header", "a: its bytes",
        "a: the padding after it", "archive: the end",
      ])
  }
}
