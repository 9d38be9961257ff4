internal import SignetAddresses
internal import SignetBase
internal import SignetNames

/// The bytes of a file as they arrive, up to a limit.
final class BoundedBody: HTTPBody {
  private(set) var redirect: String?
  /// The status that says that there is no such file.
  private(set) var absence: Int?
  let rest: (first: Int, tag: String)? = nil
  let isWanted = true

  /// The longest page about a missing file that is read, in bytes: about the first window of a connection (RFC 6928).
  private static let longestPage = 16 << 10

  private let limit: Int
  /// The bytes that were received and not handed on yet.
  private var pending: [UInt8] = []
  /// Where the bytes come from, for messages.
  private var object = ""
  /// The number of bytes, if the server says it.
  private var length: Int?
  private var taken = 0
  /// The number of bytes of a page about a missing file.
  private var pageBytes = 0

  init(limit: Int) { self.limit = limit }

  func begin(_ head: ResponseHead, of request: HTTPRequest) throws(FetchFailure) -> Bool {
    object = request.url.shown
    redirect = nil
    do throws(SignetError) {
      switch head.status {
      case 200:
        try head.checkEncoding(of: object)
        length = try head.length()
        if let length, length > limit { throw tooLarge("\(length) bytes") }
        return true
      case 301, 302, 303, 307, 308:
        redirect = try head.field("location") ?? ""
        return false
      case 403, 404, 410:
        absence = head.status
        // The page about it is read, so that the connection remains usable, unless it is long.
        return try head.length().map { $0 <= Self.longestPage } ?? false
      default: throw SignetError(.fetchStatus, object, "was answered with an error", found: "\(head.status)")
      }
    } catch {
      throw .final(error)
    }
  }

  func take(_ bytes: [UInt8]) throws(FetchFailure) -> Bool {
    guard absence == nil else {
      // It may be longer than announced, if it comes in chunks.
      pageBytes += bytes.count
      return pageBytes <= Self.longestPage
    }
    guard bytes.count <= limit - taken else { throw .final(tooLarge("more")) }
    if let length, bytes.count > length - taken {
      throw .final(
        SignetError(.fetchLength, object, "is longer than announced", expected: "\(length) bytes", found: "more"))
    }
    taken += bytes.count
    pending += bytes
    return true
  }

  /// Hands on what was received since the last time.
  func handOn(_ take: ([UInt8]) throws(SignetError) -> Void) throws(FetchFailure) {
    guard !pending.isEmpty else { return }
    do throws(SignetError) { try take(pending) } catch { throw .final(error) }
    pending = []
  }

  func finish() throws(FetchFailure) {
    guard absence == nil, let length, taken != length else { return }
    throw .transient(
      SignetError(
        .fetchLength, object, "is shorter than announced", expected: "\(length) bytes", found: "\(taken) bytes"))
  }

  private func tooLarge(_ found: String) -> SignetError {
    SignetError(
      .fetchTooLarge, object, "is larger than it may be", expected: "at most \(limit) bytes", found: found)
  }
}
