/// A server of a folder's files on the loopback interface: Python's. What it takes is neither of the clients' time.
struct FileServer {
  let port: Int
  private static let log = "server.txt"
  private static let process = "server.pid"

  /// - Parameter python: the path of a Python.
  init(_ folder: String, _ python: String) throws {
    let start = "\(python) -u -m http.server 0 --bind 127.0.0.1 --directory \(folder)"
    _ = try ChildProcess.run(
      Command("sh", "-c", "\(start) > \(Self.log) 2> /dev/null < /dev/null & echo $! > \(Self.process)"))
    for _ in 0..<60 {
      let words = TextFile.content(of: Self.log)?.split(separator: " ") ?? []
      if let place = words.firstIndex(of: "port"), let port = words[(place + 1)...].first.flatMap({ Int($0) }) {
        self.port = port
        return
      }
      Clock.wait()
    }
    Self.kill()
    throw BenchFailure(message: "Python's server of files does not start")
  }

  /// Ends the server.
  func stop() { Self.kill() }

  private static func kill() { _ = try? ChildProcess.run(Command("sh", "-c", "kill $(cat \(process))")) }
}
