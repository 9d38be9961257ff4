internal import SignetAddresses
package import SignetBase
internal import SignetNames

/// The receiver of an answer.
package protocol HTTPReceiver: AnyObject {
  /// Whether the answer is still waited for.
  var isWanted: Bool { get }
  /// Takes the head, which comes before the bytes.
  ///
  /// - Returns: whether the bytes are wanted, too.
  func begin(_ head: ResponseHead, of request: HTTPRequest) throws(FetchFailure) -> Bool
  /// Takes some bytes.
  ///
  /// - Returns: whether more of them are wanted. If not, the transfer ends.
  func take(_ bytes: [UInt8]) throws(FetchFailure) -> Bool
}

/// The bytes that a request sends.
package protocol HTTPUpload: AnyObject {
  /// The number of bytes.
  var size: Int { get }
  /// The next bytes: at least one, unless all were given.
  func next(atMost count: Int) throws(SignetError) -> [UInt8]
  /// Begins again with the first byte.
  func rewind()
}

/// A request and its result so far; libcurl's callbacks are called with it.
final class HTTPExchange {
  let request: HTTPRequest
  /// The fault of the answer, if there is one.
  private(set) var failure: FetchFailure?
  /// Whether everything that was wanted of the answer is there, and the rest was refused.
  private(set) var isOver = false
  /// Whether there was a final head, and not only one of those that come before it (1xx).
  private(set) var hasHead = false

  private let receiver: any HTTPReceiver
  private let headerLimit: Int
  private var headerBytes = 0
  private var bodyBytes = 0
  private var lines: [[UInt8]] = []

  init(_ request: HTTPRequest, _ receiver: any HTTPReceiver, headerLimit: Int) {
    self.request = request
    self.receiver = receiver
    self.headerLimit = headerLimit
  }

  static func at(_ place: UnsafeMutableRawPointer?) -> HTTPExchange? {
    unsafe place.map { unsafe Unmanaged<HTTPExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  var isWanted: Bool { receiver.isWanted }

  /// Takes a line of a head. More such lines may follow the bytes.
  ///
  /// - Returns: whether to continue.
  func take(header bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Bool {
    attempt { () throws(FetchFailure) in
      let line = unsafe Self.copy(bytes, count)
      headerBytes += count
      guard headerBytes <= headerLimit else {
        throw .final(
          SignetError(
            .fetchResponse, request.url.shown, "has a header that is too long",
            expected: "at most \(headerLimit) bytes"))
      }
      guard !hasHead else { return true }
      guard line.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) else {
        lines.append(line)
        return true
      }
      guard let head = ResponseHead(lines) else {
        throw .final(SignetError(.fetchResponse, request.url.shown, "has a header that is not valid HTTP"))
      }
      lines = []
      // 101 would end HTTP, and was not requested.
      guard !(100..<200).contains(head.status) || head.status == 101 else { return true }
      hasHead = true
      isOver = !(try receiver.begin(head, of: request))
      return !isOver
    }
  }

  /// Takes some of the bytes.
  ///
  /// - Returns: whether to continue.
  func take(body bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Bool {
    attempt { () throws(FetchFailure) in
      guard hasHead else {
        throw .final(SignetError(.fetchResponse, request.url.shown, "has a body without a header"))
      }
      bodyBytes += count
      isOver = !(try receiver.take(unsafe Self.copy(bytes, count)))
      return !isOver
    }
  }

  /// Checks that what comes is the answer. Chunks have extensions, which nobody sees and which need not end (RFC 9112,
  /// section 7.1.1).
  ///
  /// - Parameter received: the number of bytes that have come over the wire.
  func check(received: Int) throws(FetchFailure) {
    guard received / Self.dearest > headerBytes + bodyBytes + Self.unseen else { return }
    throw .final(
      SignetError(
        .fetchResponse, request.url.shown, "sends bytes that belong to no answer",
        expected: "little more than the \(headerBytes + bodyBytes) bytes of the answer", found: "\(received) bytes"))
  }

  /// How many bytes on the wire a byte of an answer can cost: one in a chunk of its own (6), in a record of TLS of its
  /// own (22 more), twice as many to be sure.
  private static let dearest = 64
  /// Bytes that were received and not passed on yet, and the handshake of TLS, divided by the former.
  private static let unseen = (4 << 20) / dearest

  /// Gives some of the bytes to send.
  ///
  /// - Returns: their number; nil to end the transfer.
  func give(body place: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int? {
    var given = 0
    let isDone = attempt { () throws(FetchFailure) in
      guard let upload = request.upload else { return true }
      do throws(SignetError) {
        let bytes = try upload.next(atMost: count)
        given = min(bytes.count, count)
        unsafe UnsafeMutableRawBufferPointer(start: place, count: count).copyBytes(from: bytes.prefix(given))
      } catch {
        throw .final(error)
      }
      return true
    }
    return isDone ? given : nil
  }

  /// Begins again with the first byte to send.
  func rewind() { request.upload?.rewind() }

  private func attempt(_ body: () throws(FetchFailure) -> Bool) -> Bool {
    do throws(FetchFailure) { return try body() } catch {
      failure = error
      return false
    }
  }

  private static func copy(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
