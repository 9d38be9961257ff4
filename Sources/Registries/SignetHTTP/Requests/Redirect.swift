internal import SignetAddresses
package import SignetBase
internal import SignetNames

/// Where servers may lead a client, by redirects, links and whatever else in an answer is an address.
extension FetchURL {
  /// Scheme, host and port (RFC 6454, section 4); nil if the address is odd.
  package var origin: String? { (try? DownloadURL(text))?.origin }

  /// The server's name or address in lower case, without its port.
  package var host: String {
    let place = authority
    // An address of IPv6 has colons of its own.
    guard place.utf8.first != UInt8(ascii: "[") else {
      return place.prefix { $0 != "]" } + "]"
    }
    return String(place.prefix { $0 != ":" })
  }

  /// Whether the server is this machine by its name.
  package var isLoopback: Bool { Loopback.contains(host: authority) }

  /// The host and the port.
  private var authority: String {
    let rest = text.drop { $0 != ":" }.dropFirst(3)
    return String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }).lowercased()
  }

  /// Whether the server may lead to an address: https not to http, and a server of a network not to this machine, where
  /// services trust every client. ``HTTPConnections`` holds the second also against names that do not say so.
  package func mayLead(to next: FetchURL) -> Bool {
    (next.isSecure || !isSecure) && (!next.isLoopback || isLoopback)
  }

  /// The address that an answer names, for the next request.
  ///
  /// - Throws: `fetch.redirect` if the server may not lead there.
  package func following(_ location: String) throws(SignetError) -> FetchURL {
    var next: FetchURL
    do throws(SignetError) { next = try resolving(location) } catch {
      throw SignetError(
        .fetchRedirect, shown, "leads to an address that is not allowed", expected: "http or https", cause: error,
        hint: "ask the server's administrator")
    }
    guard mayLead(to: next) else {
      throw SignetError(
        .fetchRedirect, shown, "leads to an address that is not allowed",
        expected: next.isSecure || !isSecure ? "a server of a network" : "https", found: next.shown,
        hint: "ask the server's administrator")
    }
    next.leader = (leader ?? Leader(self)).leading(to: next)
    return next
  }

  /// The server that was named first on the way to an address. What it leads to is asked as ``HTTPConnections`` says.
  package struct Leader: Hashable, Sendable {
    /// The server's name.
    let host: String
    /// Whether it was named as one of this machine.
    let isLoopback: Bool

    init(_ url: FetchURL) { (host, isLoopback) = (url.host, url.isLoopback) }

    /// A server of this machine may lead to a network. From then on the network's server is the leader, which may not lead
    /// back to this machine.
    func leading(to next: FetchURL) -> Leader { isLoopback && !next.isLoopback ? Leader(next) : self }
  }
}
