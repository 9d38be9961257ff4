import Foundation
import ModuleStore
import Signet
import SignetCrypto
import TestSupport
import Testing

/// A store with a release, and a program that installs the next one into a copy of it.
final class InstallingChild {
  let fixture: StoreFixture
  let archive: String
  /// The archive of the release that is installed.
  let oldArchive: String
  private let template: String
  private let policyFile: String
  let policy: TrustPolicy

  /// Few enough that one thread does it all.
  static let files: [String: [UInt8]] = Dictionary(
    uniqueKeysWithValues: [("assets/a", Array("hello".utf8))]
      + (0..<20).map { ("assets/\($0 % 4)/\($0)", patternBytes(1000 + $0)) })

  init() throws {
    // What is asked of the system is the same, and hundreds of runs do not wait for a disk.
    fixture = try StoreFixture(inMemory: true)
    policy = try fixture.policy()
    policyFile = try fixture.folder.write("policy.json", policy.canonicalBytes())
    let old = try fixture.release(6, files: Self.files)
    let new = try fixture.release(7, files: Self.files)
    archive = new.path
    oldArchive = old.path
    try Data(old.bundles[0].canonicalBytes()).write(to: URL(filePath: oldArchive + ".sigstore.json"))
    try Data(new.bundles[0].canonicalBytes()).write(to: URL(filePath: archive + ".sigstore.json"))
    template = fixture.folder.file("template")
    // The program goes by the system's clock.
    try ModuleStore(creating: fixture.path, policy: policy, clock: .system).install(old.verified(policy))
    try FileManager.default.moveItem(atPath: fixture.path, toPath: template)
    try restore()
  }

  /// What the program is called with.
  var arguments: [String] { arguments([archive]) }

  /// What the program is called with to install something else.
  private func arguments(_ what: [String]) -> [String] {
    [Shell.signet, "store", "install"] + what
      + ["--store", fixture.path, "--policy", policyFile, "--quiet"]
  }

  /// Puts the store with one release back.
  func restore() throws {
    try? FileManager.default.removeItem(atPath: fixture.path)
    try FileManager.default.copyItem(atPath: template, toPath: fixture.path)
  }

  /// Runs the program under strace.
  ///
  /// - Parameter what: the archive to install, and more options; nil for the next release.
  func run(_ options: [String], _ what: [String]? = nil) throws -> Program {
    try Strace.run(options, arguments(what ?? [archive]))
  }

  /// The calls of an undisturbed installation, from where it first touches the store.
  func calls(_ options: [String] = [], _ what: [String]? = nil) throws -> [Strace.Call] {
    let log = fixture.folder.file("log")
    let run = try run(["-o", log, "-e", "trace=\(Strace.calls.joined(separator: ","))", "-s", "300"] + options, what)
    try #require(run.status == 0, "\(run.errors)")
    let calls = Strace.calls(in: try String(contentsOfFile: log, encoding: .utf8))
    return Array(calls.drop { !$0.text.contains(fixture.path) })
  }

  /// The store in the state it is in.
  func store() throws -> ModuleStore {
    try ModuleStore(opening: fixture.path, policy: policy, clock: .system)
  }

  /// Makes sure that the store is whole.
  ///
  /// - Returns: the sequences that are installed.
  func check(_ place: Comment) throws -> [Int] {
    let store = try store()
    let releases = try store.verify()
    for release in releases {
      if case .failure(let error) = release.standing { Issue.record("\(place): \(error)") }
    }
    let sequences = releases.map(\.sequence)
    #expect(sequences == [6] || sequences == [6, 7], place)
    #expect(try store.active(StoreFixture.player).sequence == sequences.last, place)
    return sequences
  }

  /// Makes sure that whatever was left can be gone on from.
  func finish(_ place: Comment) throws {
    let store = try store()
    let proof = try StoreFixture.Release(
      path: archive, bundles: SigstoreBundle.all(beside: archive)
    ).verified(policy)
    try store.install(proof)
    #expect(try check(place) == [6, 7], place)
    try store.collectGarbage()
    #expect(try store.staging().isEmpty, place)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.path).count == 5, place)
  }
}
