import SignetAddresses
import SignetBase
import SignetNames
import TUFFetch
import TestSupport
import Testing

@testable import HTTPTestSupport

/// A place of a repository on a server that says what a test makes it say.
@Suite struct HTTPSourceTests {
  /// What a read of a file gives: its bytes, or what was thrown.
  private func read(
    _ path: String = "1.root.json", atMost limit: Int = 100, _ steps: @escaping @Sendable () -> [RawServer.Step]
  ) throws -> (result: Result<[UInt8], SignetError>, line: String) {
    let server = try RawServer { _ in steps() }
    defer { server.stop() }
    let source = try HTTPSource(server.url("/metadata"))
    var bytes: [UInt8] = []
    let result: Result<[UInt8], SignetError>
    do throws(SignetError) {
      try source.read(path, atMost: limit) { (piece) throws(SignetError) in bytes += piece }
      result = .success(bytes)
    } catch { result = .failure(error) }
    return (result, server.requests.first?.line ?? "")
  }

  private func code(_ result: Result<[UInt8], SignetError>) -> SignetError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  @Test("A file is asked for below the place, and its bytes are given")
  func file() throws {
    let (result, line) = try read("a/2.b.json") { [.file(3), .send([7, 8, 9])] }
    #expect(try result.get() == [7, 8, 9])
    #expect(line == "GET /metadata/a/2.b.json HTTP/1.1")
  }

  @Test("What a server says is not there is not in the repository", arguments: [403, 404, 410])
  func absent(_ status: Int) throws {
    let (result, _) = try read { [.head("\(status) No", ["Content-Length: 0"])] }
    #expect(code(result) == .tufNotFound)
    guard case .failure(let error) = result else { return }
    #expect(error.found == "status \(status)")
  }

  @Test("A server that cannot serve is no server without the file", arguments: ["500 No", "429 Later", "301 Moved"])
  func unreachable(_ status: String) throws {
    let (result, _) = try read { [.head(status, ["Content-Length: 0"])] }
    #expect(code(result) == .tufUnreachable)
  }

  @Test("More bytes than the limit are refused, announced or not")
  func tooLong() throws {
    #expect(code(try read(atMost: 4) { [.file(5), .send([1, 2, 3, 4, 5])] }.result) == .tufTooLong)
    #expect(code(try read(atMost: 4) { [.head("200 OK"), .sendForever([1, 2, 3, 4, 5])] }.result) == .tufTooLong)
    #expect(try read(atMost: 5) { [.file(5), .send([1, 2, 3, 4, 5])] }.result.get() == [1, 2, 3, 4, 5])
  }

  @Test("An answer that ends before its length is not the file")
  func cut() throws {
    #expect(code(try read { [.file(5), .send([1, 2])] }.result) == .tufUnreachable)
  }

  @Test("What the receiver throws is thrown as it is")
  func receiver() throws {
    let server = try RawServer { _ in [.file(1), .send([1])] }
    defer { server.stop() }
    let source = try HTTPSource(server.url("/metadata/"))
    #expect(source.name == server.url("/metadata/"))
    expectError(.jsonSyntax) {
      try source.read("timestamp.json", atMost: 9) { (_) throws(SignetError) in
        throw SignetError(.jsonSyntax, "the file", "is not JSON")
      }
    }
  }

  @Test(
    "A place is a plain URL of http or https",
    arguments: ["ftp://a/b", "https://a/b?c=d", "https://a/b#c", "a/b", "", "https://a/b?"])
  func place(_ url: String) { expectError(.fetchURL) { _ = try HTTPSource(url) } }
}
