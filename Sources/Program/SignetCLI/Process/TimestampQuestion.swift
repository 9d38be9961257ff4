internal import Keyless
internal import SignetBase
internal import SignetProcesses
internal import SignetSystem
internal import Timestamping

/// A request to an authority of timestamps, which the program `signet-tools` sends.
///
/// The process that has the private key opens no connection. The other one gets an address and a request, and none of the
/// variables in which secrets are passed to Signet.
package struct TimestampQuestion {
  /// The authority's URL.
  package let address: String
  /// The request in DER.
  package let request: [UInt8]

  /// The first argument of the other program.
  private static let word = "ask-timestamp-authority"
  /// The time for an answer in milliseconds, with all tries.
  private static let patience = 120_000
  /// An answer has some kilobytes.
  package static let answerLimit = 1 << 16

  package init(_ address: String, _ request: [UInt8]) { (self.address, self.request) = (address, request) }

  /// Reads the question from standard input: the address may have a secret in it, and everybody sees arguments.
  ///
  /// - Parameter arguments: the other program's arguments.
  /// - Returns: nil if they are a command line.
  package init?(_ arguments: [String]) {
    guard arguments == [Self.word], let copy = try? StandardInput.copy(), copy.size <= Self.answerLimit,
      let bytes = try? copy.bytes(in: 0..<copy.size)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count == 2, let request = try? Base64.decode(lines[1]) else { return nil }
    self.init(lines[0], request)
  }

  /// The address without what may be a secret: a name and password, and the query.
  package static func shown(_ address: String) -> String {
    let path = address.prefix { $0 != "?" }
    guard let start = path.firstRange(of: "://")?.upperBound,
      let end = path[start...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
    else { return String(path) }
    return String(path[..<start] + path[path.index(after: end)...])
  }

  /// Runs the other program.
  ///
  /// - Returns: what the authority answers.
  /// - Throws: `timestamp.unavailable`; `file.…` if the program cannot be run.
  fileprivate func ask() throws(SignetError) -> [UInt8] {
    let program = ChildProgram(
      try OtherProgram("signet-tools").path(), [Self.word],
      environment: ProcessVariables.all.filter { !$0.name.hasPrefix("SIGNET_") }.map { "\($0.name)=\($0.value)" },
      input: .bytes(Array("\(address)\n\(Base64.encode(request))\n".utf8)), patience: Self.patience)
    let result = try program.run(keeping: 2 * Self.answerLimit)
    let line = result.output.prefix { $0 != UInt8(ascii: "\n") }
    if result.status == 0, let answer = try? Base64.decode(String(decoding: Array(line), as: UTF8.self)) {
      return answer
    }
    let words = result.lastWords.split(separator: "\n").first.map { String($0).visible }
    throw SignetError(
      .timestampUnavailable, Self.shown(address), "has given no answer",
      expected: "an answer in HTTP (RFC 3161, section 3.4)",
      found: result.wasTooSlow ? "none in two minutes" : words ?? "status \(result.status)")
  }
}

/// The authorities of timestamps on the network.
struct NetworkTimestamps: TimestampService {
  func shown(_ address: String) -> String { TimestampQuestion.shown(address) }

  func answer(to request: [UInt8], at address: String) throws(SignetError) -> [UInt8] {
    try TimestampQuestion(address, request).ask()
  }
}
