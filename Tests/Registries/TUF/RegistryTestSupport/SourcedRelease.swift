import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport

@testable import ModuleRegistry

extension RegistryFixture {
  static let commit = String(repeating: "a", count: 40)
  static let otherCommit = String(repeating: "b", count: 40)

  /// Makes a signed module and its sources, each with a provenance beside it.
  ///
  /// - Parameters:
  ///   - archive: a signed module that is there already, with its bundle beside it.
  ///   - commit: the commit that the provenance of the sources names.
  ///   - moduleCommit: the one that the provenance of the module names; nil for the same.
  func release(
    _ version: String = "1.0.0", _ sequence: Int = 1, of identifier: String = "com.example.player",
    archive: String? = nil, commit: String = commit, moduleCommit: String? = nil,
    content: String = "int play(void);", by key: PrivateKey? = nil
  ) throws -> FilesToPush {
    let module = try archive ?? module(identifier, version, sequence)
    let source = try sourceArchive(
      ["source/module.json": description(version, sequence, of: identifier), "source/a/Player.h": content])
    try provenance(of: source, commit, by: key)
    try provenance(of: module, moduleCommit ?? commit, by: key)
    return FilesToPush(archive: module, source: source)
  }

  func description(
    _ version: String = "1.0.0", _ sequence: Int = 1, of identifier: String = "com.example.player"
  ) -> String {
    #"{"identifier": "\#(identifier)", "version": "\#(version)", "sequence": \#(sequence), "resources": ["a"]}"#
  }

  /// Makes a ZIP with these files.
  func sourceArchive(_ files: [String: String], links: [String: String] = [:]) throws -> String {
    let path = folder.file("\(UInt64.random(in: 0 ... .max)).zip")
    let draft = try OutputDraft(to: path, .keep)
    let entries =
      files.map {
        PackedEntry(path: $0.key, content: .file(PackedBytes(Array($0.value.utf8)), isExecutable: false))
      } + links.map { PackedEntry(path: $0.key, content: .symbolicLink(target: $0.value)) }
    let output = OutputWriter(descriptor: try draft.descriptor())
    try ZIPWriter.write(entries, to: output, time: ModulePacker.earliestTime, limits: ArchiveLimits())
    _ = try output.finish()
    try draft.publish()
    return path
  }

  /// Writes the provenance of a file beside it.
  func provenance(
    of path: String, _ commit: String, repository: String = "https://example.com/player.git",
    by key: PrivateKey? = nil, digest: Digest? = nil
  ) throws {
    let predicate = ProvenancePredicate(repository: repository, commit: commit)
    let bundle = try Signer(key ?? publisher).sign(
      predicate.json(tag: "1.0.0", spec: "player.modspec.json"), of: ProvenancePredicate.type,
      about: [("Other.zip", Digest.of([1], .sha256)), ("Player.zip", digest ?? RegularFile(opening: path).sha256())])
    try Data(bundle.canonicalBytes()).write(to: URL(fileURLWithPath: ProvenancePredicate.place(beside: path)))
  }

  @discardableResult
  func push(_ files: FilesToPush, isPublished: Bool = true) throws -> [PushedModule] {
    try registry.push([files], of: "example", signedBy: [publisher], online: isPublished ? [online] : []).modules
  }
}
