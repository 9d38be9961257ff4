internal import CLibCurl
internal import SignetAddresses
internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// One request.
package struct HTTPRequest {
  /// What is asked of the server (RFC 9110, section 9; RFC 5789 for PATCH).
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  package let url: FetchURL
  package var method = Method.get
  /// The first byte that is wanted, and the tag that the file must have; nil for all bytes.
  package var rest: (first: Int, tag: String)?
  /// More fields of the head, each as its line: `Name: value`.
  package var fields: [String] = []
  /// The bytes that are sent; nil for a request without a body.
  package var upload: (any HTTPUpload)?
  /// The number of milliseconds that are left for the request.
  package let milliseconds: Int

  package init(url: FetchURL, rest: (first: Int, tag: String)?, milliseconds: Int) {
    self.url = url
    self.rest = rest
    self.milliseconds = milliseconds
  }
}

/// Sends requests to servers with libcurl, one after the other. One thread at a time uses it.
///
/// Everything that libcurl would do by itself is turned off: other protocols, redirects, cookies, passwords, .netrc,
/// proxies from the environment, decoding, signals. Paths are sent as their URLs have them.
@safe package final class HTTPConnection {
  private let curl: Libcurl
  private let handle: UnsafeMutableRawPointer
  /// What runs the handle's transfers, and keeps connections between them.
  private let transfers: UnsafeMutableRawPointer
  private let headerLimit: Int
  private let sockets: OpenSockets

  /// - Parameter reach: which addresses are connected to.
  /// - Throws: `fetch.unavailable`; `file.…` if the file of authorities cannot be read.
  init(_ settings: HTTPSettings, _ reach: HTTPReach) throws(SignetError) {
    curl = try Libcurl.shared()
    guard let made = unsafe curl.functions.pointee.easy_init() else { throw curl.unavailable(CURLE_FAILED_INIT) }
    guard let transfers = unsafe curl.functions.pointee.multi_init() else {
      unsafe curl.functions.pointee.easy_cleanup(made)
      throw curl.unavailable(CURLE_FAILED_INIT)
    }
    unsafe handle = made
    unsafe self.transfers = transfers
    headerLimit = settings.headerBytes
    sockets = OpenSockets(reach)
    // If this throws, the deinitializer frees the handle.
    try setUp(settings)
  }

  deinit {
    unsafe curl.functions.pointee.easy_cleanup(handle)
    _ = unsafe curl.functions.pointee.multi_cleanup(transfers)
  }

  private func setUp(_ settings: HTTPSettings) throws(SignetError) {
    try checkSet(unsafe signet_curl_set_protocols(curl.functions, handle))
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_PATH_AS_IS, 1)
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    // An empty text turns off the proxy that the environment names.
    try set(CURLOPT_PROXY, settings.proxy ?? "")
    try set(CURLOPT_NOPROXY, "")
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // A version that every server has, with one request after the other: a file needs nothing of HTTP/2.
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_HTTP09_ALLOWED, 0)
    try set(CURLOPT_FORBID_REUSE, settings.reusesConnections ? 0 : 1)
    try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    try set(CURLOPT_USERAGENT, "signet")
    try set(CURLOPT_CONNECTTIMEOUT, settings.connectSeconds)
    try set(CURLOPT_LOW_SPEED_TIME, settings.stalledSeconds)
    try set(CURLOPT_LOW_SPEED_LIMIT, settings.leastSpeed)
    try set(CURLOPT_BUFFERSIZE, settings.bufferBytes)
    try connect(sockets)
    // libcurl takes at least 16 KiB and at most 2 MiB for this one.
    try set(CURLOPT_UPLOAD_BUFFERSIZE, settings.bufferBytes)
    guard let authorities = settings.authorities else { return }
    // Other users must not be able to choose the authorities. Those of the system, both file and folder, no longer
    // count.
    _ = try TrustedPath.open(authorities, isSecret: false)
    try set(CURLOPT_CAINFO, authorities)
    try checkSet(unsafe signet_curl_set_text(curl.functions, handle, CURLOPT_CAPATH, nil))
  }

  /// Sends a request and passes the answer on.
  ///
  /// - Parameter pause: is called again and again, each time after the receiver has received something.
  /// - Throws: what the receiver and `pause` throw, and the failure that came before it.
  package func perform(
    _ request: HTTPRequest, _ receiver: some HTTPReceiver, pause: () throws(FetchFailure) -> Void = {}
  ) throws(FetchFailure) {
    let exchange = HTTPExchange(request, receiver, headerLimit: headerLimit)
    var fields: UnsafeMutablePointer<curl_slist>?
    defer { unsafe curl.functions.pointee.slist_free_all(fields) }
    // Without the last line, libcurl would wait up to a second for the permission to send a body.
    let own = ["Accept-Encoding: identity", request.rest.map { "If-Range: \($0.tag)" }, "Expect:"].compactMap(\.self)
    for line in own + request.fields {
      guard !line.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
        throw .final(SignetError(.fetchURL, request.url.shown, "cannot be requested with a field of several lines"))
      }
      guard let longer = unsafe curl.functions.pointee.slist_append(fields, line) else {
        throw .final(curl.unavailable(CURLE_OUT_OF_MEMORY))
      }
      unsafe fields = longer
    }
    var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    var interruption: FetchFailure?
    let status = unsafe message.withUnsafeMutableBufferPointer { (text) -> Result<CURLcode, SignetError> in
      Result { () throws(SignetError) in
        defer { unsafe signet_curl_set_object(curl.functions, handle, CURLOPT_ERRORBUFFER, nil) }
        try checkSet(unsafe signet_curl_set_object(curl.functions, handle, CURLOPT_ERRORBUFFER, text.baseAddress))
        try set(CURLOPT_URL, request.url.text)
        try set(CURLOPT_RANGE, request.rest.map { "\($0.first)-" })
        try setMethod(of: request)
        try set(CURLOPT_TIMEOUT_MS, max(1, request.milliseconds))
        try checkSet(unsafe signet_curl_set_fields(curl.functions, handle, fields))
        // The lines that libcurl refers to are freed afterwards.
        defer { unsafe signet_curl_set_fields(curl.functions, handle, nil) }
        try connect(exchange)
        do throws(FetchFailure) {
          return try transfer(exchange, pause)
        } catch {
          interruption = error
          return CURLE_ABORTED_BY_CALLBACK
        }
      }
    }
    if let interruption { throw interruption }
    sockets.note(answerFrom: exchange.hasHead ? peer : nil)
    let text = String(
      decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    switch status {
    case .success(let code): try finish(code, text, exchange)
    case .failure(let error): throw .final(error)
    }
  }

  /// Sets the method and the body.
  private func setMethod(of request: HTTPRequest) throws(SignetError) {
    // This one undoes what other methods have set.
    try set(CURLOPT_HTTPGET, 1)
    try set(CURLOPT_CUSTOMREQUEST, nil)
    switch (request.method, request.upload) {
    case (.get, nil): break
    case (.head, _): try set(CURLOPT_NOBODY, 1)
    case (let method, let upload):
      if let upload {
        try set(CURLOPT_UPLOAD, 1)
        try set(CURLOPT_INFILESIZE_LARGE, upload.size)
      }
      try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
    }
  }

  /// The number of milliseconds after which a transfer is looked at, even if nothing has happened.
  private static let patience: Int32 = 1000

  /// Runs a transfer to its end.
  private func transfer(
    _ exchange: HTTPExchange, _ pause: () throws(FetchFailure) -> Void
  ) throws(FetchFailure) -> CURLcode {
    let functions = unsafe curl.functions.pointee
    sockets.begin()
    guard unsafe functions.multi_add_handle(transfers, handle) == CURLM_OK else { return CURLE_FAILED_INIT }
    defer { _ = unsafe functions.multi_remove_handle(transfers, handle) }
    var running: Int32 = 0
    repeat {
      let code = withExtendedLifetime(exchange) { unsafe functions.multi_perform(transfers, &running) }
      guard code == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
      try pause()
      guard running > 0 else { break }
      try exchange.check(received: sockets.received)
    } while unsafe functions.multi_poll(transfers, nil, 0, Self.patience, nil) == CURLM_OK
    return running > 0 ? CURLE_FAILED_INIT : unsafe signet_curl_result(curl.functions, transfers)
  }

  /// Passes the exchange to the functions that libcurl calls.
  private func connect(_ exchange: HTTPExchange) throws(SignetError) {
    let place = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    try checkSet(unsafe signet_curl_set_object(curl.functions, handle, CURLOPT_HEADERDATA, place))
    try checkSet(unsafe signet_curl_set_object(curl.functions, handle, CURLOPT_WRITEDATA, place))
    try checkSet(unsafe signet_curl_set_object(curl.functions, handle, CURLOPT_XFERINFODATA, place))
    try checkSet(unsafe signet_curl_set_object(curl.functions, handle, CURLOPT_READDATA, place))
    try checkSet(
      unsafe signet_curl_set_receiver(curl.functions, handle, CURLOPT_READFUNCTION) { bytes, size, count, place in
        unsafe HTTPExchange.at(place)?.give(body: bytes, size * count) ?? Int(CURL_READFUNC_ABORT)
      })
    try checkSet(unsafe signet_curl_set_object(curl.functions, handle, CURLOPT_SEEKDATA, place))
    try checkSet(
      unsafe signet_curl_set_seek(curl.functions, handle) { place, offset, origin in
        // It happens when a connection that was kept has ended, so the request goes over a new one.
        guard offset == 0, origin == SEEK_SET, let exchange = unsafe HTTPExchange.at(place) else {
          return CURL_SEEKFUNC_CANTSEEK
        }
        exchange.rewind()
        return CURL_SEEKFUNC_OK
      })
    try checkSet(
      unsafe signet_curl_set_receiver(curl.functions, handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, place in
        unsafe HTTPExchange.at(place)?.take(header: bytes, size * count) == true ? size * count : 0
      })
    try checkSet(
      unsafe signet_curl_set_receiver(curl.functions, handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, place in
        // Zero would mean that there was nothing to take.
        unsafe HTTPExchange.at(place)?.take(body: bytes, size * count) == true ? size * count : size * count &+ 1
      })
    try checkSet(
      unsafe signet_curl_set_progress(curl.functions, handle) { place, _, _, _, _ in
        unsafe HTTPExchange.at(place)?.isWanted == true ? 0 : 1
      })
    try set(CURLOPT_NOPROGRESS, 0)
  }

  /// Passes the sockets to the functions by which libcurl opens and closes them. Connections may outlast a transfer, so
  /// the sockets do, too.
  private func connect(_ sockets: OpenSockets) throws(SignetError) {
    let place = unsafe Unmanaged.passUnretained(sockets).toOpaque()
    try checkSet(
      unsafe signet_curl_set_sockets(curl.functions, handle, place) { place, _, address in
        guard let sockets = unsafe OpenSockets.at(place), let address = unsafe address else { return CURL_SOCKET_BAD }
        return unsafe sockets.open(address)
      } _: { place, socket in
        unsafe OpenSockets.at(place)?.close(socket) ?? 0
      })
  }

  /// The address with which the last transfer was; nil if it is not known.
  private var peer: NetworkAddress? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe signet_curl_peer(curl.functions, handle, $0.baseAddress)
    }
    return NetworkAddress(Array(bytes.prefix(Int(count))))
  }

  private func finish(_ code: CURLcode, _ text: String, _ exchange: HTTPExchange) throws(FetchFailure) {
    if var failure = exchange.failure {
      var seconds: curl_off_t = 0
      if unsafe signet_curl_get_size(curl.functions, handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK, seconds > 0
      {
        failure.retryAfter = Int(seconds)
      }
      throw failure
    }
    if exchange.isOver { return }
    if code == CURLE_COULDNT_CONNECT, let address = sockets.refused {
      throw .final(
        SignetError(
          .fetchRedirect, exchange.request.url.shown, "leads to an address that is not allowed",
          expected: "a server of a network", found: "\(address), which is on this machine or its link",
          hint: "ask the server's administrator; if the server is on this machine, name it by localhost"))
    }
    guard code == CURLE_OK else {
      throw CurlFailure(code, text, curl).fetchFailure(of: exchange.request)
    }
    guard exchange.hasHead else {
      // libcurl accepts an end in the middle of the head.
      throw .transient(
        SignetError(.fetchConnection, exchange.request.url.shown, "was cut off within its header"))
    }
  }

  private func set(_ option: CURLoption, _ value: Int) throws(SignetError) {
    try checkSet(unsafe signet_curl_set_number(curl.functions, handle, option, value))
  }

  private func set(_ option: CURLoption, _ value: String?) throws(SignetError) {
    try checkSet(unsafe signet_curl_set_text(curl.functions, handle, option, value))
  }

  /// Checks that an option was accepted: nothing is fetched without the requested options. A library that is older than
  /// its header may not know one.
  private func checkSet(_ code: CURLcode) throws(SignetError) {
    guard code == CURLE_OK else { throw curl.unavailable(code) }
  }
}
