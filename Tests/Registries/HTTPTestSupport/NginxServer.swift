import Foundation
import SignetCrypto
import TestSupport
import Testing

/// A real nginx on the loopback interface, with a folder, a configuration and ports of its own.
final class NginxServer {
  static let program = Program.find("nginx") ?? ["/usr/sbin/nginx"].first(where: FileManager.default.isExecutableFile)
  static let isMissing = Comment("no nginx; make test installs it")

  /// How a port is served over TLS.
  struct Secured {
    var certificate: TLSAuthority.Certificate
    /// More lines of the server.
    var lines = ""
  }

  let ports: [UInt16]
  private let folder: TemporaryFolder
  private let process: BackgroundProgram

  /// - Parameters:
  ///   - files: what it serves.
  ///   - lines: more lines for each server, where `PORT0`, `PORT1` and so on are its ports.
  ///   - secured: ports over TLS, behind the first one, which is plain.
  init(files: [String: [UInt8]], lines: String = "", http: String = "", secured: [Secured] = []) throws {
    let program = try #require(Self.program)
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("files"), withIntermediateDirectories: false)
    for (name, bytes) in files { try folder.write("files/" + name, bytes) }
    for (number, server) in secured.enumerated() {
      try folder.write("\(number).pem", server.certificate.chain)
      try folder.write("\(number).key", server.certificate.key, mode: 0o600)
    }
    // Somebody else may take a port between the asking and the using: then others are asked for.
    for _ in 0..<20 {
      let ports = try (0...secured.count).map { _ in try Self.freePort() }
      try folder.write("nginx.conf", Array(Self.configuration(folder.path, ports, lines, http, secured).utf8))
      let process = try BackgroundProgram(
        program, ["-e", folder.file("error.log"), "-p", folder.path, "-c", folder.file("nginx.conf")], in: folder.path
      )
      // It is written when all ports are open.
      while !process.hasEnded, !FileManager.default.fileExists(atPath: folder.file("nginx.pid")) { usleep(5000) }
      if process.hasEnded {
        let errors = String(decoding: (try? folder.read("error.log")) ?? [], as: UTF8.self)
        try #require(errors.contains("bind()"), "\(process.errors)\(errors)")
        continue
      }
      self.ports = ports
      self.process = process
      return
    }
    throw CocoaError(.featureUnsupported)
  }

  private static func configuration(
    _ folder: String, _ ports: [UInt16], _ lines: String, _ http: String, _ secured: [Secured]
  ) -> String {
    var lines = lines
    for (number, port) in ports.enumerated() { lines = lines.replacing("PORT\(number)", with: "\(port)") }
    let servers = ports.enumerated().map { number, port in
      let tls =
        number == 0
        ? ""
        : "ssl_certificate \(number - 1).pem; ssl_certificate_key \(number - 1).key; \(secured[number - 1].lines)"
      return "server { listen 127.0.0.1:\(port)\(number == 0 ? "" : " ssl"); \(tls) root files; \(lines) }"
    }
    let user = geteuid() == 0 ? "user root;" : ""
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path tmp;" }.joined(
      separator: " ")
    return """
      \(user) daemon off; master_process off; pid nginx.pid; error_log error.log; worker_processes 1;
      events { worker_connections 64; }
      http {
        log_format asked '$request_method $uri $status "$http_range" "$http_if_range" $body_bytes_sent';
        access_log access.log asked;
        \(places)
        \(http)
        \(servers.joined(separator: "\n  "))
      }

      """
  }

  private static func freePort() throws -> UInt16 { try RawServer { _ in [] }.port }

  func url(_ path: String, port number: Int = 0) -> String {
    "\(number == 0 ? "http" : "https")://127.0.0.1:\(ports[number])/\(path)"
  }

  /// Puts another file in the place of one.
  func replace(_ name: String, _ bytes: [UInt8]) throws {
    try folder.write("files/new", bytes)
    guard rename(folder.file("files/new"), folder.file("files/" + name)) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// What it was asked, when there are so many lines: method, path, status, range, tag, bytes.
  func log(_ count: Int) async throws -> [String] {
    var lines: [String] = []
    try await eventually {
      let text = String(decoding: (try? folder.read("access.log")) ?? [], as: UTF8.self)
      lines = text.split(separator: "\n").map(String.init)
      return lines.count >= count
    }
    return lines
  }
}

/// An authority for servers' certificates, made by the openssl program.
final class TLSAuthority {
  struct Certificate {
    let chain: [UInt8]
    let key: [UInt8]
  }

  private let folder: TemporaryFolder
  /// The file of its certificate.
  var path: String { folder.file("ca.pem") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("empty.cnf", Array("[req]\ndistinguished_name=dn\n[dn]\n".utf8))
    try run(
      "req", "-new", "-x509", "-config", "empty.cnf", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Test", "-days", "30", "-addext",
      "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
  }

  /// A server's certificate for a name such as `IP:127.0.0.1`.
  func certificate(_ name: String = "IP:127.0.0.1", days: Int = 30) throws -> Certificate {
    try run(
      "req", "-new", "-config", "empty.cnf", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout",
      "leaf.key", "-out", "leaf.csr", "-subj", "/CN=127.0.0.1")
    try folder.write("leaf.ext", Array("subjectAltName=\(name)\nextendedKeyUsage=serverAuth\n".utf8))
    try run(
      "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "7", "-days", "\(days)",
      "-extfile", "leaf.ext", "-out", "leaf.pem")
    return try Certificate(chain: folder.read("leaf.pem"), key: folder.read("leaf.key"))
  }

  private func run(_ arguments: String...) throws {
    let openssl = try #require(Program.find("openssl"), "make test installs openssl")
    let result = try Program.run(openssl, arguments, in: folder.path)
    try #require(result.status == 0, "\(arguments)\n\(result.errors)")
  }
}
