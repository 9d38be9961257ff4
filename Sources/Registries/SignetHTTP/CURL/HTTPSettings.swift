/// How servers are talked to.
package struct HTTPSettings: Sendable {
  /// The maximum size of an answer's header in bytes.
  package let headerBytes: Int
  /// The maximum time until there is a connection, including TLS, in seconds; with 0 it is libcurl's default, 300.
  package let connectSeconds: Int
  /// The maximum time for which a transfer may be slower than ``leastSpeed``, in seconds; 0 means no limit.
  package let stalledSeconds: Int
  /// The speed, in bytes per second, below which a transfer counts as stalled.
  package let leastSpeed: Int
  /// A PEM file with the certificates of the authorities that identify servers; nil for the system's authorities.
  package let authorities: String?
  /// The URL of a proxy; nil for none.
  package let proxy: String?
  /// Whether the next request may use the connection of the one before it.
  package let reusesConnections: Bool
  /// How many bytes are received or sent at once.
  package let bufferBytes: Int

  package init(
    headerBytes: Int, connectSeconds: Int, stalledSeconds: Int, leastSpeed: Int, authorities: String?,
    proxy: String?, reusesConnections: Bool, bufferBytes: Int = 64 << 10
  ) {
    self.bufferBytes = bufferBytes
    self.headerBytes = headerBytes
    self.connectSeconds = connectSeconds
    self.stalledSeconds = stalledSeconds
    self.leastSpeed = leastSpeed
    self.authorities = authorities
    self.proxy = proxy
    self.reusesConnections = reusesConnections
  }
}
