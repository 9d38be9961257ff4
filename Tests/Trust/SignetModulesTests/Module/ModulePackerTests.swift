import Foundation
import SignetArchive
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct ModulePackerTests {
  /// A module of two files.
  private func module() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("m"), withIntermediateDirectories: false)
    let text = "{\"identifier\":\"com.example.player\",\"version\":\"1.0.0\",\"sequence\":1,\"resources\":[\"a\"]}"
    try folder.write("m/module.json", Array(text.utf8))
    try folder.write("m/a", [1, 2, 3])
    return folder
  }

  @Test("a directory is packed, and what is packed is packed anew, into the same bytes")
  func packing() throws {
    let folder = try module()
    let packer = ModulePacker()
    let source = ModulePacker.Source.directory(try Directory(opening: folder.file("m")))
    let packed = try packer.pack(source, to: folder.file("m.zip"), as: .zip)
    #expect(packed.description.identifier.description == "com.example.player")
    #expect(packed.entryCount == 2 && packed.advice.isEmpty && packed.format == .zip)
    let bytes = try folder.read("m.zip")
    #expect(bytes.count == packed.size)
    let archive = ModulePacker.Source.archive(try RegularFile(opening: folder.file("m.zip")))
    _ = try packer.pack(archive, to: folder.file("again.zip"), as: .zip)
    #expect(try folder.read("again.zip") == bytes)
    expectError(.outputExists) { _ = try packer.pack(source, to: folder.file("again.zip"), as: .zip) }
    _ = try packer.pack(source, to: folder.file("again.zip"), as: .tarGzip, replaces: true)
    #expect(try folder.read("again.zip").starts(with: [0x1f, 0x8b]))
  }

  @Test(
    "what jar makes of a module is packed anew",
    .enabled(if: Program.find("jar") != nil, "jar, which comes with Java, is not installed"))
  func java() throws {
    let folder = try module()
    let jar = try #require(Program.find("jar"))
    let made = try Program.run(jar, ["cf", "m.jar", "-C", "m", "."], in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let archive = ModulePacker.Source.archive(try RegularFile(opening: folder.file("m.jar")))
    let packed = try ModulePacker().pack(archive, to: folder.file("m.zip"), as: .zip)
    // META-INF/ and its MANIFEST.MF are files like others.
    #expect(packed.description.identifier.description == "com.example.player" && packed.entryCount == 4)
  }

  @Test(
    "what changes between the plan and the end ends the work, and nothing is left",
    arguments: ["content", "description", "addition", "removal", "mode"], [ArchiveFormat.zip, .tar])
  func changes(_ change: String, _ format: ArchiveFormat) throws {
    let folder = try module()
    let packer = ModulePacker()
    let source = ModulePacker.Source.directory(try Directory(opening: folder.file("m")))
    let draft = try packer.draft(for: source, folder.file("out"), replaces: false)
    let plan = try packer.plan(source)
    switch change {
    case "content": try folder.write("m/a", [1, 2, 4])
    case "description": try folder.write("m/module.json", Array("{}".utf8))
    case "addition": try folder.write("m/b", [])
    case "removal": try FileManager.default.removeItem(atPath: folder.file("m/a"))
    default: chmod(folder.file("m/a"), 0o755)
    }
    expectError(.fileChanged) { _ = try packer.write(plan, to: draft, as: format, progress: nil) }
    #expect(try folder.listing() == ["m"])
  }

  @Test("a file that takes the output's name meanwhile stays")
  func rivals() throws {
    let folder = try module()
    let packer = ModulePacker()
    let source = ModulePacker.Source.directory(try Directory(opening: folder.file("m")))
    let draft = try packer.draft(for: source, folder.file("out"), replaces: false)
    _ = try packer.write(packer.plan(source), to: draft, as: .zip, progress: nil)
    try folder.write("out", [7])
    expectError(.outputExists) { try draft.publish() }
    #expect(try folder.read("out") == [7])
  }

  @Test("limits hold for what is packed")
  func limits() throws {
    let folder = try module()
    let source = ModulePacker.Source.directory(try Directory(opening: folder.file("m")))
    var limits = ArchiveLimits()
    limits.entries = 1
    expectError(.directoryEntryCount) {
      _ = try ModulePacker(limits: limits).pack(source, to: folder.file("out"), as: .zip)
    }
    limits.entries = 2
    limits.fileSize = 2
    expectError(.archiveSize) {
      _ = try ModulePacker(limits: limits).pack(source, to: folder.file("out"), as: .zip)
    }
    #expect(try folder.listing() == ["m"])
  }
}
