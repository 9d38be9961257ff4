import Signet
import SignetCrypto

@testable import ModuleStore
@testable import SignetNames

/// What hosts' processes leave when they are gone.
enum FedJournals {
  /// Several journals, parted by NUL.
  static func feed(_ bytes: [UInt8]) {
    let journals = bytes.split(separator: 0).enumerated().map { index, text in
      JournalRecord("\(index)", String(decoding: text, as: UTF8.self))
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let known = JournalLine(line) else { continue }
      require(known.description.utf8.elementsEqual(line.utf8), "a line has two forms")
    }
    var state = StoreState()
    for name in ["a.b", "c.d"] {
      if let module = ModuleIdentifier(name) { state.modules[module] = ModuleRecord() }
    }
    state.count(journals, [:])
    // What is counted can be written and read, and nothing of it is counted a second time.
    guard let text = try? state.text(), let read = try? StoreState(text, "state") else {
      return require(false, "a state cannot be read again")
    }
    require(read.modules == state.modules, "a state has changed")
    var again = read
    again.count(journals, [:])
    require(again.modules == read.modules, "a crash was counted twice")
  }
}
