package import SignetBase

/// The receiver of an answer.
package protocol HTTPReceiver: AnyObject {
  /// Whether the answer is still waited for.
  var isWanted: Bool { get }
  /// Takes the head, which comes before the bytes.
  ///
  /// - Returns: whether the bytes are wanted, too.
  func begin(_ head: ResponseHead, of request: HTTPRequest) throws(FetchFailure) -> Bool
  /// Takes some bytes.
  func take(_ bytes: [UInt8]) throws(FetchFailure)
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
      try receiver.take(unsafe Self.copy(bytes, count))
      return true
    }
  }

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
