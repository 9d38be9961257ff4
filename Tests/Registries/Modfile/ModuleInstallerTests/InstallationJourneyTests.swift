import Foundation
import ModuleResolver
import Signet
import SignetBase
import TestSupport
import Testing

@testable import RegistryTestSupport

/// What becomes of a module that comes from one place after the other.
@Suite struct InstallationJourneyTests {
  private static let served = "module 'com.example.player', '= 1.2.0'\n"

  /// A folder with the player, which is built and installed by hand.
  private func local(_ project: RecordedProject) throws -> String {
    let folder = project.fixture.folder.file("player")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try project.fixture.folder.write("player/module.json", Array(project.fixture.description("1.2.0", 2).utf8))
    return "module 'com.example.player', path: 'player'\n"
  }

  @Test("a module becomes a folder's and comes back: hosts load what was built, and then what the lock says")
  func localAndBack() throws {
    let project = try RecordedProject()
    try project.install(Self.served)
    let local = try local(project)
    try project.install(local)
    #expect(try project.found().releases == [2])
    try project.installByHand(9)
    // Each installation leaves what somebody has built.
    try project.install(local)
    #expect(try project.found().releases == [2, 9])
    try project.install(Self.served)
    #expect(try project.found() == .init(releases: [2], record: ["installed.lock"]))
    try project.install("")
    #expect(try project.found() == .init())
  }

  @Test("a module that leaves while it is a folder's takes along what the registry gave, and not what was built")
  func localAndAway() throws {
    let project = try RecordedProject()
    try project.install("module 'com.example.player', '= 1.1.0'\n")
    try project.install(Self.served)
    try project.install(local(project))
    try project.installByHand(9)
    try project.install("")
    #expect(try project.found() == .init(releases: [9]))
    // The same without a release of a registry before.
    let other = try RecordedProject()
    try other.install(local(other))
    try other.installByHand(1)
    try other.install("")
    #expect(try other.found() == .init(releases: [1]))
  }

  @Test("a module becomes a commit's and comes back: it is in one place at a time, wherever an installation ends")
  func commitAndBack() throws {
    let project = try RecordedProject()
    try project.install(Self.served)
    let commit = "module 'com.example.player', \(try project.commit("1.2.1", 5))\n"
    for (lines, place) in [(commit, "source"), (Self.served, "binary"), (commit, "source")] {
      for end in try project.ends(lines) {
        try project.use(end.folder)
        try project.install(lines)
        let expected: RecordedProject.Found =
          place == "source"
          ? .init(sources: ["com.example.player"], record: ["unpacked.lock"])
          : .init(releases: [2], record: ["installed.lock"])
        #expect(try project.found() == expected, "\(place): \(end.folder)")
        try project.use(end.folder)
        try project.install("")
        #expect(try project.found() == .init(), "\(place): \(end.folder)")
      }
      try project.use("done")
    }
    // Somebody wants a binary of what the Modfile has as source, and drops it there.
    try project.installByHand(3)
    try project.install("")
    #expect(try project.found() == .init(releases: [3]))
  }

  @Test("two targets: what one got before is lowered with the lock, and nothing of it stays when the module leaves")
  func targets() throws {
    let project = try RecordedProject()
    func lines(_ range: String) -> String {
      "module 'com.example.text'\ntarget 'shop' do\nmodule 'com.example.player', '\(range)'\nend\n"
    }
    for ends in [[], ["shop"]] as [[String]] {
      try project.install(lines("= 1.1.0"), for: "shop")
      try project.install(lines("= 1.3.0"), for: "shop")
      #expect(try project.found().releases == [1, 3])
      // The other target is installed with a lock that has an older release, which is not in the store.
      try project.install(lines("= 1.2.0"))
      #expect(try project.found().releases.contains(3) == false)
      for target in ends { try project.install(lines("= 1.2.0"), for: target) }
      #expect(try project.found().releases == (ends.isEmpty ? [] : [2]))
      try project.install("")
      #expect(try project.found() == .init())
    }
    // What is older than the lock stays until its target is installed, and leaves with the module.
    try project.install(lines("= 1.1.0"), for: "shop")
    try project.install(lines("= 1.2.0"))
    #expect(try project.found().releases == [1])
    try project.install("")
    #expect(try project.found() == .init())
  }

  @Test("what a person installed for a target that was never installed here stays, whatever the lock does")
  func targetByHand() throws {
    let project = try RecordedProject()
    func lines(_ range: String) -> String { "target 'shop' do\nmodule 'com.example.player', '\(range)'\nend\n" }
    try project.installByHand(3)
    for range in ["= 1.3.0", "= 1.2.0", "= 1.1.0"] {
      try project.install(lines(range))
      #expect(try project.found().releases == [3])
    }
    try project.install("")
    #expect(try project.found() == .init(releases: [3]))
  }

  @Test(
    "a newer release that a person installed for a target is the Modfile's when that target is installed, and not before"
  )
  func newerForTarget() throws {
    func lines(_ range: String) -> String { "target 'shop' do\nmodule 'com.example.player', '\(range)'\nend\n" }
    for isInstalled in [false, true] {
      let project = try RecordedProject()
      try project.install(lines("= 1.1.0"), for: "shop")
      try project.installByHand(2)
      // The lock demands it now, and another target is installed.
      try project.install(lines("= 1.2.0"))
      if isInstalled { try project.install(lines("= 1.2.0"), for: "shop") }
      try project.install("")
      #expect(try project.found() == .init(releases: isInstalled ? [] : [2]))
    }
  }
}
