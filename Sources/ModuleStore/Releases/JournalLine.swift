internal import Signet

/// A line of a journal: words, and a full stop, without which it was cut off.
enum JournalLine: Hashable, CustomStringConvertible {
  /// A run of a host begins.
  case start
  /// The process that runs.
  case process(String)
  /// The run began when this journal was there and could not be counted.
  case after(String)
  /// The code of a release is about to be opened.
  case loading(ModuleStore.ReleaseName)
  /// The release has not come back from being loaded for a long time.
  case stalled(ModuleStore.ReleaseName)
  /// The release is loaded, and on trial.
  case loaded(ModuleStore.ReleaseName)
  /// The release failed in order after its code was opened. The code stays in the process, and on trial.
  case failed(ModuleStore.ReleaseName)
  /// The host is well with a release: it is not on trial any more.
  case well(ModuleStore.ReleaseName)
  /// The store knows what the lines before say of releases that are well.
  case noted
  /// The process has ended in order.
  case ended

  private static let end = "."

  /// Reads a line; nil for one that means nothing.
  init?(_ line: Substring) {
    guard line.utf8.last == UInt8(ascii: ".") else { return nil }
    let words = line.dropLast().split(separator: " ", omittingEmptySubsequences: false)
    let first = Array(words[0].utf8)
    func isCalled(_ name: String) -> Bool { first.elementsEqual(name.utf8) }
    switch words.count {
    case 1 where isCalled("start"): self = .start
    case 1 where isCalled("noted"): self = .noted
    case 1 where isCalled("ended"): self = .ended
    case 2 where isCalled("process"): self = .process(String(words[1]))
    case 2 where isCalled("after"): self = .after(String(words[1]))
    case 3:
      guard let release = Self.release(words[1], words[2]) else { return nil }
      let known: [JournalLine] = [
        .loading(release), .stalled(release), .loaded(release), .failed(release), .well(release),
      ]
      guard let line = known.first(where: { isCalled($0.word) }) else { return nil }
      self = line
    default: return nil
    }
  }

  /// A release as it is written, and in no other way.
  private static func release(_ identifier: Substring, _ sequence: Substring) -> ModuleStore.ReleaseName? {
    guard let identifier = ModuleIdentifier(String(identifier)), let number = Int(sequence),
      (1...(1 << 53 - 1)).contains(number), sequence.utf8.elementsEqual("\(number)".utf8)
    else { return nil }
    return ModuleStore.ReleaseName(identifier: identifier, sequence: number)
  }

  private var word: String {
    switch self {
    case .start: "start"
    case .process: "process"
    case .after: "after"
    case .loading: "loading"
    case .stalled: "stalled"
    case .loaded: "loaded"
    case .failed: "failed"
    case .well: "well"
    case .noted: "noted"
    case .ended: "ended"
    }
  }

  /// The line as it is written.
  var description: String {
    switch self {
    case .start, .noted, .ended: word + Self.end
    case .process(let name), .after(let name): "\(word) \(name)\(Self.end)"
    case .loading(let release), .stalled(let release), .loaded(let release), .failed(let release), .well(let release):
      "\(word) \(release)\(Self.end)"
    }
  }
}
