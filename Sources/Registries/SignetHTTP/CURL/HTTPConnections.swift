package import SignetBase

/// The connections of a client: to the server that it was told to ask, and to those that this one leads it to.
///
/// A server of a network leads nobody to services of this machine or its link, whatever name it gives them. So what it
/// leads to is asked over a connection that reaches networks alone. Connections are kept, and each was made to an
/// address that was allowed. One thread at a time uses them.
package final class HTTPConnections {
  private let settings: HTTPSettings
  private let names: ServerNames
  /// The connection to servers that were named as those of this machine.
  private var here: HTTPConnection?
  /// The connection to the server that was named last, at any of its ports.
  private var home: (host: String, connection: HTTPConnection)?
  private var away: HTTPConnection?

  /// Makes no connection yet.
  ///
  /// - Parameter names: where names have led, for this client and others.
  package init(_ settings: HTTPSettings, _ names: ServerNames) { (self.settings, self.names) = (settings, names) }

  /// The connection for a request.
  ///
  /// - Parameters:
  ///   - url: the address that is asked.
  ///   - base: the address that the client was told to ask, if no server has led to `url`. A server that was named as one
  ///     of this machine may lead to others there.
  /// - Throws: `fetch.unavailable`; `file.…` if the file of authorities cannot be read.
  package func connection(for url: FetchURL, from base: FetchURL) throws(SignetError) -> HTTPConnection {
    let leader = url.leader ?? FetchURL.Leader(base)
    let host = url.host
    if leader.isLoopback, url.isLoopback {
      if let here { return here }
      let made = try connection(.anywhere)
      here = made
      return made
    }
    if leader.isLoopback || leader.host.isExactly(host) {
      if let home, home.host.isExactly(host) { return home.connection }
      let made = try connection(.named(host, names))
      home = (host, made)
      return made
    }
    if let away { return away }
    let made = try connection(.network)
    away = made
    return made
  }

  /// A proxy decides by itself what it connects to.
  private func connection(_ reach: HTTPReach) throws(SignetError) -> HTTPConnection {
    try HTTPConnection(settings, settings.proxy == nil ? reach : .anywhere)
  }
}
