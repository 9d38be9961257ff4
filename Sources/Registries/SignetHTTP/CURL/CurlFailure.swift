internal import CLibCurl
internal import SignetAddresses
internal import SignetBase
internal import SignetNames

/// A failure that libcurl reports: a code and a message.
struct CurlFailure: Error, CustomStringConvertible {
  let code: CURLcode
  /// libcurl's message.
  let description: String

  /// - Parameter text: libcurl's message for this failure; if it is empty, the one for all failures of this kind is
  ///   used.
  init(_ code: CURLcode, _ text: String, _ curl: Libcurl) {
    self.code = code
    description = "libcurl: \(text.isEmpty ? curl.words(for: code) : text)"
  }

  /// What the failure means for a request.
  func fetchFailure(of request: HTTPRequest) -> FetchFailure {
    let object = request.url.shown
    switch code {
    // The answer was not wanted then, but it may be wanted again by now.
    case CURLE_ABORTED_BY_CALLBACK: return .final(.fetchCancelled(object))
    case CURLE_OPERATION_TIMEDOUT:
      return .transient(
        SignetError(
          .fetchTimeout, object, "took too long", cause: self, hint: "try again later"))
    case CURLE_PARTIAL_FILE:
      return .transient(
        SignetError(
          .fetchLength, object, "was cut off by the server", cause: self, hint: "try again"))
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_GOT_NOTHING,
      CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND:
      return .transient(
        SignetError(
          .fetchConnection, object, "cannot be reached, or the connection was lost", cause: self,
          hint: "check the network and the server"))
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_SHUTDOWN_FAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return .final(
        SignetError(
          .fetchTLS, object, "cannot be reached over TLS, or did not prove its identity",
          expected: "TLS 1.2 or later, and a certificate for that name",
          cause: self, hint: hintAboutTLS(request.url)))
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION:
      return .final(SignetError(.fetchUnavailable, object, "cannot be fetched by this libcurl", cause: self))
    default:
      return .final(SignetError(.fetchResponse, object, "sent an answer that is not valid HTTP", cause: self))
    }
  }

  /// Registries that somebody starts on his own machine often speak http.
  private func hintAboutTLS(_ url: FetchURL) -> String {
    guard code == CURLE_SSL_CONNECT_ERROR, url.isLoopback else { return "ask the server's administrator" }
    return
      "a server on this machine may speak http alone: give its address with http://, or --plain-http for an OCI registry"
  }
}
