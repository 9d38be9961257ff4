import Foundation
import SignetBase
import SignetGit
import TestSupport
import Testing

/// A server that answers every request with a byte now and then, for ever.
private final class DrippingServer {
  private static let script = """
    import os, socket, sys, threading, time
    listening = socket.socket(); listening.bind(("127.0.0.1", 0)); listening.listen(16)
    threads = []
    def drip(client):
        try:
            client.recv(65536)
            client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: application/x-git-upload-pack-advertisement\\r\\n"
                           b"Transfer-Encoding: chunked\\r\\n\\r\\n")
            while True:
                client.sendall(b"4\\r\\n0000\\r\\n")
                time.sleep(0.02)
        except OSError:
            pass
    def accept():
        while True:
            threads.append(threading.Thread(target=drip, args=(listening.accept()[0],)))
            threads[-1].start()
    threading.Thread(target=accept, daemon=True).start()
    print(listening.getsockname()[1], flush=True)
    # It ends with its input, once every client has gone, since the tests' processes block signals.
    sys.stdin.read()
    for thread in threads: thread.join()
    os._exit(0)
    """
  private let server = Process()
  private let input = Pipe()
  let address: String

  init() throws {
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: try #require(Program.find("python3"), "make test installs Python"))
    server.arguments = ["-c", Self.script]
    server.standardInput = input
    server.standardOutput = output
    try server.run()
    var port = ""
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      port += String(decoding: byte, as: UTF8.self)
    }
    address = "http://127.0.0.1:\(port)/x"
  }

  /// Waits until every client has gone.
  func end() throws {
    try input.fileHandleForWriting.close()
    server.waitUntilExit()
  }
}

/// A server that never ends its answer does not hold an installation for ever, nor a helper of git. The limits are small
/// here; the server would go on for longer than any.
@Suite(.timeLimit(.minutes(10))) struct GitPatienceTests {
  private static let commit = String(repeating: "7", count: 40)

  private func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  @Test("a list of references that does not end is given up, with all programs that wait for it")
  func listing() throws {
    let server = try DrippingServer()
    var patience = GitProgram.Patience()
    patience.listing = 2000
    let error = expectError(.gitFailed) {
      _ = try GitFetch.head(of: server.address, patience: patience, variable)
    }
    #expect(error?.object == server.address && error?.found == "no end within 2 seconds")
    try server.end()
  }

  @Test("a server that sends less than the least is given up long before the end of a transfer")
  func drips() throws {
    let server = try DrippingServer()
    let cache = try TemporaryFolder(inMemory: true)
    var patience = GitProgram.Patience()
    (patience.bytesPerSecond, patience.slowSeconds) = (1_000_000, 1)
    let error = expectError(.gitFailed) {
      _ = try GitFetch.commit(
        Self.commit, of: server.address, keptAt: cache.file(Self.commit), isOffline: false, patience: patience,
        variable)
    }
    #expect(error?.found?.contains("Operation too slow") == true, "\(error?.found ?? "")")
    #expect(try cache.listing() == [])
    try server.end()
  }

  @Test("a fetch that does not end is given up, however much the server sends")
  func transfer() throws {
    let server = try DrippingServer()
    let cache = try TemporaryFolder(inMemory: true)
    var patience = GitProgram.Patience()
    (patience.bytesPerSecond, patience.transfer) = (1, 2000)
    let error = expectError(.gitFailed) {
      _ = try GitFetch.commit(
        Self.commit, of: server.address, keptAt: cache.file(Self.commit), isOffline: false, patience: patience,
        variable)
    }
    #expect(error?.found == "no end within 2 seconds")
    #expect(try cache.listing() == [])
    try server.end()
  }

  @Test("the usual limits leave time to honest servers: a slow line, and one that makes a large pack")
  func usual() {
    let usual = GitProgram.Patience()
    #expect(usual.bytesPerSecond <= 1000 && usual.slowSeconds >= 60)
    #expect(usual.listing >= 60_000 && usual.transfer >= 3_600_000)
  }
}
