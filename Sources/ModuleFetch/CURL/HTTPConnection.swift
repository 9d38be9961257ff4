internal import CLibCurl
internal import ModuleStore
internal import SignetBase
internal import SignetSystem

/// One request.
struct HTTPRequest: Sendable {
  let url: FetchURL
  /// The first byte that is wanted, and the tag that the file must have; nil for all bytes.
  var rest: (first: Int, tag: String)?
  /// The number of milliseconds that are left for the request.
  let milliseconds: Int
}

/// Sends requests to servers with libcurl, one after the other. One thread at a time uses it.
///
/// Everything that libcurl would do by itself is turned off: other protocols, redirects, cookies, passwords, .netrc,
/// proxies from the environment, decoding, signals.
@safe final class HTTPConnection {
  private let handle: UnsafeMutableRawPointer
  private let limits: ArchiveFetcher.Limits

  /// The result of libcurl's setup, once in a process and before the first handle.
  private static let startFailure: CURLcode = signet_curl_start()

  /// - Throws: `fetch.unavailable`; `file.…` if the file of authorities cannot be read.
  init(_ fetcher: ArchiveFetcher) throws(SignetError) {
    guard Self.startFailure == CURLE_OK, let made = unsafe curl_easy_init() else {
      throw Self.unavailable(Self.startFailure)
    }
    unsafe handle = made
    limits = fetcher.limits
    // If this throws, the deinitializer frees the handle.
    try setUp(fetcher)
  }

  deinit { unsafe curl_easy_cleanup(handle) }

  private func setUp(_ fetcher: ArchiveFetcher) throws(SignetError) {
    try checkSet(unsafe signet_curl_set_protocols(handle))
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    // An empty text turns off the proxy that the environment names.
    try set(CURLOPT_PROXY, fetcher.proxy ?? "")
    try set(CURLOPT_NOPROXY, "")
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // A version that every server has, with one request after the other: a file needs nothing of HTTP/2.
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_HTTP09_ALLOWED, 0)
    // What a server sends after an answer must not count as the next answer.
    try set(CURLOPT_FORBID_REUSE, 1)
    try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    try set(CURLOPT_USERAGENT, "signet")
    try set(CURLOPT_CONNECTTIMEOUT, limits.connectSeconds)
    try set(CURLOPT_LOW_SPEED_TIME, limits.stalledSeconds)
    try set(CURLOPT_LOW_SPEED_LIMIT, limits.leastSpeed)
    try set(CURLOPT_BUFFERSIZE, 64 << 10)
    guard let authorities = fetcher.authorities else { return }
    // Other users must not be able to choose the authorities. Those of the system, both file and folder, no longer
    // count.
    _ = try TrustedPath.open(authorities, isSecret: false)
    try set(CURLOPT_CAINFO, authorities)
    try checkSet(unsafe signet_curl_set_text(handle, CURLOPT_CAPATH, nil))
  }

  /// Sends a request and passes the answer on.
  ///
  /// - Throws: what the receiver throws, and the failure that came before it.
  func perform(_ request: HTTPRequest, _ receiver: some HTTPReceiver) throws(FetchFailure) {
    let exchange = HTTPExchange(request, receiver, headerLimit: limits.headerBytes)
    var fields: UnsafeMutablePointer<curl_slist>?
    defer { unsafe curl_slist_free_all(fields) }
    for line in ["Accept-Encoding: identity", request.rest.map { "If-Range: \($0.tag)" }] {
      guard let line else { continue }
      guard let longer = unsafe curl_slist_append(fields, line) else {
        throw .final(Self.unavailable(CURLE_OUT_OF_MEMORY))
      }
      unsafe fields = longer
    }
    var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let status = unsafe message.withUnsafeMutableBufferPointer { (text) -> Result<CURLcode, SignetError> in
      Result { () throws(SignetError) in
        defer { unsafe signet_curl_set_object(handle, CURLOPT_ERRORBUFFER, nil) }
        try checkSet(unsafe signet_curl_set_object(handle, CURLOPT_ERRORBUFFER, text.baseAddress))
        try set(CURLOPT_URL, request.url.text)
        try set(CURLOPT_RANGE, request.rest.map { "\($0.first)-" })
        try set(CURLOPT_TIMEOUT_MS, max(1, request.milliseconds))
        try checkSet(unsafe signet_curl_set_fields(handle, fields))
        // The lines that libcurl refers to are freed afterwards.
        defer { unsafe signet_curl_set_fields(handle, nil) }
        try connect(exchange)
        return withExtendedLifetime(exchange) { unsafe curl_easy_perform(handle) }
      }
    }
    let text = String(
      decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    switch status {
    case .success(let code): try finish(code, text, exchange)
    case .failure(let error): throw .final(error)
    }
  }

  /// Passes the exchange to the functions that libcurl calls.
  private func connect(_ exchange: HTTPExchange) throws(SignetError) {
    let place = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    try checkSet(unsafe signet_curl_set_object(handle, CURLOPT_HEADERDATA, place))
    try checkSet(unsafe signet_curl_set_object(handle, CURLOPT_WRITEDATA, place))
    try checkSet(unsafe signet_curl_set_object(handle, CURLOPT_XFERINFODATA, place))
    try checkSet(
      unsafe signet_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, place in
        unsafe HTTPExchange.at(place)?.take(header: bytes, size * count) == true ? size * count : 0
      })
    try checkSet(
      unsafe signet_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, place in
        // Zero would mean that there was nothing to take.
        unsafe HTTPExchange.at(place)?.take(body: bytes, size * count) == true ? size * count : size * count &+ 1
      })
    try checkSet(
      unsafe signet_curl_set_progress(handle) { place, _, _, _, _ in
        unsafe HTTPExchange.at(place)?.isWanted == true ? 0 : 1
      })
    try set(CURLOPT_NOPROGRESS, 0)
  }

  private func finish(_ code: CURLcode, _ text: String, _ exchange: HTTPExchange) throws(FetchFailure) {
    if var failure = exchange.failure {
      var seconds: curl_off_t = 0
      if unsafe signet_curl_get_size(handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK, seconds > 0 {
        failure.retryAfter = Int(seconds)
      }
      throw failure
    }
    if exchange.isOver { return }
    guard code == CURLE_OK else {
      throw CurlFailure(code: code, text: text).fetchFailure(of: exchange.request)
    }
    guard exchange.hasHead else {
      // libcurl accepts an end in the middle of the head.
      throw .transient(
        SignetError(.fetchConnection, exchange.request.url.shown, "was cut off within its header"))
    }
  }

  private func set(_ option: CURLoption, _ value: Int) throws(SignetError) {
    try checkSet(unsafe signet_curl_set_number(handle, option, value))
  }

  private func set(_ option: CURLoption, _ value: String?) throws(SignetError) {
    try checkSet(unsafe signet_curl_set_text(handle, option, value))
  }

  /// Checks that an option was accepted: nothing is fetched without the requested options. A library that is older than
  /// its header may not know one.
  private func checkSet(_ code: CURLcode) throws(SignetError) {
    guard code == CURLE_OK else { throw Self.unavailable(code) }
  }

  private static func unavailable(_ code: CURLcode) -> SignetError {
    SignetError(
      .fetchUnavailable, "libcurl", "cannot be used", expected: "libcurl 7.76 or later with TLS",
      cause: CurlFailure(code: code, text: ""))
  }
}
