internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A journal's file: open, and locked as long as the value lives. Lines are appended whole.
final class JournalFile: Sendable {
  /// Bytes of a journal that are read. A run writes three lines of about 100 bytes for each of at most 1000 modules. On a full disk several
  /// runs share a file.
  private static let sizeLimit = 8 << 20

  /// Its name in the store.
  let name: String
  private let folder: StoreFolder
  private let file: ProcessLockedFile
  private var descriptor: Int32 { file.descriptor }

  /// Whether a process that is gone has written it before.
  let isContinued: Bool

  private init(_ name: String, in folder: StoreFolder, _ file: ProcessLockedFile, isContinued: Bool) {
    self.isContinued = isContinued
    self.folder = folder
    self.name = name
    self.file = file
  }

  deinit { Self.unfinished.withLock { $0[descriptor] = nil } }

  /// Begins a file with lines. Where none can be made, one that a process has left is gone on with: on a full disk that may still have
  /// room.
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
        // Before it is locked another host may take the file for one that a process has left, and remove it.
        guard let file = try ProcessLockedFile.open(name, in: folder.directory.descriptor, isNew: true),
          isListed(file)
        else { continue }
        return JournalFile(name, in: folder, file, isContinued: false)
      }
      throw SystemFailure("fcntl", number: EAGAIN)
    } catch {
      throw folder.failed(name, error)
    }
  }

  /// Files that are made before that is given up.
  private static let makeTries = 64

  private static func isListed(_ file: ProcessLockedFile) -> Bool {
    var status = stat()
    return unsafe fstat(file.descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Opens a file that a process has left.
  ///
  /// - Returns: nil where the process lives, or somebody else counts the file just now.
  static func left(_ name: String, in folder: StoreFolder) -> JournalFile? {
    guard let file = try? ProcessLockedFile.open(name, in: folder.directory.descriptor, isNew: false) else {
      return nil
    }
    // Of two hosts that start at once one gets the lock. The other may get it once the first has counted and removed the file.
    guard isListed(file) else { return nil }
    return JournalFile(name, in: folder, file, isContinued: true)
  }

  /// When it was written last, in seconds and nanoseconds.
  var modified: [Int] {
    guard let time = (try? FileStatus(of: descriptor, path: name))?.modified else { return [] }
    return [time.seconds, time.nanoseconds]
  }

  /// The text, as far as it is read; nil where it cannot be.
  func text() -> String? {
    guard let status = try? FileStatus(of: descriptor, path: name) else { return nil }
    let size = min(status.size, Self.sizeLimit)
    var bytes = [UInt8](repeating: 0, count: size)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in unsafe pread(descriptor, buffer.baseAddress, size, 0)
    }
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Appends lines, all at once. The first begins a line of its own, whatever half line a full disk has left before it.
  ///
  /// - Throws: `store.write-failed`.
  func append(_ lines: [JournalLine]) throws(SignetError) {
    var failure: SystemFailure?
    unsafe Array("\n\(lines.map(\.description).joined(separator: "\n"))\n".utf8).withUnsafeBytes { bytes in
      do throws(SystemFailure) { try unsafe SystemCall.write(descriptor, bytes) } catch { failure = error }
    }
    if let failure { throw folder.failed(name, failure) }
  }

  /// Takes the file away.
  func remove() { unsafe unlinkat(folder.directory.descriptor, name, 0) }

  /// What is appended to a file that is open when the process ends in order, with exit(3) or by returning from `main`.
  private struct LastLine {
    /// Which file's it is, whatever descriptor it has.
    let number: UInt64
    let bytes: [UInt8]
    /// Says whether the thread that ends the process does so in order.
    let isInOrder: @Sendable () -> Bool
    /// The thread that loads code just now. When it ends the process, that code does.
    var loader: UInt?
  }
  private static let unfinished = Monitor<[Int32: LastLine]>([:])
  /// A process that was forked off has the parent's handlers, and not its say.
  private static let process: pid_t = {
    atexit { JournalFile.finish() }
    return getpid()
  }()

  /// Has a line appended when the process ends in order.
  ///
  /// - Parameter isInOrder: asked then, on the thread that ends the process. Code that is loaded by ``note(loadsCode:)`` on that thread is
  ///   known without asking.
  func append(atExit line: JournalLine, where isInOrder: @escaping @Sendable () -> Bool) {
    _ = Self.process
    Self.unfinished.withLock {
      $0[descriptor] = LastLine(
        number: .random(in: .min ... .max), bytes: Array("\n\(line)\n".utf8), isInOrder: isInOrder)
    }
  }

  /// Notes that this thread loads code, or does no more: what that ends the process with is no end in order.
  func note(loadsCode: Bool) {
    let thread = loadsCode ? Self.thread : nil
    Self.unfinished.withLock { $0[descriptor]?.loader = thread }
  }

  private static var thread: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }

  private static func finish() {
    guard process == getpid() else { return }
    let thread = thread
    let inOrder = unfinished.withLock(\.self).filter { $0.value.loader != thread && $0.value.isInOrder() }
    unfinished.withLock { unfinished in
      // Meanwhile a file may have been closed, and its number may be another's.
      for (descriptor, line) in inOrder where unfinished[descriptor]?.number == line.number {
        unsafe line.bytes.withUnsafeBytes { bytes in try? unsafe SystemCall.write(descriptor, bytes) }
      }
    }
  }
}
