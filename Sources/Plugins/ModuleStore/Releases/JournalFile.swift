internal import Signet
internal import SignetBase
internal import SignetSystem

/// The file of a journal, open and locked as long as the value lives. Lines are appended whole.
final class JournalFile: Sendable {
  /// The greatest number of bytes that are read. A run writes three lines of about 100 bytes for each of at most 1000
  /// modules. On a full disk, several runs share a file.
  private static let sizeLimit = 8 << 20

  /// Its name in the store.
  let name: String
  private let folder: StoreFolder
  private let file: ProcessLockedFile

  /// Whether a process that has ended wrote to it before.
  let isContinued: Bool

  private init(_ name: String, in folder: StoreFolder, _ file: ProcessLockedFile, isContinued: Bool) {
    self.isContinued = isContinued
    self.folder = folder
    self.name = name
    self.file = file
  }

  /// Begins a file with lines. If no file can be made, one that a process has left is continued: on a full disk, that
  /// may still have room.
  ///
  /// - Throws: `store.write-failed`, `file.…`.
  static func begin(in root: StoreFolder, with lines: [JournalLine]) throws(SignetError) -> JournalFile {
    if try root.makeFolder(LoadingJournal.folderName) { try root.folder(LoadingJournal.folderName).share() }
    let folder = try root.folder(LoadingJournal.folderName)
    do throws(SignetError) {
      let file = try make(in: folder)
      do throws(SignetError) { try file.append(lines) } catch {
        file.remove()
        throw error
      }
      return file
    } catch {
      for name in try folder.names(upTo: LoadingJournal.limit) {
        guard let file = left(name, in: folder), (try? file.append(lines)) != nil else { continue }
        return file
      }
      throw error
    }
  }

  private static func make(in folder: StoreFolder) throws(SignetError) -> JournalFile {
    var name = ""
    do throws(SystemFailure) {
      for _ in 0..<makeTries {
        name = String(UInt64.random(in: .min ... .max), radix: 36)
        // Before the file is locked, another host may take it for one that a process has left, and remove it.
        guard let file = try ProcessLockedFile.open(name, in: folder.directory, isNew: true),
          file.isNamed
        else { continue }
        return JournalFile(name, in: folder, file, isContinued: false)
      }
      throw SystemFailure.unavailable("fcntl")
    } catch {
      throw folder.failed(name, error)
    }
  }

  /// How many files are made before giving up.
  private static let makeTries = 64

  /// Opens a file that a process has left.
  ///
  /// - Returns: nil if the process lives, or another host is counting the file now.
  static func left(_ name: String, in folder: StoreFolder) -> JournalFile? {
    guard let file = try? ProcessLockedFile.open(name, in: folder.directory, isNew: false) else {
      return nil
    }
    // Of two hosts that start at once, one gets the lock. The other may get it after the first has counted and removed
    // the file.
    guard file.isNamed else { return nil }
    return JournalFile(name, in: folder, file, isContinued: true)
  }

  /// When it was last written, in seconds and nanoseconds.
  var modified: [Int] { file.modified.map { [$0.seconds, $0.nanoseconds] } ?? [] }

  /// The text, up to the limit; nil if it cannot be read.
  func text() -> String? { file.bytes(upTo: Self.sizeLimit).map { String(decoding: $0, as: UTF8.self) } }

  /// Appends lines, all at once. They begin on a line of their own, even after half a line that a full disk has left.
  ///
  /// - Throws: `store.write-failed`.
  func append(_ lines: [JournalLine]) throws(SignetError) {
    do throws(SystemFailure) {
      try file.append(Array("\n\(lines.map(\.description).joined(separator: "\n"))\n".utf8))
    } catch {
      throw folder.failed(name, error)
    }
  }

  /// Removes the file.
  func remove() { file.remove() }

  /// Makes the process append a line when it ends in order.
  ///
  /// - Parameter isInOrder: asked at that time, on the thread that ends the process. It is not asked on a thread that
  ///   is loading code by ``note(loadsCode:)``: there, the process never ends in order.
  func append(atExit line: JournalLine, where isInOrder: @escaping @Sendable () -> Bool) {
    file.append(atExit: Array("\n\(line)\n".utf8), where: isInOrder)
  }

  /// Notes that this thread begins to load code, or has stopped. If that code ends the process, it does not end in
  /// order.
  func note(loadsCode: Bool) { file.note(runsOthersCode: loadsCode) }
}

/// A line of a journal: words, and a full stop. A line without a full stop was cut off.
enum JournalLine: Hashable, CustomStringConvertible {
  /// A run of a host begins.
  case start
  /// The process of the run.
  case process(String)
  /// This journal was there when the run began, and could not be counted.
  case after(String)
  /// The code of a release is about to be opened.
  case loading(ModuleStore.ReleaseName)
  /// Loading the release has not returned for a long time.
  case stalled(ModuleStore.ReleaseName)
  /// The release is loaded, and on trial.
  case loaded(ModuleStore.ReleaseName)
  /// The release failed in order after its code was opened. The code stays in the process, and on trial.
  case failed(ModuleStore.ReleaseName)
  /// The host is healthy with a release, which is no longer on trial.
  case well(ModuleStore.ReleaseName)
  /// The store knows what the lines before say of releases that ran well.
  case noted
  /// The process has ended in order.
  case ended

  private static let end = "."

  /// Reads a line; nil for a line without a meaning.
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

  /// A release, accepted only in the form in which it is written.
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
