import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite("The GitLab template", .timeLimit(.minutes(60)))
  struct GitLabTemplateTests {
    private let template: PlainYAML
    private let folder: TemporaryFolder
    private let pin = String(repeating: "0a", count: 32)
    private let privateKey = "-----BEGIN PRIVATE KEY-----\nMC4CAQAw/secret+one=\n-----END PRIVATE KEY-----\n"

    /// Images have one of these shells, and the runner takes bash before sh.
    private static let shells = ["bash", "dash", "busybox"].compactMap { Program.find($0) }

    init() throws {
      template = try PlainYAML(Repository.text("Integrations/gitlab/signet.gitlab-ci.yml"))
      folder = try TemporaryFolder()
    }

    /// The scripts of a job, with those that it refers to.
    private func scripts(of job: String) throws -> [String] {
      try (template[job]?["script"]?.items ?? []).flatMap { item -> [String] in
        let text = try #require(item.text)
        guard let match = text.wholeMatch(of: /!reference \[(\.[a-z-]+), script\]/) else { return [text] }
        return try scripts(of: String(match.1))
      }
    }

    /// The variables of a job, with those of the job that it extends.
    private func variables(of job: String) throws -> [String: String] {
      let job = try #require(template[job])
      var variables = try job["extends"]?.text.map { try self.variables(of: $0) } ?? [:]
      for entry in job["variables"]?.entries ?? [] {
        let value: String = try #require(entry.value.text)
        variables[entry.key] = value
      }
      return variables
    }

    /// Runs a job as the runner does: a shell with the variables evaluates each script, up to the first failure.
    private func run(
      _ job: String, _ shell: String, _ signet: FakeSignet, _ given: [String: String], search: String? = nil
    ) throws -> Program {
      try run(
        job, shell, given.merging(["SIGNET_PROGRAM": given["SIGNET_PROGRAM"] ?? signet.path]) { $1 }, search: search)
    }

    /// Runs a job with the program that its variables name.
    private func run(
      _ job: String, _ shell: String, _ given: [String: String], search: String? = nil
    ) throws -> Program {
      let own = try TemporaryFolder()
      var text = shell.hasSuffix("bash") ? "set -eo pipefail\n" : "set -e\n"
      for (number, script) in try scripts(of: job).enumerated() {
        let path = try own.write("script\(number)", Array(script.utf8))
        text += "eval \"$(cat '\(path)')\"\n"
      }
      text += "echo the script goes on\n"
      let script = try own.write("script", Array(text.utf8))
      var environment = try variables(of: job)
      environment.merge(given) { $1 }
      // A runner may leave its files to everybody, and Signet would refuse a key from such a file.
      environment["SIGNET_KEY_FILE"] = try given["SIGNET_KEY_FILE"] ?? own.write("k ey", Array(privateKey.utf8))
      if let passphrase = given["SIGNET_PASSPHRASE_FILE"], !passphrase.isEmpty {
        environment["SIGNET_PASSPHRASE_FILE"] = try own.write("passphrase", Array(passphrase.utf8), mode: 0o666)
      }
      environment["SIGNET_ATTEST_KEY_FILE"] = environment["SIGNET_KEY_FILE"]
      return try Program.runAlone(
        shell, (shell.hasSuffix("busybox") ? ["sh"] : []) + [script], in: folder.path, environment: environment,
        path: search)
    }

    private func arguments(_ call: FakeSignet.Call) -> [String] {
      call.arguments.filter { !$0.hasPrefix("--report=") }
    }

    @Test("each job has scripts that every shell takes, and that read no more than variables")
    func scripts() throws {
      #expect(Self.shells.contains { $0.hasSuffix("bash") })
      #expect(template.entries.map(\.key) == [".signet-program", ".signet-sign", ".signet-gate"])
      for job in template.entries.map(\.key) {
        for script in try scripts(of: job) {
          #expect(!script.contains("$[[") && !script.contains("${{") && !script.contains("set -x"))
          for shell in Self.shells {
            let path = try folder.write("script", Array(script.utf8))
            let words = (shell.hasSuffix("busybox") ? ["sh"] : []) + ["-n", path]
            #expect(try Program.run(shell, words).status == 0, "\(job) in \(shell)")
          }
        }
      }
      #expect(try scripts(of: ".signet-program").first?.hasPrefix("set +ax -eu\n") == true)
    }

    @Test("a gate gets each variable as one argument, whatever is in it", arguments: shells)
    func gateArguments(_ shell: String) throws {
      let signet = try FakeSignet()
      let hostile = HostileText.all
      let (lines, text) = (hostile.joined(separator: "\n"), hostile.joined(separator: "\n\n"))
      let run = try run(
        ".signet-gate", shell, signet,
        [
          "SIGNET_PATHS": lines, "SIGNET_EXCLUDE": "\n" + lines + "\n\n", "SIGNET_POLICY": text,
          "SIGNET_POLICY_SHA256": pin, "SIGNET_BASELINE": text, "SIGNET_REBUILD": text,
          "SIGNET_FAIL_ON_WARNING": "true", "SIGNET_ALLOW_EMPTY": "true", "SIGNET_ATTEST_TO": text,
        ])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output == "the script goes on\n")
      let calls = try signet.calls()
      #expect(calls.count == 1)
      #expect(
        arguments(calls[0]) == ["gate", "--policy=" + text, "--policy-sha256=" + pin]
          + hostile.map { "--exclude=" + $0 }
          + ["--baseline=" + text, "--rebuild=" + text, "--fail-on=warning", "--allow-empty"]
          + ["--attest-key-fd=3", "--attest-to=" + text, "--"] + hostile)
      #expect(calls[0].secrets == ["attest": privateKey])
      #expect(calls[0].places["attest"]?.hasPrefix("pipe:[") == true)
      #expect(try folder.listing() == ["signet-gate"])
    }

    @Test("the reports are where the job says that they are")
    func reports() throws {
      let signet = try FakeSignet()
      #expect(try run(".signet-gate", "/bin/bash", signet, ["SIGNET_POLICY_SHA256": pin]).status == 0)
      let call = try #require(try signet.calls().first)
      #expect(arguments(call) == ["gate", "--policy=release.json", "--policy-sha256=" + pin, "--", "release"])
      let artifacts = try #require(template[".signet-gate"]?["artifacts"])
      #expect(artifacts["when"] == .text("always") && artifacts["paths"] == .list([.text("signet-gate/")]))
      let reports = try #require(artifacts["reports"])
      for (format, path) in [("gitlab", reports["codequality"]?.text), ("junit", reports["junit"]?.text)] {
        #expect(call.arguments.contains("--report=\(format)=\(path ?? "")"))
      }
      #expect(call.arguments.filter { $0.hasPrefix("--report=") }.allSatisfy { $0.contains("=signet-gate/") })
    }

    @Test(
      "keys and passphrases come through pipes, and are in no argument, no variable and no output", arguments: shells)
    func secrets(_ shell: String) throws {
      for passphrase in ["", "a $(touch pwned) word"] {
        let signet = try FakeSignet()
        let run = try run(
          ".signet-sign", shell, signet,
          ["SIGNET_PATHS": "one\n\n-two\n", "SIGNET_EXCLUDE": "*.md a", "SIGNET_PASSPHRASE_FILE": passphrase])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "the script goes on\n" && run.errors.isEmpty)
        let calls = try signet.calls()
        let options = ["--exclude=*.md a", "--key-fd=3"] + (passphrase.isEmpty ? [] : ["--passphrase-fd=0"])
        let expected = ["one", "-two"].map { ["sign", "--each=" + $0] + options }
        #expect(calls.map(\.arguments) == expected)
        for call in calls {
          #expect(call.secrets["key"] == privateKey)
          #expect(call.secrets["passphrase"] == (passphrase.isEmpty ? nil : passphrase))
          #expect(call.places.values.allSatisfy { $0.hasPrefix("pipe:[") })
          for text in call.arguments + call.environment {
            #expect(!text.contains("secret+one") && !text.contains(" word"))
          }
        }
      }
      #expect(try folder.listing() == [])
    }

    @Test("a key that is not of the type File is not shown", arguments: shells)
    func keyAsText(_ shell: String) throws {
      let signet = try FakeSignet()
      let sign = try run(".signet-sign", shell, signet, ["SIGNET_KEY_FILE": privateKey])
      let gate = try run(
        ".signet-gate", shell, signet,
        ["SIGNET_KEY_FILE": privateKey, "SIGNET_POLICY_SHA256": pin, "SIGNET_ATTEST_TO": "verdict"])
      for run in [sign, gate] {
        #expect(run.status == 64)
        #expect(run.errors.contains("must be a variable of the type File"))
        #expect(!(run.output + run.errors).contains("secret+one"))
      }
      #expect(try signet.calls().isEmpty)
    }

    @Test(
      "the job ends as the gate does, and a gate that wrote no report has not checked",
      arguments: [(0, true, 0), (1, true, 1), (2, true, 2), (64, false, 64), (0, false, 2), (1, false, 1)])
    func statuses(_ status: Int, _ hasReport: Bool, _ expected: Int) throws {
      for shell in Self.shells {
        let signet = try FakeSignet(status: status, reports: hasReport ? ["json": "{}"] : [:])
        let run = try run(".signet-gate", shell, signet, ["SIGNET_POLICY_SHA256": pin])
        #expect(Int(run.status) == expected)
        #expect(run.output == (expected == 0 ? "the script goes on\n" : ""))
      }
    }

    @Test("a release archive is used only with the digest that was given", arguments: shells)
    func installation(_ shell: String) throws {
      let signet = try FakeSignet()
      let own = try TemporaryFolder()
      let curl = """
        #!/bin/bash
        while [ "$1" != --output ]; do shift; done
        cp '\(own.path)/archive' "$2"

        """
      try own.write("curl", Array(curl.utf8), mode: 0o755)
      let made = try Shell.run(
        """
        mkdir -p signet-1/bin && cp '\(signet.path)' signet-1/bin/signet && tar -czf archive signet-1 && \
        sha256sum < archive
        """, in: own.path)
      try #require(made.status == 0, "\(made.errors)")
      let search = own.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
      let digest = String(made.output.prefix(64))
      for (given, status) in [(digest, 0), (String(repeating: "0", count: 64), 1)] {
        let variables = [
          "SIGNET_URL": "https://example.com/a b", "SIGNET_SHA256": given, "SIGNET_POLICY_SHA256": pin,
          "SIGNET_PROGRAM": "/nowhere",
        ]
        #expect(try Int(run(".signet-gate", shell, signet, variables, search: search).status) == status)
        #expect(try signet.calls().count == 1)
      }
    }

    @Test(
      "the real program signs and gates a release with hostile names, and refuses it once a file has changed",
      arguments: shells)
    func realProgram(_ shell: String) throws {
      let release = try UnsignedRelease(in: folder)
      let given = [
        "SIGNET_PROGRAM": UnsignedRelease.signet, "SIGNET_POLICY_SHA256": release.pin,
        "SIGNET_KEY_FILE": release.keyFile,
      ]
      let signed = try run(".signet-sign", shell, given)
      #expect(signed.status == 0, "\(signed.errors)")
      #expect(try release.found() == release.signedNames)
      let clean = try run(".signet-gate", shell, given)
      #expect(clean.status == 0, "\(clean.errors)")
      #expect(clean.output.contains("✓ clean  ") && clean.output.hasSuffix("the script goes on\n"))
      #expect(String(decoding: try folder.read("signet-gate/codequality.json"), as: UTF8.self) == "[]\n")
      let sums = "cd release && sha256sum --check --strict ../signet-gate/SHA256SUMS | grep -c ': OK$'"
      #expect(try Shell.run(sums, in: folder.path).output == "\(release.signedNames.count)\n")

      try release.tamper()
      let refused = try run(".signet-gate", shell, given)
      #expect(refused.status == 1)
      #expect(refused.output.contains("\(UnsignedRelease.tampered): is not what was signed"))
      #expect(!refused.output.contains("the script goes on"))
      let findings = String(decoding: try folder.read("signet-gate/codequality.json"), as: UTF8.self)
      #expect(findings.contains("\"path\":\"\(UnsignedRelease.tampered)\"") && findings.contains("digest.mismatch"))
      #expect(try release.found() == release.signedNames)
      #expect(try folder.listing() == ["release", "release.json", "signet-gate"])
    }

    @Test("what was not checked to its end leaves no report", arguments: shells)
    func unchecked(_ shell: String) throws {
      for (status, isLeft) in [(0, true), (1, true), (2, false), (137, false)] {
        let signet = try FakeSignet(status: status, reports: ["json": "{}", "html": "<p>"])
        let run = try run(".signet-gate", shell, signet, ["SIGNET_POLICY_SHA256": pin])
        #expect(Int(run.status) == status)
        #expect(try folder.listing() == (isLeft ? ["signet-gate"] : []), "\(status)")
      }
    }

    private static let wrong: [[String: String]] = [
      ["SIGNET_POLICY_SHA256": ""], ["SIGNET_POLICY_SHA256": "PIN0"], ["SIGNET_POLICY_SHA256": "PIN\n"],
      ["SIGNET_POLICY_SHA256": String(repeating: "0A", count: 32)],
      ["SIGNET_PATHS": ""], ["SIGNET_PATHS": "\n\n"], ["SIGNET_FAIL_ON_WARNING": "yes"],
      ["SIGNET_ALLOW_EMPTY": ""], ["SIGNET_URL": "http://example.com/a"], ["SIGNET_URL": "https://example.com/a"],
      ["SIGNET_ATTEST_TO": "verdict", "SIGNET_KEY_FILE": "/nowhere"],
    ]

    @Test("variables that do not say what is trusted, or what is checked, end before the gate", arguments: wrong)
    func wrongVariables(_ given: [String: String]) throws {
      for shell in Self.shells {
        let signet = try FakeSignet()
        let values = ["SIGNET_POLICY_SHA256": "PIN"].merging(given) { $1 }.mapValues {
          $0.replacingOccurrences(of: "PIN", with: pin)
        }
        #expect(try run(".signet-gate", shell, signet, values).status == 64)
        #expect(try signet.calls().isEmpty)
      }
    }
  }
#endif
