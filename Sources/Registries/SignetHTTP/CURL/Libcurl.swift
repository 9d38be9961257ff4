internal import CLibCurl
internal import SignetAddresses
internal import SignetBase
internal import SignetNames

/// The functions of libcurl. They are found when the first URL is read to be fetched.
///
/// libcurl loads thirty other libraries into a process, which takes longer than verifying a small file, and few runs
/// need it. It is looked up where the system keeps its libraries, as the linker would do at the start, and is never
/// unloaded.
@safe struct Libcurl: @unchecked Sendable {
  // Sendable: the addresses of the functions do not change, and the memory is never freed.
  /// Each is there.
  let functions: UnsafePointer<signet_curl>

  /// The library's file names. Debian has a second one, which uses GnuTLS, with the same interface.
  #if canImport(Darwin)
    private static let names = ["libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"]
  #else
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #endif

  /// - Throws: `fetch.unavailable` if there is no libcurl, if it lacks a function, or if it cannot be set up.
  static func shared() throws(SignetError) -> Libcurl { try loaded.get() }

  private static let loaded = Result { () throws(SignetError) in try Libcurl() }

  /// Loads the library and sets it up, once in a process and before the first handle.
  private init() throws(SignetError) {
    let memory = UnsafeMutablePointer<signet_curl>.allocate(capacity: 1)
    unsafe memory.initialize(to: signet_curl())
    var failures: [String] = []
    for name in Self.names {
      guard let library = unsafe signet_curl_load(name) else {
        failures.append(unsafe signet_curl_load_failure().map { unsafe String(cString: $0) } ?? name)
        continue
      }
      if let missing = unsafe signet_curl_find(library, memory) {
        failures.append("\(name) has no function \(unsafe String(cString: missing))")
        continue
      }
      unsafe functions = UnsafePointer(memory)
      let code = unsafe signet_curl_start(functions)
      guard code == CURLE_OK else { throw unavailable(code) }
      return
    }
    unsafe memory.deallocate()
    throw SignetError(
      .fetchUnavailable, "libcurl", "is not installed, and nothing can be fetched without it",
      expected: "libcurl 7.76 or later, with TLS", found: failures.joined(separator: "; "),
      hint: "install libcurl (libcurl4 in Debian)")
  }

  /// The error for a library that does not do what is needed.
  func unavailable(_ code: CURLcode) -> SignetError {
    SignetError(
      .fetchUnavailable, "libcurl", "cannot be used", expected: "libcurl 7.76 or later with TLS",
      cause: CurlFailure(code, "", self), hint: "install a newer libcurl")
  }

  /// libcurl's own words for a code.
  func words(for code: CURLcode) -> String {
    unsafe functions.pointee.easy_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
  }
}
