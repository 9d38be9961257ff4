import Foundation
import SignetBase
import Testing

/// A server on the loopback interface that says what a test makes it say, byte by byte, and remembers what it was asked.
final class RawServer: @unchecked Sendable {
  // Sendable: `state` is reached under `lock` alone.
  enum Step {
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes again and again until nobody takes them.
    case sendForever([UInt8])
    /// Waits until the other side goes, or the server ends.
    case hold
    /// Waits until somebody opens the gate.
    case wait(Gate)
    /// Ends the connection with a reset.
    case reset
  }

  /// What a server waits for.
  final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }
    fileprivate func wait() { semaphore.wait(); semaphore.signal() }
    init() {}
  }

  /// A request: its line and its fields.
  struct Request: Sendable {
    /// How many came before.
    let number: Int
    let head: String
    /// What came after the head, as far as its length was announced.
    var body: [UInt8] = []
    var line: String { String(head.prefix { $0 != "\r\n" && $0 != "\r" }) }

    subscript(name: String) -> String? {
      head.components(separatedBy: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (Request) -> [Step]
  /// How much of a body is read before it is answered.
  private let bodyLimit: Int
  private let lock = NSLock()
  private var state = (requests: [Request](), open: Set<Int32>(), isStopped: false, endless: 0)

  init(bodyLimit: Int = 64 << 20, _ answer: @escaping @Sendable (Request) -> [Step]) throws {
    self.bodyLimit = bodyLimit
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let port = try withUnsafeMutablePointer(to: &address) { pointer -> UInt16 in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try #require(listener >= 0 && bind(listener, address, size) == 0 && listen(listener, 16) == 0)
        try #require(getsockname(listener, address, &size) == 0)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    self.port = port
    self.answer = answer
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        guard let self, self.begin(connection) else {
          close(connection)
          break
        }
        Thread.detachNewThread { [weak self] in
          self?.serve(connection)
          close(connection)
        }
      }
      close(listener)
    }
  }

  /// Ends it: those who wait at it are let go.
  func stop() {
    lock.withLock {
      guard !state.isStopped else { return }
      state.isStopped = true
      for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
      // Its thread closes it then.
      shutdown(listener, Int32(SHUT_RDWR))
    }
  }

  /// Ends what is under way; who comes next is served.
  func dropAll() { lock.withLock { for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) } } }

  deinit { stop() }

  /// The number of bytes that were sent by ``Step/sendForever(_:)``.
  var endless: Int { lock.withLock { state.endless } }
  var requests: [Request] { lock.withLock { state.requests } }
  func url(_ path: String = "/m.zip") -> String { "http://127.0.0.1:\(port)\(path)" }

  private func begin(_ connection: Int32) -> Bool {
    lock.withLock {
      guard !state.isStopped else { return false }
      state.open.insert(connection)
      return true
    }
  }

  private func serve(_ connection: Int32) {
    defer { _ = lock.withLock { state.open.remove(connection) } }
    guard let head = Self.readHead(connection) else { return }
    // Uploads that a test ends early are longer than what it wants to see of them.
    let announced = Request(number: 0, head: head)["Content-Length"].flatMap { Int($0) } ?? 0
    let body = Self.readBody(connection, min(announced, bodyLimit))
    let request = lock.withLock { () -> Request in
      let request = Request(number: state.requests.count, head: head, body: body)
      state.requests.append(request)
      return request
    }
    for step in answer(request) {
      switch step {
      case .send(let bytes): guard Self.send(connection, bytes) else { return }
      case .sendForever(let bytes):
        while Self.send(connection, bytes) { lock.withLock { state.endless += bytes.count } }
      case .hold: Self.drain(connection)
      case .wait(let gate): gate.wait()
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        return
      }
    }
    // Whatever the other side sent is read, so that the end is no reset.
    shutdown(connection, Int32(SHUT_WR))
    Self.drain(connection)
  }

  private static func readBody(_ connection: Int32, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while bytes.count < count {
      let got = recv(connection, &buffer, min(buffer.count, count - bytes.count), 0)
      guard got > 0 else { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  private static func readHead(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 65536, recv(connection, &byte, 1, 0) == 1 {
      bytes.append(byte)
      if bytes.suffix(4) == [13, 10, 13, 10] { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  private static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { sendQuietly(connection, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private static func drain(_ connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while recv(connection, &buffer, buffer.count, 0) > 0 {}
  }
}

/// Without a signal when nobody is there any more.
private func sendQuietly(_ connection: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
    send(connection, bytes, count, 0)
  #else
    send(connection, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}

extension RawServer.Step {
  /// A head.
  static func head(_ status: String, _ fields: [String] = []) -> Self {
    .send(Array(("HTTP/1.1 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n").utf8))
  }

  /// A file's head with its length and a tag.
  static func file(_ length: Int, tag: String? = "\"one\"", _ fields: [String] = []) -> Self {
    .head("200 OK", ["Content-Length: \(length)"] + (tag.map { ["ETag: \($0)"] } ?? []) + fields)
  }

  /// The head of a part from an offset to the end.
  static func part(_ first: Int, of length: Int, tag: String? = "\"one\"") -> Self {
    .head(
      "206 Partial Content",
      ["Content-Length: \(length - first)", "Content-Range: bytes \(first)-\(length - 1)/\(length)"]
        + (tag.map { ["ETag: \($0)"] } ?? []))
  }
}
