internal import SignetAddresses
public import SignetBase
public import SignetHTTP
internal import SignetNames
public import SignetTUF

/// A place of a repository of The Update Framework on an HTTP server.
public struct HTTPSource: RepositorySource {
  /// The URL of the place.
  public let name: String
  private let client: HTTPClient

  /// Names a place, and requests nothing yet.
  ///
  /// - Parameters:
  ///   - url: the URL below which the files are: http or https, with or without a slash at its end, without a query.
  ///   - client: what sends the requests.
  /// - Throws: `fetch.url`.
  public init(_ url: String, client: HTTPClient = HTTPClient()) throws(SignetError) {
    let plain = try DownloadURL(url)
    guard plain.text.isExactly(url), !url.utf8.contains(UInt8(ascii: "?")) else {
      throw SignetError(
        .fetchURL, plain.shown, "has a query or a fragment, so no path can follow it",
        expected: "a URL such as https://example.com/metadata/", hint: "correct the address")
    }
    name = url.utf8.last == UInt8(ascii: "/") ? url : url + "/"
    self.client = client
  }

  /// Gives the bytes of a file below the URL.
  ///
  /// - Throws: `tuf.not-found` for the status 403, 404 or 410; `tuf.too-long`; `tuf.too-slow` if the server stalls or
  ///   the time ends; `tuf.unreachable`, whose cause says why; `fetch.unavailable` without libcurl; what `receive`
  ///   throws.
  public func read(
    _ path: String, atMost limit: Int, _ receive: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    var refusal: SignetError?
    let absence: Int?
    do throws(SignetError) {
      absence = try client.get(name + path, limit: limit) { (piece) throws(SignetError) in
        do throws(SignetError) { try receive(piece) } catch {
          refusal = error
          throw error
        }
      }
    } catch {
      throw refusal ?? Self.fault(name + path, error)
    }
    if let absence {
      throw SignetError(.tufNotFound, name + path, "is not in the repository", found: "status \(absence)")
    }
  }

  /// What a failed request means for a client.
  private static func fault(_ url: String, _ error: SignetError) -> SignetError {
    switch error.code {
    case .fetchTooLarge:
      SignetError(
        .tufTooLong, url, "is longer than stated or allowed", expected: error.expected, found: error.found,
        hint: "use another mirror, or ask the owner of the repository")
    case .fetchTimeout:
      SignetError(.tufTooSlow, url, "arrives too slowly, or not at all", cause: error, hint: "use another mirror")
    // What its cause advises is about the server's identity.
    case .fetchTLS: SignetError(.tufUnreachable, url, "cannot be fetched", cause: error)
    case .fetchConnection, .fetchStatus, .fetchRedirect, .fetchResponse, .fetchEncoding, .fetchLength:
      SignetError(
        .tufUnreachable, url, "cannot be fetched", cause: error,
        hint: "check the URL and the network, or use another mirror")
    default: error
    }
  }
}
