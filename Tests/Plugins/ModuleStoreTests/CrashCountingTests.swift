import Foundation
import Signet
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ModuleStore

@Suite("how crashes are counted") struct CrashCountingTests {
  private let player = StoreFixture.player
  private let fixture: StoreFixture
  private let store: ModuleStore

  init() throws {
    fixture = try StoreFixture()
    try fixture.install(1)
    store = try fixture.store()
  }

  private var folder: String { fixture.path + "/loading" }

  /// Leaves a journal as a process does that has crashed.
  private func leave(_ name: String, _ lines: String...) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let text = lines.map { $0.replacing("P", with: "\(player)") + ".\n" }.joined()
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  /// How often the release has crashed, as the state says; nil where it says nothing.
  private func counted() throws -> Int? {
    #expect(store.countCrashes().failure == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    return try store.storedState().modules[player]?.crash(1)?.count
  }

  @Test("a journal that was counted, and not removed since the process was killed just then, is not counted again")
  func countedBefore() throws {
    try leave("a", "start", "loading P 1")
    #expect(try counted() == 1)
    try leave("a", "start", "loading P 1")
    #expect(try counted() == 1)
    // What another host has appended meanwhile is news.
    try leave("a", "start", "loading P 1", "start", "loading P 1")
    #expect(try counted() == 2)
    #expect(try store.storedState().countedRuns == ["a": 2])
    // Of journals that are gone nothing is kept.
    #expect(try store.retry(player) == [1])
    try leave("b", "start", "loaded P 1")
    #expect(try counted() == 1)
    #expect(try store.storedState().countedRuns == ["b": 1])
  }

  @Test("of more counted journals than a state may have those that fit are kept, and it can be read again")
  func veryManyCounted() throws {
    var state = StoreState()
    let names = (0..<LoadingJournal.limit + 100).map { "j\($0)" }
    for name in names { state.noteCounted(name, runs: 1) }
    state.forgetCounted(except: Set(names))
    #expect(state.countedRuns.count == LoadingJournal.limit)
    #expect(try StoreState(state.text(), "state").countedRuns == state.countedRuns)
    state.forgetCounted(except: ["j1", "gone"])
    #expect(state.countedRuns == ["j1": 1])
  }

  @Test("processes that ran at the same time, and were killed, have crashed once")
  func together() throws {
    for name in ["a", "b", "c"] { try leave(name, "start", "loaded P 1") }
    #expect(try counted() == 1)
  }

  @Test("what journals of processes that were killed together share is suspected with all that they have")
  func overlapping() throws {
    let other = StoreFixture.identifier("com.example.other")
    try fixture.install(3, of: other)
    try leave("a", "start", "loaded P 1")
    try leave("b", "start", "loaded P 1", "loaded com.example.other 3")
    #expect(store.countCrashes().failure == nil)
    let modules = try store.storedState().modules
    #expect(modules[player]?.crash(1)?.count == 0 && modules[player]?.crash(1)?.suspicion != nil)
    #expect(modules[other]?.crash(3)?.suspicion == modules[player]?.crash(1)?.suspicion)
  }

  @Test("hosts of one process that share no release have crashed together")
  func oneProcess() throws {
    let other = StoreFixture.identifier("com.example.other")
    try fixture.install(3, of: other)
    for process in ["one", "one"] {
      try leave("a", "start", "process \(process)", "loaded P 1")
      try leave("b", "start", "process \(process)", "loaded com.example.other 3")
    }
    #expect(store.countCrashes().failure == nil)
    let modules = try store.storedState().modules
    #expect(modules[player]?.crash(1)?.suspicion?.grade == .strong)
    #expect(modules[other]?.crash(3)?.suspicion?.crash == modules[player]?.crash(1)?.suspicion?.crash)
  }

  @Test("what the store has noted as well is not noted again, when the process ends long after")
  func noted() throws {
    for name in ["a", "b"] {
      try leave(name, "start", "loading P 1")
      _ = try counted()
    }
    try leave("c", "start", "loaded P 1", "well P 1", "noted", "ended")
    #expect(try counted() == 2)
    #expect(try store.setAside(player).map(\.sequence) == [1])
  }

  @Test("a release that has not come back from being loaded counts, though the process has ended in order")
  func stalled() throws {
    try leave("a", "start", "loading P 1", "ended")
    #expect(try counted() == nil)
    try leave("b", "start", "loading P 1", "stalled P 1", "ended")
    #expect(try counted() == 1)
    try leave("c", "start", "loading P 1", "stalled P 1", "loaded P 1", "ended")
    #expect(try counted() == nil)
  }

  @Test("a line that was cut off means nothing, and neither does a release that is written in another way")
  func lines() throws {
    for text in ["loading P 12", "loading P +1.", "loading P 01.", "loading P 9007199254740992.", "well P", "."] {
      #expect(JournalLine(Substring(text.replacing("P", with: "\(player)"))) == nil, "\(text)")
    }
    let release = ModuleStore.ReleaseName(identifier: player, sequence: 12)
    let known: [JournalLine] = [
      .start, .process("1-a"), .after("b"), .loading(release), .stalled(release), .loaded(release), .failed(release),
      .well(release), .noted, .ended,
    ]
    for line in known { #expect(JournalLine(Substring("\(line)")) == line) }
  }

  @Test("one that began when another's journal was there, and could not be counted, is the next one in the row")
  func inARow() throws {
    try leave("a", "start", "loaded P 1")
    try leave("b", "start", "after a", "loaded P 1")
    #expect(try counted() == 2)
    #expect(try store.setAside(player).map(\.sequence) == [1])
  }

  @Test("a host says which journals could not be counted when it began")
  func after() throws {
    try leave("a", "start", "loading P 1")
    let lock = try StoreLock(.change, of: Directory(opening: fixture.path))
    let busy = ModuleStore.withoutPatience(store)
    #expect(busy.countCrashes().failure?.code == .storeLocked)
    let journal = try LoadingJournal(in: busy)
    try journal.note(.opening, ModuleStore.ReleaseName(identifier: player, sequence: 1))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let name = try #require(names.first { $0 != "a" })
    #expect(names.count == 2)
    let lines = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 4 && lines[1].hasPrefix("process \(getpid())-"))
    #expect([lines[0], lines[2], lines[3]] == ["start.", "after a.", "loading \(player) 1."])
    // Its process lives: it is nobody's to count, and this one's own neither.
    #expect(busy.countCrashes().releases.count == 1)
    withExtendedLifetime((journal, lock)) {}
  }

  @Test(
    "a run that was well, or ended in order, breaks the row; one in which the release failed does not make it good")
  func brokenRow() throws {
    for lines in [["loaded P 1", "well P 1"], ["loaded P 1", "ended"]] {
      try leave("a", "start", "loading P 1")
      #expect(try counted() == 1)
      try leave("b", (["start"] + lines).joined(separator: ".\n"))
      #expect(try counted() == nil)
      #expect(try store.storedState().modules[player]?.release(1)?.hasRunWell == true)
    }
    let other = try StoreFixture()
    try other.install(1)
    let failing = try other.store()
    try FileManager.default.createDirectory(atPath: other.path + "/loading", withIntermediateDirectories: true)
    for (text, count) in [("loading \(player) 1", 1), ("failed \(player) 1.\nended", nil)] {
      try Data("start.\n\(text).\n".utf8).write(to: URL(filePath: other.path + "/loading/a-\(text.count)"))
      #expect(failing.countCrashes().failure == nil)
      #expect(try failing.storedState().modules[player]?.crash(1)?.count == count)
    }
    #expect(try failing.storedState().modules[player]?.release(1)?.hasRunWell == false)
  }

  @Test("a long journal is read whole", .slow)
  func long() throws {
    let noise = String(repeating: "loaded com.example.other 1.\n", count: 100_000)
    try leave("a", "start", noise + "loading P 1")
    #expect(store.countCrashes().failure == nil)
    // The other module is not installed; that it was on trial counts all the same.
    #expect(try store.heldBack(among: [player]) == [[player]])
    #expect(try store.storedState().modules[player]?.crash(1)?.suspicion?.grade == .loading)
  }

  @Test("what a release that does not verify says of its version is told, as long as it is there")
  func claimedVersion() throws {
    let installed = try store.active(player)
    try Data("?".utf8).write(to: URL(filePath: fixture.place(of: installed) + "/files/assets/a"))
    for name in ["a", "b"] {
      try leave(name, "start", "loading P 1")
      _ = try counted()
    }
    #expect(try store.storedState().modules[player]?.crash(1)?.release == nil)
    #expect(try store.setAside(player) == [.init(sequence: 1, version: installed.module.version)])
    try store.remove(player, sequence: 1)
    #expect(try store.setAside(player) == [.init(sequence: 1, version: nil)])
  }
}

extension ModuleStore {
  /// The store for somebody who waits for nobody.
  fileprivate static func withoutPatience(_ store: ModuleStore) -> ModuleStore {
    var store = store
    store.patience = 0
    return store
  }
}
