import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// How the action gets the program from a release archive. No test uses a network: `curl` is a program of the test.
  @Suite("The GitHub action installs", .timeLimit(.minutes(60)))
  struct GitHubInstallationTests {
    private let action: CompositeAction
    private let workspace: TemporaryFolder
    private let folder: TemporaryFolder
    private let signet: FakeSignet
    private let digest: String

    init() throws {
      action = try CompositeAction()
      workspace = try TemporaryFolder()
      folder = try TemporaryFolder()
      signet = try FakeSignet()
      let made = try Shell.run(
        """
        mkdir -p signet-1.2.3/bin programs && cp '\(signet.path)' signet-1.2.3/bin/signet && \
        tar -czf archive signet-1.2.3 && sha256sum < archive | cut -d ' ' -f 1
        """, in: folder.path)
      try #require(made.status == 0, "\(made.errors)")
      digest = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs the action with a `curl` that gives this file.
    private func install(_ given: [String: String], from source: String) throws -> CompositeAction.Run {
      try folder.write(
        "programs/curl",
        Array(
          """
          #!/bin/bash
          printf '%s\\n' "$@" > '\(folder.path)/curl-arguments'
          echo '::add-path::/tmp/pwned' >&2
          while [ "$1" != --output ]; do shift; done
          cp '\(source)' "$2"

          """.utf8), mode: 0o755)
      let search = folder.file("programs") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
      return try action.run(given.merging(["key": "ssh-ed25519 AAAA"]) { $1 }, in: workspace, search: search)
    }

    private var isFetched: Bool { FileManager.default.fileExists(atPath: folder.file("curl-arguments")) }

    @Test("the archive with the digest that was given, over https only")
    func right() throws {
      let run = try install(
        ["url": "https://example.com/a b?x=$(touch pwned)", "sha256": digest], from: folder.file("archive"))
      #expect(run.status == 0)
      #expect(run.outputs["verdict"] == "clean")
      #expect(run.outputs["program"] == "signet")
      #expect(run.output.commands.isEmpty)
      let arguments = String(decoding: try folder.read("curl-arguments"), as: UTF8.self).split(separator: "\n")
      #expect(arguments.first == "--disable")
      #expect(arguments.contains("--fail") && arguments.contains("--tlsv1.2"))
      for option in ["--proto", "--proto-redir"] {
        #expect(arguments.firstIndex { $0 == option }.map { arguments[$0 + 1] } == "=https")
      }
      #expect(arguments.suffix(2) == ["--url", "https://example.com/a b?x=$(touch pwned)"])
      #expect(try workspace.listing() == [])
    }

    @Test("no archive with another digest: it is not unpacked, and nothing of it is run")
    func otherDigest() throws {
      let run = try install(
        ["url": "https://example.com/a", "sha256": String(repeating: "0", count: 64)], from: folder.file("archive"))
      #expect(run.status == 1)
      #expect(
        run.output.commands == [.init("error", "title=Signet", "the archive of Signet does not have this SHA-256")])
      #expect(run.outputs["program"] == "")
    }

    @Test("nothing if the download fails")
    func noDownload() throws {
      let run = try install(["url": "https://example.com/a", "sha256": digest], from: "/nowhere")
      #expect(run.status == 2)
      #expect(run.output.commands == [.init("error", "title=Signet", "the archive of Signet cannot be downloaded")])
    }

    @Test("no archive without the program")
    func empty() throws {
      let made = try Shell.run(
        "mkdir -p other/bin && echo > other/bin/signet && tar -czf other.tar other && sha256sum < other.tar",
        in: folder.path)
      let run = try install(
        ["url": "https://example.com/a", "sha256": String(made.output.prefix(64))], from: folder.file("other.tar"))
      #expect(run.status == 2)
      #expect(
        run.output.commands == [.init("error", "title=Signet", "the archive of Signet has no program bin/signet")])
    }

    private static let wrong: [[String: String]] = [
      [:], ["url": "https://example.com/a"], ["url": "http://example.com/a", "sha256": "DIGEST"],
      ["url": "-oout", "sha256": "DIGEST"], ["url": "file:///etc/passwd", "sha256": "DIGEST"],
      ["url": "HTTPS://example.com/a", "sha256": "DIGEST"], ["sha256": "DIGEST"],
      ["url": "https://example.com/a", "sha256": "DIGEST "], ["url": "https://example.com/a", "sha256": "\nDIGEST"],
    ]

    @Test("nothing without a digest, or over a connection that is not https", arguments: wrong)
    func wrongInputs(_ given: [String: String]) throws {
      let run = try install(
        given.mapValues { $0.replacingOccurrences(of: "DIGEST", with: digest) }, from: folder.file("archive"))
      #expect(run.status == 64)
      #expect(!isFetched)
    }
  }
#endif
