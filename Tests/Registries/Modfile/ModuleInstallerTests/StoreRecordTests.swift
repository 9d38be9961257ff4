import Foundation
import ModuleResolver
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import RegistryTestSupport

/// What the store remembers of installations that failed, were killed, or were finished.
@Suite struct StoreRecordTests {
  private static let wanted = "module 'com.example.player', '= 1.2.0'\n"

  /// What is done before a Modfile demands the player's release 2.
  enum Past: String, CaseIterable {
    case nothing, olderByHand, sameByHand, newerByHand, older, newer, sameAndNewer, olderAndSameByHand

    func happen(in project: RecordedProject) throws {
      switch self {
      case .nothing: break
      case .olderByHand: try project.installByHand(1)
      case .sameByHand: try project.installByHand(2)
      case .newerByHand: try project.installByHand(3)
      case .older: try project.install("module 'com.example.player', '= 1.1.0'\n")
      case .newer: try project.install("module 'com.example.player', '= 1.3.0'\n")
      case .sameAndNewer:
        try project.install("module 'com.example.player', '= 1.2.0'\n")
        try project.install("module 'com.example.player', '= 1.3.0'\n")
      case .olderAndSameByHand:
        try project.install("module 'com.example.player', '= 1.1.0'\n")
        try project.installByHand(2)
      }
    }

    /// What was installed by hand.
    var byHand: [Int] {
      switch self {
      case .olderByHand: [1]
      case .sameByHand, .olderAndSameByHand: [2]
      case .newerByHand: [3]
      case .nothing, .older, .newer, .sameAndNewer: []
      }
    }

    /// What stays of that when the module leaves, if the Modfile's release was installed: the same one, unless a run has
    /// said of it that it is the Modfile's.
    var byHandBesides: [Int] { byHand.filter { $0 == 2 } }
  }

  @Test(
    "after an end between any two steps what a person installed stays, and nothing that the Modfile brought stays for ever",
    arguments: Past.allCases)
  func ended(_ past: Past) throws {
    let project = try RecordedProject()
    try past.happen(in: project)
    for end in try project.ends(Self.wanted) {
      let place: Comment = "\(past): \(end.folder)"
      try project.use(end.folder)
      // The module leaves the Modfile. A release that was there already is the Modfile's once an installation has ended.
      try project.install("")
      let expected = end.isRecorded ? [] : end.isDone ? past.byHandBesides : past.byHand
      #expect(try project.found().releases == expected, place)
      // Or it stays there, and the next installation finishes.
      try project.use(end.folder)
      try project.install(Self.wanted)
      let next = try project.found()
      #expect(next.releases.last == 2 && next.record == ["installed.lock"], place)
      try project.install("")
      #expect(try project.found().releases == [] && project.found().record == [], place)
      try project.use("begun")
    }
  }

  @Test(
    "a release that a person installs while the note of a killed run names it is the person's, unless that run had placed it",
    arguments: [Past.nothing, .olderByHand, .older])
  func byHandAfterEnd(_ past: Past) throws {
    let project = try RecordedProject()
    try past.happen(in: project)
    for end in Extent.sample(of: try project.ends(Self.wanted), oneOf: 2, keeping: \.isRecorded) {
      let place: Comment = "\(past): \(end.folder)"
      try project.use(end.folder)
      try project.installByHand(2)
      try project.install("")
      #expect(try project.found().releases == (end.isDone ? [] : past.byHand + [2]), place)
      // The next Modfile that demands it makes it its own, as always, and nothing is remembered of the hand.
      try project.use(end.folder)
      try project.installByHand(2)
      try project.install(Self.wanted)
      #expect(try project.found().record == ["installed.lock"], place)
      try project.install("")
      #expect(try project.found() == .init(), place)
      // Nor of what a person removes again, so that the run that places it next owns it.
      try project.use(end.folder)
      try project.installByHand(2)
      try project.removeByHand(2)
      for next in try project.ends(Self.wanted, named: "next-") where next.isDone {
        try project.use(next.folder)
        try project.install("")
        #expect(try project.found().releases == [], place)
      }
    }
  }

  @Test(
    "a release that a person installs after a killed run is the person's, also if the next one is killed that would place it",
    arguments: [Past.nothing, .olderByHand, .older])
  func byHandBetweenEnds(_ past: Past) throws {
    let project = try RecordedProject()
    try past.happen(in: project)
    for end in try project.ends(Self.wanted) where !end.isDone {
      try project.use(end.folder)
      try project.installByHand(2)
      for next in try project.ends(Self.wanted, named: "next-") {
        let place: Comment = "\(past): \(end.folder), \(next.folder)"
        try project.use(next.folder)
        try project.install("")
        #expect(try project.found().releases == (next.isRecorded ? [] : past.byHand + [2]), place)
      }
    }
  }

  @Test("an installation that cannot write its lock makes nothing the Modfile's but what it has placed")
  func unpublished() throws {
    for past in Past.allCases {
      let project = try RecordedProject()
      try past.happen(in: project)
      expectError(.outputFailed) {
        try project.install(
          Self.wanted, publishing: { () throws(SignetError) in throw SignetError(.outputFailed, "the lock", "fails") }
        )
      }
      #expect(try project.found().releases.last == 2, "\(past)")
      #expect(try !project.found().record.contains("placing.lock"), "\(past)")
      try project.install("")
      #expect(try project.found() == .init(releases: past.byHandBesides), "\(past)")
    }
  }

  @Test("an installation that cannot unpack sources takes nothing from who installed a module by hand")
  func failed() throws {
    for past in Past.allCases {
      let project = try RecordedProject()
      try past.happen(in: project)
      let before = try project.found()
      let lines = Self.wanted + "module 'com.example.text'\n"
      expectError(.digestMismatch) {
        try project.install(lines, asSource: true, spoil: { try spoil("com.example.text", $0, project) })
      }
      #expect(try project.found().releases == before.releases, "\(past)")
      try project.install("")
      #expect(try project.found().releases == past.byHand && project.found().sources == [], "\(past)")
    }
  }

  /// Changes the sources of a module in the cache.
  private func spoil(_ module: String, _ lock: ModuleLock, _ project: RecordedProject) throws {
    let identifier = try #require(ModuleIdentifier(module))
    let digest = try #require(lock[identifier]?.served?.digests?.source?.archive)
    try project.fixture.folder.write("cache/files/\(digest.hex)", [1])
  }

  @Test(
    "what was unpacked before an end leaves with its module, and a release of it that was installed by hand stays")
  func unpackedSources() throws {
    let project = try RecordedProject()
    try project.installByHand(2)
    let lines = Self.wanted + "module 'com.example.text'\n"
    var drafts = 0
    try project.install(
      lines, asSource: true,
      began: { _ in
        drafts += 1
        // The first one has its name, and the second has not.
        if drafts == 2 { _ = try? Shell.run("cp -a machine ended", in: project.fixture.folder.path) }
      })
    #expect(drafts == 2)
    #expect(try project.found().sources == ["com.example.player", "com.example.text"])
    #expect(try project.found().releases == [])
    // The module is source, and somebody wants its binary after all: the Modfile drops it.
    try project.installByHand(2)
    try project.install("")
    #expect(try project.found() == .init(releases: [2]))
    try project.use("ended")
    #expect(try project.found().sources.contains("com.example.player"))
    try project.install("")
    #expect(try project.found() == .init(releases: [2]))
  }

  @Test("a release that somebody installs after the Modfile's stays when the module leaves")
  func newerByHand() throws {
    let project = try RecordedProject()
    try project.install("module 'com.example.player', '= 1.1.0'\n")
    try project.install(Self.wanted)
    try project.installByHand(3)
    try project.install("")
    #expect(try project.found() == .init(releases: [3]))
    // The next Modfile makes it its own.
    try project.install("module 'com.example.player', '= 1.3.0'\n")
    try project.install("")
    #expect(try project.found() == .init())
  }
}
