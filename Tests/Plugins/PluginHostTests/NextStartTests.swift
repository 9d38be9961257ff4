import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetArchive
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

/// Rows of what stays from one start to the next: what is installed, upgrades, and what ships with the host.
@Suite("from one start to the next", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct NextStartTests {
  private typealias Workshop = ModuleWorkshop

  @Test("PA15: what is installed is there at the next start, and nothing is loaded by itself")
  func nextStart() throws {
    let workshop = try Workshop()
    let module = try workshop.host().install(
      workshop.offer(Workshop.page("com.example.next", route: "ui://next", answer: "x"))
    ).module
    let host = try workshop.host()
    host.takeStock()
    #expect(host.modules == [module: .installed])
    #expect(host.images.isEmpty)
    #expect(workshop.marks.isEmpty)
    #expect(host.start().map(\.module.identifier) == [module])
    #expect(try host.open("ui://next") as? String == "x")
  }

  @Test("D38: a state that was edited to call a release another one loads nothing")
  func editedState() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.edited", route: "ui://edited", answer: "x"))
    ).module
    let folder = workshop.path + "/modules/\(module)"
    let place = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    try #require(place.hasPrefix("1-"))
    let later = "2-" + place.dropFirst(2)
    try FileManager.default.moveItem(atPath: "\(folder)/\(place)", toPath: "\(folder)/\(later)")
    let state = URL(filePath: workshop.path + "/state.json")
    let text = try String(contentsOf: state, encoding: .utf8)
    let edited = text.replacing("\"sequence\":1", with: "\"sequence\":2")
    try #require(edited != text)
    try Data(edited.utf8).write(to: state)
    let next = try workshop.host()
    #expect(next.start().isEmpty)
    #expect(next.reason(of: module)?.code == .storeDamaged)
    #expect(workshop.marks.isEmpty)
  }

  @Test("D38: another release's files in its place load nothing")
  func otherFiles() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.edited", route: "ui://edited", answer: "x"))
    ).module
    let other = try host.install(
      workshop.offer(Workshop.page("com.example.other", route: "ui://other", answer: "y"))
    ).module
    let modules = workshop.path + "/modules"
    let place = try #require(FileManager.default.contentsOfDirectory(atPath: "\(modules)/\(module)").first)
    let otherPlace = try #require(FileManager.default.contentsOfDirectory(atPath: "\(modules)/\(other)").first)
    try FileManager.default.removeItem(atPath: "\(modules)/\(module)/\(place)")
    try FileManager.default.copyItem(
      atPath: "\(modules)/\(other)/\(otherPlace)", toPath: "\(modules)/\(module)/\(place)")
    let later = try workshop.host()
    #expect(later.start().map(\.module.identifier) == [other])
    #expect(later.status(of: module) == .refused)
    #expect(workshop.marks == ["com.example.other-1"])
    // What the files in its place declare is not the refused module's: it withholds nothing from whose it is.
    #expect(try later.open("ui://other") as? String == "y")
  }

  @Test(
    "D38: a change that keeps the size, the time and the CRC-32 of a file is found, in an archive and where it is installed"
  )
  func sameChecksum() throws {
    let workshop = try Workshop()
    let page = Workshop.page(
      "com.example.sum", route: "ui://sum", answer: "x", members: ", \"resources\": [\"help.txt\"]",
      files: ["help.txt": "help, which the archive has as it is"])
    let archive = try workshop.offer(page)
    let name = try #require(Data(contentsOf: URL(filePath: archive)).firstRange(of: Data("help.txt".utf8)))
    try changeSilently(archive, at: name.upperBound + 8)
    // Any tool that goes by the checksum finds nothing wrong.
    let unpacked = try Program.run(
      #require(Program.find("python3")), ["-B", "-m", "zipfile", "-t", archive], in: workshop.folder.path)
    #expect(unpacked.status == 0 && !unpacked.output.contains("help.txt"), "\(unpacked.output)\(unpacked.errors)")
    let host = try workshop.host()
    expectError(.digestMismatch) { try host.install(archive) }
    try FileManager.default.removeItem(atPath: archive)
    let module = try host.install(workshop.offer(page)).module
    let folder = workshop.path + "/modules/\(module)"
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    let library = "\(folder)/\(release)/files/lib/com_example_sum.so"
    try changeSilently(library, at: FileManager.default.attributesOfItem(atPath: library)[.size] as! Int / 2)
    let later = try workshop.host()
    #expect(later.start().isEmpty)
    #expect(later.reason(of: module)?.code == .storeDamaged)
    #expect(workshop.marks.isEmpty)
  }

  /// Changes bytes of a file by a multiple of CRC-32's polynomial, which leaves the checksum as it is. Size and time
  /// stay, too.
  private func changeSilently(_ path: String, at place: Int) throws {
    let before = try FileManager.default.attributesOfItem(atPath: path)
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let sum = Self.checksum(bytes)
    // The highest power is in the lowest bit of the first byte (ISO 3309).
    for bit in 0..<33 where 0x1_04c1_1db7 >> (32 - bit) & 1 == 1 { bytes[place + bit / 8] ^= 1 << (bit % 8) }
    try #require(Self.checksum(bytes) == sum)
    try FileManager.default.removeItem(atPath: path)
    try Data(bytes).write(to: URL(filePath: path))
    let kept: [FileAttributeKey] = [.modificationDate, .posixPermissions]
    try FileManager.default.setAttributes(before.filter { kept.contains($0.key) }, ofItemAtPath: path)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xedb8_8320 : sum >> 1 }
    }
    return ~sum
  }

  @Test("PA10 D17: an upgrade is there at the next start, with its own routes and none of the old ones")
  func upgrade() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.upgrade", route: "ui://old", answer: "one"))
    ).module
    host.start()
    let (one, two) = (try #require(SemanticVersion("1.0.1")), try #require(SemanticVersion("1.0.2")))
    #expect(host.isInstalled(module) && host.isInstalled(module, minimumVersion: one))
    #expect(!host.isInstalled(module, minimumVersion: two))
    #expect(host.availability(of: module, version: one) == .installed(one))
    #expect(host.availability(of: module, version: two) == .updateAvailable(installed: one))
    try host.install(workshop.offer(Workshop.page("com.example.upgrade", 2, route: "ui://new", answer: "two")))
    #expect(host.isInstalled(module, minimumVersion: two))
    #expect(host.availability(of: module, version: two) == .installed(two))
    #expect(host.availability(of: module, version: one) == .installed(two))
    #expect(host.status(of: module) == .loaded)
    #expect(try host.load(module).sequence == 1)
    #expect(try host.open("ui://old") as? String == "one")
    // Another process; its code is another file, so this one will do.
    let later = try workshop.host()
    later.start()
    #expect(try later.open("ui://new") as? String == "two")
    expectRoute(.routeNotFound, "ui://old", of: later)
  }

  @Test("PA10: what is not there, or is refused, is not installed; another host on the same store knows what is")
  func installed() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try identifier("com.example.here")
    let version = try #require(SemanticVersion("1.0.1"))
    #expect(!host.isInstalled(module))
    #expect(host.availability(of: module, version: version) == .notInstalled)
    try host.install(workshop.offer(Workshop.page("com.example.here", route: "ui://here", answer: "x")))
    let other = try workshop.host()
    #expect(other.isInstalled(module) && other.installedVersion(of: module) == version)
    // By a policy that does not trust who signed it.
    let strict = try workshop.host(workshop.policy([PrivateKey.generate(.ed25519).publicKey]))
    #expect(strict.start().isEmpty)
    #expect(!strict.isInstalled(module))
    #expect(strict.availability(of: module, version: version) == .notInstalled)
  }

  @Test("G5: the highest of what ships with the host and what was fetched is taken, and older offers lose")
  func candidates() throws {
    let workshop = try Workshop()
    func page(_ sequence: Int) throws -> String {
      try workshop.offer(
        Workshop.page("com.example.candidate", sequence, route: "ui://candidate", answer: "\(sequence)"))
    }
    let embedded = try TemporaryFolder()
    func ship(_ path: String) throws {
      for path in [path, path + ".sigstore.jsonl"] {
        try FileManager.default.copyItem(
          atPath: path, toPath: embedded.file(URL(filePath: path).lastPathComponent))
      }
    }
    try ship(page(3))
    func host() throws -> PluginHost { try workshop.host { $0.embedded = embedded.path } }
    let first = try host()
    first.takeStock()
    expectError(.policyRollback) { try first.install(page(2)) }
    #expect(try first.load(identifier("com.example.candidate")).sequence == 3)
    try first.install(page(4))
    // The same sequence, fetched and shipped, is the same release.
    let second = try host()
    second.start()
    #expect(try second.open("ui://candidate") as? String == "4")
    // Once 4 has run, nothing older is taken, whatever ships with the host.
    try FileManager.default.removeItem(atPath: embedded.file("com.example.candidate-3.zip"))
    try ship(page(1))
    let third = try host()
    expectError(.policyRollback) { try third.install(workshop.folder.file("com.example.candidate-3.zip")) }
    #expect(third.start().map(\.sequence) == [4])
    // What ships with the host is no offer: that it is older is nobody's fault.
    #expect(third.refusals.map(\.reason.code) == [.policyRollback])
    #expect(second.refusals.isEmpty)
  }

  @Test(
    "G5: of two releases with one sequence the one that ships with the host is taken, and it mends what is damaged"
  )
  func equal() throws {
    let workshop = try Workshop()
    let embedded = try TemporaryFolder()
    func page(_ answer: String) throws -> String {
      try workshop.offer(Workshop.page("com.example.equal", 3, route: "ui://equal", answer: answer))
    }
    let shipped = try page("shipped")
    for path in [shipped, shipped + ".sigstore.jsonl"] {
      try FileManager.default.moveItem(atPath: path, toPath: embedded.file(URL(filePath: path).lastPathComponent))
    }
    let module = try workshop.host().install(page("fetched")).module
    func answer() throws -> String? {
      let host = try workshop.host { $0.embedded = embedded.path }
      host.start()
      #expect(host.refusals.map(\.reason.code).isEmpty)
      return try host.open("ui://equal") as? String
    }
    #expect(try answer() == "shipped")
    let folder = workshop.path + "/modules/\(module)"
    let releases = try FileManager.default.contentsOfDirectory(atPath: folder)
    try #require(releases.count == 1)
    try flip("\(folder)/\(releases[0])/files/lib/com_example_equal.so") { $0 / 2 }
    #expect(try answer() == "shipped")
  }
}
