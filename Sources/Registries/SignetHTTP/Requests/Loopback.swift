internal import SignetBase

/// The addresses of this machine that no network has.
package enum Loopback {
  /// Whether a server, possibly with a port, is on this machine: `localhost`, `127.…` or `[::1]`.
  package static func contains(host: String) -> Bool {
    let name: Substring
    if host.utf8.first == UInt8(ascii: "[") {
      return host.utf8.starts(with: "[::1]".utf8)
    } else {
      name = host.prefix { $0 != ":" }
    }
    if name.lowercased().isExactly("localhost") { return true }
    let numbers = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0].elementsEqual("127".utf8)
      && numbers.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
  }
}
