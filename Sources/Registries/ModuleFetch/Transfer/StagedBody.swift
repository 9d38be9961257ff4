internal import ModuleStore
internal import SignetAddresses
internal import SignetBase
internal import SignetFiles
internal import SignetHTTP
internal import SignetNames
internal import SignetSystem

/// The bytes of one file as they arrive from a server, possibly in several parts, and what they must be.
final class StagedBody: HTTPBody {
  /// What is requested.
  struct Demand {
    /// The maximum number of bytes.
    let limit: Int
    /// The number of bytes, if it is known beforehand.
    let size: Int?
    /// The file that the bytes so far belong to; nil if they belong to none.
    var source: DownloadNote.Source?
  }

  /// Where the server redirected to.
  private(set) var redirect: String?

  private let file: AppendedFile
  private var demand: Demand
  private let signal: FetchSignal
  private let limits: ArchiveFetcher.Limits
  /// Records which file the bytes belong to.
  private let note: (DownloadNote.Source?) throws(SignetError) -> Void
  private let progress: FetchProgress?
  /// Where the bytes come from, for messages.
  private var object = ""
  /// The total number of bytes, if it has been stated.
  private var length: Int?

  init(
    file: AppendedFile, demand: Demand, signal: FetchSignal, limits: ArchiveFetcher.Limits,
    progress: FetchProgress?,
    note: @escaping (DownloadNote.Source?) throws(SignetError) -> Void
  ) {
    self.file = file
    self.demand = demand
    self.signal = signal
    self.limits = limits
    self.progress = progress
    self.note = note
  }

  var isWanted: Bool { !signal.isCancelled && !signal.hasYielded && !signal.yields(limits) }

  /// Whether all bytes have arrived.
  var isWhole: Bool { demand.source.map { $0.length == file.size } ?? false }

  /// The part that is still to be fetched; nil for the whole file.
  var rest: (first: Int, tag: String)? {
    guard let source = demand.source, file.size > 0, file.size < source.length else { return nil }
    return (file.size, source.tag)
  }

  func begin(_ head: ResponseHead, of request: HTTPRequest) throws(FetchFailure) -> Bool {
    redirect = nil
    object = request.url.shown
    do throws(SignetError) {
      switch head.status {
      case 200: try beginAnew(head)
      case 206: try goOn(head, request)
      case 301, 302, 303, 307, 308:
        redirect = try head.field("location") ?? ""
        return false
      default: throw SignetError(.fetchStatus, object, "was answered with an error", found: "\(head.status)")
      }
    } catch {
      // Statuses of a server that has problems or too many requests (RFC 9110, section 15; RFC 6585, section 4).
      let isTransient = error.code == .fetchStatus && [408, 429, 500, 502, 503, 504].contains(head.status)
      guard head.status == 416, request.rest != nil else {
        throw FetchFailure(error: error, isTransient: isTransient)
      }
      // The file has become shorter than the part that has arrived.
      try forget()
      throw .transient(error)
    }
    progress?.tell(file.size, of: length, isLast: false)
    return true
  }

  private func beginAnew(_ head: ResponseHead) throws(SignetError) {
    try head.checkEncoding(of: object)
    let said = try head.length()
    if let said { try checkLength(said) }
    // The bytes are removed first. Then the note says which file the next ones belong to. So the note never describes
    // bytes of another file, whenever the process ends.
    demand.source = nil
    try note(nil)
    try file.empty()
    demand.source = DownloadNote.Source(head, length: said)
    if demand.source != nil { try note(demand.source) }
    length = said ?? demand.size
  }

  private func goOn(_ head: ResponseHead, _ request: HTTPRequest) throws(SignetError) {
    guard let rest = request.rest, let source = demand.source else {
      throw SignetError(.fetchRange, object, "was answered with a part instead of the whole file")
    }
    try head.checkEncoding(of: object)
    let expected = "bytes \(rest.first)-\(source.length - 1)/\(source.length)"
    guard let range = try head.range(), range == (rest.first, source.length - 1, source.length),
      try head.length().map({ $0 == source.length - rest.first }) ?? true
    else {
      let found = try head.field("content-range") ?? "no Content-Range"
      throw SignetError(
        .fetchRange, object, "was answered with a part that was not requested", expected: expected,
        found: String(found.prefix(80)))
    }
    guard try source.isSame(head) else {
      throw SignetError(
        .fetchRange, object, "was answered with a part of another version of the file", expected: source.tag,
        found: String((try head.field("etag") ?? "the same tag, changed at another time").prefix(300)))
    }
    length = source.length
  }

  func take(_ bytes: [UInt8]) throws(FetchFailure) -> Bool {
    let (size, isTooMuch) = file.size.addingReportingOverflow(bytes.count)
    if let length, size > length || isTooMuch {
      throw .final(
        SignetError(
          .fetchLength, object, "is longer than announced", expected: "\(length) bytes", found: "more"))
    }
    guard !isTooMuch, size <= demand.limit else { throw .final(tooLarge("more")) }
    do throws(SignetError) { try file.append(bytes) } catch { throw .final(error) }
    signal.note(received: bytes.count)
    progress?.tell(file.size, of: length, isLast: false)
    return true
  }

  /// Checks that all bytes have arrived, and syncs them to the disk.
  func finish() throws(FetchFailure) {
    if let length, file.size != length {
      throw .transient(
        SignetError(
          .fetchLength, object, "is shorter than announced", expected: "\(length) bytes",
          found: "\(file.size) bytes"))
    }
    do throws(SignetError) { try file.sync() } catch { throw .final(error) }
    progress?.tell(file.size, of: file.size, isLast: true)
  }

  /// Keeps the bytes for another time, unless that could not continue with them.
  func leave(after failure: FetchFailure) {
    if demand.source == nil || !failure.keepsBytes { try? forget() }
  }

  /// Starts again from the first byte the next time.
  private func forget() throws(FetchFailure) {
    demand.source = nil
    do throws(SignetError) {
      try note(nil)
      try file.empty()
    } catch {
      throw .final(error)
    }
  }

  private func checkLength(_ said: Int) throws(SignetError) {
    guard said <= demand.limit else { throw tooLarge("\(said) bytes") }
    guard let size = demand.size, size != said else { return }
    throw SignetError(
      .fetchLength, object, "does not have the offered size", expected: "\(size) bytes", found: "\(said) bytes")
  }

  private func tooLarge(_ found: String) -> SignetError {
    SignetError(
      .fetchTooLarge, object, "is larger than a download may be", expected: "at most \(demand.limit) bytes",
      found: found)
  }
}
