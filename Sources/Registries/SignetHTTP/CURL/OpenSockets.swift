internal import CLibCurl
internal import SignetBase

/// Which addresses a connection may be made to.
enum HTTPReach: Sendable {
  /// All.
  case anywhere
  /// Those of a network: none that only this machine, or only what is on the same wire, can be reached by.
  case network
  /// All, until the server of that name has answered from a network; then those of a network.
  case named(String, ServerNames)
}

/// The sockets that libcurl has open; its callbacks are called with them.
///
/// Each connection is made here, whatever name led to its address. One that is kept was made to an address that was
/// allowed, so it needs no second look.
final class OpenSockets {
  private let reach: HTTPReach
  /// The number of bytes that had come over each socket when the transfer began.
  private var before: [curl_socket_t: Int64] = [:]
  /// The last address that was refused since the transfer began.
  private(set) var refused: NetworkAddress?

  init(_ reach: HTTPReach) { self.reach = reach }

  static func at(_ place: UnsafeMutableRawPointer?) -> OpenSockets? {
    unsafe place.map { unsafe Unmanaged<OpenSockets>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A transfer begins.
  func begin() {
    refused = nil
    for socket in before.keys { before[socket] = signet_curl_received(socket) }
  }

  /// The number of bytes that have come since the transfer began, whatever they were; 0 where the system does not say it.
  var received: Int {
    before.reduce(0) { sum, entry in
      let now = signet_curl_received(entry.key)
      return now < 0 || entry.value < 0 ? sum : sum + Int(now - entry.value)
    }
  }

  /// An answer has come from an address.
  func note(answerFrom address: NetworkAddress?) {
    guard case .named(let host, let names) = reach, let address else { return }
    names.note(answerOf: host, from: address)
  }

  /// Whether a connection may be made to an address; nil stands for one of an unknown kind.
  func allows(_ address: NetworkAddress?) -> Bool {
    let isBound =
      switch reach {
      case .anywhere: false
      case .network: true
      case .named(let host, let names): names.isOfNetwork(host)
      }
    return !isBound || address.map { !$0.isLocal } ?? false
  }

  /// Opens a socket for an address, if that may be reached.
  func open(_ place: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe bytes.withUnsafeMutableBufferPointer { unsafe signet_curl_address(place, $0.baseAddress) }
    let address = NetworkAddress(Array(bytes.prefix(Int(count))))
    guard allows(address) else {
      refused = address
      return CURL_SOCKET_BAD
    }
    let socket = unsafe signet_curl_open(place)
    if socket != CURL_SOCKET_BAD { before[socket] = 0 }
    return socket
  }

  func close(_ socket: curl_socket_t) -> Int32 {
    before[socket] = nil
    return signet_curl_close(socket)
  }
}
