internal import ModuleStore
internal import SignetAddresses
internal import SignetBase
internal import SignetHTTP
internal import SignetNames

extension ResponseHead {
  /// A strong entity tag (RFC 9110, section 8.8.3), in printable ASCII and not too long; nil for any other.
  var strongTag: String? { (try? field("etag")).flatMap { DownloadNote.Source.isStrongTag($0) ? $0 : nil } }
}

extension DownloadNote.Source {
  /// Reads which file the bytes after a head belong to; nil if a later request could not continue it.
  init?(_ head: ResponseHead, length: Int?) {
    guard let tag = head.strongTag, let length else { return nil }
    self.init(tag: tag, modified: Self.modified(head), length: length)
  }

  /// Whether a head is about the same file, as far as it says.
  func isSame(_ head: ResponseHead) throws(SignetError) -> Bool {
    guard try head.field("etag").map({ $0.isExactly(tag) }) ?? true else { return false }
    guard let modified, let other = Self.modified(head) else { return true }
    return other.isExactly(modified)
  }

  /// A server's time in printable ASCII; that of RFC 9110, section 5.6.7, has 29 characters.
  private static func modified(_ head: ResponseHead) -> String? {
    let text = try? head.field("last-modified")
    return text.flatMap { $0.utf8.count <= 64 && $0.utf8.allSatisfy { (0x20...0x7e).contains($0) } ? $0 : nil }
  }
}

extension FetchFailure {
  /// Whether the bytes that are there remain valid: the failure is not about them, or nothing waits for more.
  var keepsBytes: Bool { isTransient || Self.harmless.contains(error.code) }
  private static let harmless: [SignetError.Code] = [
    .fetchCancelled, .fetchTimeout, .fetchTLS, .fetchUnavailable, .fetchStatus, .fetchRedirect,
  ]
}
