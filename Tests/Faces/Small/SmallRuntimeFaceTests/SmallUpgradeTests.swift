import Foundation
import ModuleFetch
import PluginKit
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleStore
@testable import PluginHost
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// Patches, at the next start and while the host runs.
@Suite(
  "Small's upgrades", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallUpgradeTests {
  private typealias Workshop = SmallWorkshop
  private let upgrades = SmallUpgradeFixture()

  @Test("SM28 D4: a good patch is applied at the next start; a bad one is set aside, and the old version still loads")
  func patches() async throws {
    let workshop = try upgrades.application()
    let first = try upgrades.small(workshop)
    try await first.setUp()
    let patch = try #require(first.patchFile(of: first.allBundles[0]))
    #expect(patch.hasSuffix("/temp/\(upgrades.main).zip"))
    func put(_ sequence: Int, keys: [PrivateKey]? = nil) throws {
      try Workshop.place(
        workshop.workshop.offer(upgrades.app(sequence, workshop), keys: keys), workshop.documents.file("temp"),
        "\(upgrades.main).zip")
    }
    func files() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: workshop.documents.file("temp"))) ?? []).sorted()
    }
    try put(2)
    let second = try upgrades.small(workshop)
    try await second.setUp()
    #expect(second.bundleVersions[upgrades.main] == "2")
    #expect(try await second.openUri("main").page?.object is HomeController)
    #expect(files().isEmpty)
    let marks = workshop.workshop.marks
    // Each bad patch leaves the release in its place, byte by byte.
    let release = workshop.workshop.path + "/modules/" + upgrades.main
    let before = try FileManager.default.subpathsOfDirectory(atPath: release).sorted()
    for (fault, code) in [
      ("flipped", SignetError.Code.digestMismatch), ("foreign", .signerUntrusted), ("older", .policyRollback),
    ] {
      switch fault {
      case "foreign": try put(3, keys: [.generate(.ed25519)])
      case "older": try put(1)
      default:
        try put(3)
        try flip(patch) { $0 / 2 }
      }
      let next = try upgrades.small(workshop)
      try await next.setUp()
      #expect(next.bundleVersions[upgrades.main] == "2", "\(fault)")
      #expect(next.host.refusals.contains { $0.reason.code == code }, "\(fault): \(next.host.refusals.map(\.reason))")
      #expect(try await next.openUri("main").page?.object is HomeController)
      #expect(files() == ["\(upgrades.main).zip.refused", "\(upgrades.main).zip.sigstore.jsonl.refused"], "\(fault)")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: release).sorted() == before)
      // Nobody tries it again.
      let again = try upgrades.small(workshop)
      try await again.setUp()
      #expect(again.host.refusals.isEmpty, "\(fault)")
      try FileManager.default.removeItem(atPath: workshop.documents.file("temp"))
    }
    #expect(workshop.workshop.marks == marks, "nothing of a bad patch was opened")
  }

  @Test(
    "D3 D5: a hostile patch is refused by its bytes before it is unpacked, and nothing is written outside",
    .enabled(if: Program.find("python3") != nil, "Python is missing"),
    arguments: ["../evil", "/tmp/evil", "a\\..\\evil", "link"])
  func hostile(_ name: String) async throws {
    let workshop = try upgrades.application()
    let first = try upgrades.small(workshop)
    try await first.setUp()
    let archive = try workshop.assets(upgrades.about, 2, files: ["index.html": "two"])
    try Workshop.place(archive, workshop.documents.file("temp"), "\(upgrades.about).zip")
    let script = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1], 'a')
      i = zipfile.ZipInfo(sys.argv[2]); i.create_system = 3
      i.external_attr = (0o120777 if sys.argv[2] == 'link' else 0o100644) << 16
      z.writestr(i, '/etc/passwd')
      z.close()
      """
    let python = try #require(Program.find("python3"))
    let patch = workshop.documents.file("temp/\(upgrades.about).zip")
    let run = try Program.run(python, ["-B", "-W", "ignore", "-c", script, patch, name])
    try #require(run.status == 0, "\(run.errors)")
    let next = try upgrades.small(workshop)
    try await next.setUp()
    #expect(next.host.refusals.contains { $0.reason.code == .digestMismatch })
    #expect(try upgrades.index(next) == "one")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workshop.documents.path).sorted() == ["small.json", "temp"])
    #expect(!FileManager.default.fileExists(atPath: "/tmp/evil"))
  }

  @Test("G4: a module of which there is only a patch that is refused is refused: its page is not on the web instead")
  func refusedPatch() async throws {
    let workshop = try Workshop()
    try workshop.manifest(Workshop.list(Workshop.entry("about", "web")))
    try Workshop.place(
      workshop.assets(upgrades.about, files: ["index.html": "one"]), workshop.documents.file("temp"),
      "\(upgrades.about).zip")
    let patch = workshop.documents.file("temp/\(upgrades.about).zip")
    try flip(patch) { $0 / 2 }
    let small = try upgrades.small(workshop)
    // Otherwise this were the first start of a version, which removes patches.
    try small.defaults.setHostVersion(workshop.version)
    small.host.switchboard.externalOpening = ExternalOpening()
    #expect(try await small.setUp().isEmpty)
    #expect(small.host.status(of: try identifier(upgrades.about)) == .refused)
    for uri in ["about", "about.html", "https://M.wequick.net:443/demo/about"] {
      expectPlugin(.routeModuleRefused, "\(uri)") { try small.openUri(uri) }
    }
    // Once there is a good one, it is opened.
    try Workshop.place(
      workshop.assets(upgrades.about, files: ["index.html": "one"]), workshop.documents.file("temp"),
      "\(upgrades.about).zip")
    #expect(try await small.setUp().count == 1)
    #expect(try await small.openUri("about").page != nil)
  }

  @Test("a patch that comes while an earlier one is put away stays, and so does what nobody knows")
  func laterPatch() throws {
    let workshop = try upgrades.application()
    let patches = SMPatches(in: workshop.documents.path)
    let module = try identifier(upgrades.about)
    #expect(try patches.all { _ in Issue.record() }.isEmpty && patches.patch(of: module) == nil)
    let name = "\(module).zip"
    func put(_ text: String) throws -> SMPatches.Patch {
      try workshop.documents.write("new", Array(text.utf8))
      #expect(rename(workshop.documents.file("new"), workshop.documents.file(name)) == 0)
      return try #require(try patches.patch(of: module))
    }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: workshop.documents.path).sorted()
    }
    let first = try put("first")
    let second = try put("second")
    patches.remove(first)
    patches.setAside(first)
    #expect(try names() == [name] && workshop.documents.read(name) == Array("second".utf8))
    // A signature that came meanwhile is that of a later patch.
    try workshop.documents.write(name + ".sigstore.json", [])
    let signed = try #require(try patches.patch(of: module))
    patches.setAside(second)
    #expect(try names() == [name + ".refused", name + ".sigstore.json"])
    try workshop.documents.write("new", Array("second".utf8))
    #expect(rename(workshop.documents.file("new"), workshop.documents.file(name)) == 0)
    patches.setAside(signed)
    #expect(try names() == [name, name + ".sigstore.json.refused"])
    patches.setAside(try #require(try patches.patch(of: module)))
    #expect(try names() == [name + ".refused", name + ".sigstore.json.refused"])
    let third = try put("third")
    patches.remove(third)
    patches.remove(third)
    #expect(try names() == [name + ".refused", name + ".sigstore.json.refused"])
    // A link is no patch, and neither is a file with another name.
    try FileManager.default.createSymbolicLink(
      atPath: workshop.documents.file(name), withDestinationPath: "/etc/passwd")
    try workshop.documents.write("a_b.zip", [])
    var complaints: [SignetError] = []
    #expect(patches.all { complaints.append($0) }.isEmpty)
    #expect(complaints.isEmpty)
    // What cannot be read is no absence: the patch is not held against the lack of a signature that it has.
    try FileManager.default.removeItem(atPath: workshop.documents.file(name))
    _ = try put("fourth")
    let bundle = workshop.documents.file(name + ".sigstore.json")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: false)
    expectError(.fileIsDirectory) { _ = try patches.patch(of: module) }
    complaints = []
    #expect(patches.all { complaints.append($0) }.isEmpty && complaints.map(\.code) == [.fileIsDirectory])
    // Neither is a folder that is a file.
    complaints = []
    let other = SMPatches(in: workshop.documents.file(name))
    #expect(other.all { complaints.append($0) }.isEmpty && complaints.map(\.code) == [.fileNotDirectory])
  }

  @Test("a patch is not held against a state of the store that cannot be read: it waits until that can be")
  func unreadableState() async throws {
    let workshop = try upgrades.application()
    try await upgrades.small(workshop).setUp()
    let name = "\(upgrades.main).zip"
    try Workshop.place(
      workshop.workshop.offer(upgrades.app(2, workshop), keys: nil), workshop.documents.file("temp"), name)
    let next = try upgrades.small(workshop)
    let state = URL(fileURLWithPath: workshop.workshop.path + "/state.json")
    let good = try Data(contentsOf: state)
    try Data("x".utf8).write(to: state)
    _ = try? await next.setUp()
    #expect(next.host.refusals.contains { $0.reason.code == .storeStateMalformed })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workshop.documents.file("temp")).sorted()
        == [name, "\(name).sigstore.jsonl"])
    try good.write(to: state)
    let last = try upgrades.small(workshop)
    try await last.setUp()
    #expect(last.bundleVersions[upgrades.main] == "2")
  }

  @Test("SM29 D14: new resources are there at once, new code at the next start, and the order of the bundles stays")
  func live() async throws {
    let workshop = try upgrades.application()
    let small = try upgrades.small(workshop)
    try await small.setUp()
    let order = small.allBundles.map(\.pkg)
    let main = try #require(small.bundle(forName: upgrades.main))
    let about = try #require(small.bundle(forName: upgrades.about))
    // Nothing is there to upgrade with.
    #expect(try await small.upgrade(main) == .none)
    #expect(try await small.upgrade(about) == .none)
    try Workshop.place(
      workshop.assets(upgrades.about, 2, files: ["index.html": "two"]), workshop.documents.file("temp"),
      "\(upgrades.about).zip")
    #expect(try await small.upgrade(about) == .applied)
    #expect(try upgrades.index(small) == "two")
    #expect(small.bundleVersions[upgrades.about] == "2")
    #expect(!FileManager.default.fileExists(atPath: try #require(small.patchFile(of: about))))
    try Workshop.place(
      workshop.workshop.offer(upgrades.app(2, workshop)), workshop.documents.file("temp"), "\(upgrades.main).zip")
    #expect(try await small.upgrade(main) == .restartRequired)
    #expect(try await small.openUri("main").page?.object is MainController, "the old object until the restart")
    #expect(small.bundleVersions[upgrades.main] == "1")
    #expect(small.allBundles.map(\.pkg) == order)
    #expect(workshop.workshop.marks == ["\(upgrades.main)-1"])
    // What was fetched before is used in the same way.
    let server = try upgrades.server([
      "about": workshop.attached(workshop.assets(upgrades.about, 3, files: ["index.html": "three"]))
    ])
    try await SMBundleFetcher(small.host).fetchBundle(ofName: upgrades.about, withURL: server.url("/about"))
    #expect(try upgrades.index(small) == "two")
    #expect(try await small.upgrade(about) == .applied)
    #expect(try upgrades.index(small) == "three")
    let next = try upgrades.small(workshop)
    try await next.setUp()
    #expect(try await next.openUri("main").page?.object is HomeController)
    #expect(next.allBundles.map(\.pkg) == order)
  }

  @Test("SM29 D14: an upgrade says what it did: a bad or older patch throws, and without a launcher nothing happens")
  func results() async throws {
    let workshop = try upgrades.application()
    try workshop.shipAssets(upgrades.about, 5, files: ["index.html": "five"])
    let small = try upgrades.small(workshop)
    try await small.setUp()
    let about = try #require(small.bundle(forName: upgrades.about))
    let patch = try #require(small.patchFile(of: about))
    try Workshop.place(
      workshop.assets(upgrades.about, 4, files: ["index.html": "four"]), workshop.documents.file("temp"),
      "\(upgrades.about).zip")
    expectError(.policyRollback) { _ = try small.upgrade(about) }
    #expect(FileManager.default.fileExists(atPath: patch + ".refused"))
    try Workshop.place(
      workshop.assets(upgrades.about, 6, files: ["index.html": "six"]), workshop.documents.file("temp"),
      "\(upgrades.about).zip")
    try flip(patch) { $0 / 2 }
    expectError(.digestMismatch) { _ = try small.upgrade(about) }
    // Another module's archive is not this one's patch.
    try Workshop.place(
      workshop.assets("com.example.other", 9, files: ["index.html": "x"]), workshop.documents.file("temp"),
      "\(upgrades.about).zip")
    expectError(.moduleIdentifierMismatch) { _ = try small.upgrade(about) }
    #expect(try upgrades.index(small) == "five")
    #expect(small.allBundles.count == 2)
    // Nothing opens the bundle any more: it is as it was.
    let none = try workshop.small(workshop.host(), launchers: [])
    try await none.setUp()
    try Workshop.place(
      workshop.assets(upgrades.about, 7, files: ["index.html": "seven"]), workshop.documents.file("temp"),
      "\(upgrades.about).zip")
    let bundle = try #require(none.bundle(forName: upgrades.about))
    #expect(try await none.upgrade(bundle) == .none)
    #expect(FileManager.default.fileExists(atPath: patch))
    // Resources that are no page any more are not opened by what shows pages.
    let blank = try upgrades.small(workshop)
    try Workshop.place(
      workshop.assets(upgrades.about, 8, files: ["data": "eight"]), workshop.documents.file("temp"),
      "\(upgrades.about).zip")
    try await blank.setUp()
    expectPlugin(.pageNotFound) { try blank.openUri("about") }
  }

  @Test("a process that ends while a patch is put away leaves no signature that the next patch would be held against")
  func interrupted() throws {
    let workshop = try upgrades.application()
    let patches = SMPatches(in: workshop.documents.path)
    let current = Monitor<String?>("")
    let seen = Monitor<[String]>([])
    let done = DispatchSemaphore(value: 0)
    let path = workshop.documents.path
    Thread {
      while let name = current.withLock({ $0 }) {
        guard !name.isEmpty, !FileManager.default.fileExists(atPath: "\(path)/\(name)") else { continue }
        if FileManager.default.fileExists(atPath: "\(path)/\(name).sigstore.json") {
          seen.withLock { $0.append(name) }
        }
      }
      done.signal()
    }.start()
    for number in 0..<500 {
      let module = try identifier("com.example.m\(number)")
      let name = "\(module).zip"
      try workshop.documents.write(name, [])
      try workshop.documents.write(name + ".sigstore.json", [])
      let patch = try #require(try patches.patch(of: module))
      current.withLock { $0 = name }
      if number.isMultiple(of: 2) { patches.remove(patch) } else { patches.setAside(patch) }
      current.withLock { $0 = "" }
    }
    current.withLock { $0 = nil }
    done.wait()
    #expect(seen.withLock { $0.isEmpty })
  }
}
