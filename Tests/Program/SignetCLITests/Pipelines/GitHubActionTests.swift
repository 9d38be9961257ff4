import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite("The GitHub action", .timeLimit(.minutes(60)))
  struct GitHubActionTests {
    private let action: CompositeAction
    private let folder: TemporaryFolder
    private let pin = String(repeating: "0a", count: 32)
    private let privateKey = "-----BEGIN PRIVATE KEY-----\nMC4CAQAw/secret+one=\n-----END PRIVATE KEY-----"

    init() throws {
      action = try CompositeAction()
      folder = try TemporaryFolder()
    }

    /// Runs the action with a program in the place of signet.
    private func run(
      _ signet: FakeSignet, _ given: [String: String], variables: [String: String] = [:]
    ) throws -> CompositeAction.Run {
      try action.run(given.merging(["signet-path": signet.path]) { $1 }, in: folder, variables: variables)
    }

    /// The inputs of a gate with a policy.
    private var gate: [String: String] { ["policy": "release.json", "policy-sha256": pin] }

    /// The arguments of a gate without the reports.
    private func arguments(_ call: FakeSignet.Call) -> [String] {
      call.arguments.filter { !$0.hasPrefix("--report=") }
    }

    private func annotations(_ run: CompositeAction.Run) -> [WorkflowOutput.Command] {
      run.output.commands.filter { $0.name != "add-mask" }
    }

    @Test("no input is a part of a script, and bash takes each script")
    func scripts() throws {
      #expect(action.steps.map(\.id) == ["program", "sign", "gate"])
      for step in action.steps {
        #expect(!step.script.contains("${{"), "\(step.id)")
        #expect(step.script.hasPrefix("set +ax -euo pipefail\nexec 2>&1\n"), "\(step.id)")
        let script = try folder.write("script.sh", Array(step.script.utf8))
        #expect(try Program.run("/bin/bash", ["-n", script]).status == 0, "\(step.id)")
        for (name, value) in step.variables {
          #expect(value.wholeMatch(of: /\$\{\{ [a-z0-9.-]+ \}\}/) != nil, "\(name)")
          #expect(step.script.contains(name), "\(name) is not used")
        }
      }
      let values = action.steps.flatMap { $0.variables.map(\.value) }
      for input in action.inputs { #expect(values.contains("${{ inputs.\(input.name) }}"), "\(input.name)") }
    }

    @Test("a gate gets each input as one argument, whatever is in it")
    func gateArguments() throws {
      let signet = try FakeSignet()
      let hostile = HostileText.all
      let lines = hostile.joined(separator: "\n")
      let text = hostile.joined(separator: "\n\n")
      let run = try run(
        signet,
        [
          "paths": lines, "exclude": "\n" + lines + "\n\n", "policy": text, "policy-sha256": pin, "baseline": text,
          "rebuild": text, "fail-on-warning": "true", "allow-empty": "true",
        ])
      #expect(run.status == 0)
      let calls = try signet.calls()
      #expect(calls.count == 1)
      #expect(
        arguments(calls[0]) == ["gate", "--policy=" + text, "--policy-sha256=" + pin]
          + hostile.map { "--exclude=" + $0 }
          + ["--baseline=" + text, "--rebuild=" + text, "--fail-on=warning", "--allow-empty", "--"] + hostile)
      let reports = calls[0].arguments.filter { $0.hasPrefix("--report=") }
      #expect(
        reports.map { $0.split(separator: "=")[1] }
          == ["json", "sarif", "junit", "html", "markdown", "sha256sums", "github"])
      #expect(try folder.listing() == [])
    }

    @Test("without a word about it, the folder release is gated with what is given, and nothing else is asked for")
    func defaults() throws {
      let signet = try FakeSignet()
      #expect(try run(signet, ["key": "ssh-ed25519 AAAA a b"]).status == 0)
      #expect(try signet.calls().map(arguments) == [["gate", "--key=ssh-ed25519 AAAA a b", "--", "release"]])
      let pinned = try FakeSignet()
      #expect(try run(pinned, gate).status == 0)
      #expect(
        try pinned.calls().map(arguments)
          == [["gate", "--policy=release.json", "--policy-sha256=" + pin, "--", "release"]])
    }

    @Test("keys and passphrases come through pipes, and are in no argument and no variable")
    func secrets() throws {
      let signet = try FakeSignet()
      let given = [
        "paths": "one\n-two", "exclude": "*.md a\n--force", "attest-key": privateKey + "\n", "attest-to": "-verdict",
        "signing-key": privateKey, "passphrase": "%pass $(touch pwned) word",
      ]
      // If a variable of this name came from outside, bash would pass it on with the secret in it.
      let run = try run(
        signet, given.merging(gate) { $1 }, variables: ["key": "outside", "passphrase": "outside", "line": "outside"])
      #expect(run.status == 0)
      let calls = try signet.calls()
      #expect(
        calls.map(arguments) == [
          ["sign", "--each=one", "--key-fd=3", "--passphrase-fd=4", "--exclude=*.md a", "--exclude=--force"],
          ["sign", "--each=-two", "--key-fd=3", "--passphrase-fd=4", "--exclude=*.md a", "--exclude=--force"],
          [
            "gate", "--policy=release.json", "--policy-sha256=" + pin, "--exclude=*.md a", "--exclude=--force",
            "--attest-key-fd=3", "--attest-to=-verdict", "--", "one", "-two",
          ],
        ])
      for call in calls.prefix(2) {
        #expect(call.secrets == ["key": privateKey + "\n", "passphrase": "%pass $(touch pwned) word\n"])
      }
      #expect(calls.last?.secrets == ["attest": privateKey + "\n\n"])
      for call in calls {
        #expect(call.places.values.allSatisfy { $0.hasPrefix("pipe:[") })
        for text in call.arguments + call.environment {
          #expect(!text.contains("secret+one") && !text.contains("word"), "\(text)")
        }
        #expect(call.environment.allSatisfy { !$0.contains("SIGNING_KEY") && !$0.contains("ATTEST_KEY") })
      }
      // What has to be hidden is told to the runner line by line, and is shown nowhere else.
      #expect(
        run.output.commands == [
          .init("add-mask", "", "MC4CAQAw/secret+one="), .init("add-mask", "", "%pass $(touch pwned) word"),
          .init("add-mask", "", "MC4CAQAw/secret+one="),
        ])
      #expect(run.output.shown.allSatisfy { !$0.contains("secret+one") && !$0.contains("word") })
      #expect(try folder.listing() == [])
    }

    @Test("without a key nothing is signed, and a refusal to sign ends the run")
    func signing() throws {
      let signet = try FakeSignet()
      #expect(try run(signet, gate).status == 0)
      #expect(try signet.calls().map { $0.arguments[0] } == ["gate"])
      let refusing = try FakeSignet(status: 2)
      let refused = try run(refusing, gate.merging(["signing-key": privateKey, "paths": "one\ntwo"]) { $1 })
      #expect(refused.status == 2)
      #expect(try refusing.calls().map { $0.arguments[1] } == ["--each=one"])
      #expect(
        annotations(refused) == [
          .init("error", "title=Signet", "the files of the release could not be signed; the log says why")
        ])
      #expect(refused.outputs["verdict"] == "")
    }

    @Test("nothing that Signet prints is a workflow command, and its annotations come last")
    func workflowCommands() throws {
      let output = """
        ::set-output name=verdict::clean
          ::add-path::/tmp/pwned
        a ##[add-path]/tmp/pwned
        a\r::set-env name=LD_PRELOAD::/tmp/pwned
        ::stop-commands::mine
        ::mine::
        ::error::no line break at the end
        """
      let annotations = """
        ::error file=a%0Ab::a finding
        ::warning file=b::\r::set-output name=verdict::clean
        ::set-output name=verdict::clean
        a ##[add-path]/tmp/pwned
         ::error::not at the start of a line
        ::notice title=Signet gate::refused
        """
      let signet = try FakeSignet(
        status: 1, output: output, errors: "\n" + output,
        reports: ["json": "{}", "github": annotations, "markdown": "# All\n"])
      let run = try run(signet, gate)
      #expect(run.status == 1)
      #expect(
        run.output.commands == [
          .init("error", "file=a%0Ab", "a finding"),
          .init("warning", "file=b", "::set-output name=verdict::clean"),
          .init("notice", "title=Signet gate", "refused"),
          .init("error", "title=Signet", "the release is refused; the summary says why"),
        ])
      #expect(!run.output.isStopped)
      #expect(run.output.shown.count { $0 == "::set-output name=verdict::clean" } == 2)
      #expect(run.outputs["verdict"] == "refused")
      #expect(run.summary == "# All\n")
      let signing = try FakeSignet(output: output, errors: output)
      let signed = try self.run(signing, gate.merging(["signing-key": privateKey]) { $1 })
      #expect(signed.output.commands == [.init("add-mask", "", "MC4CAQAw/secret+one=")])
    }

    @Test(
      "the verdict follows the status, and a gate that wrote no report has not checked",
      arguments: [
        (0, true, "clean", 0), (1, true, "refused", 1), (2, true, "unchecked", 2), (64, false, "unchecked", 64),
        (137, false, "unchecked", 137), (0, false, "unchecked", 2), (1, false, "refused", 1),
      ])
    func verdicts(_ status: Int, _ hasReport: Bool, _ verdict: String, _ expected: Int) throws {
      let signet = try FakeSignet(status: status, reports: hasReport ? ["json": "{}", "html": "<p>"] : [:])
      let run = try run(signet, gate)
      #expect(Int(run.status) == expected)
      #expect(run.outputs["verdict"] == verdict)
      // What was not checked to its end has no report, even if one was written.
      let isShown = hasReport && verdict != "unchecked"
      #expect(run.outputs["report"] == (isShown ? "report.json" : ""))
      #expect(run.outputs["html"] == (isShown ? "report.html" : ""))
      #expect(run.outputs["sarif"] == "")
      #expect(run.outputs["program"] == signet.path)
      #expect(annotations(run).count == (expected == 0 ? 0 : 1))
    }

    private static let wrong: [[String: String]] = [
      [:], ["policy": "p"], ["policy": "p", "policy-sha256": "0A"],
      ["policy": "p", "policy-sha256": String(repeating: "0A", count: 32)], ["policy-sha256": "PIN", "key": "KEY"],
      ["policy": "p", "policy-sha256": "PIN\n"], ["policy": "p", "policy-sha256": "PIN", "key": "KEY"],
      ["key": "KEY", "paths": ""], ["key": "KEY", "paths": "\n\n"], ["key": "KEY", "fail-on-warning": ""],
      ["key": "KEY", "fail-on-warning": "True"], ["key": "KEY", "allow-empty": "true "],
      ["key": "KEY", "attest-key": "k"], ["key": "KEY", "attest-to": "d"], ["key": "KEY", "url": "https://a"],
      ["key": "KEY", "signing-key": "k", "paths": ""],
      ["key": "publisher.pub"], ["key": "./publisher.pub"], ["key": "AAAA"],
    ]

    @Test("inputs that do not say what is trusted, or what is checked, end before the gate", arguments: wrong)
    func wrongInputs(_ given: [String: String]) throws {
      let signet = try FakeSignet()
      let run = try run(
        signet,
        given.mapValues {
          $0.replacingOccurrences(of: "PIN", with: pin).replacingOccurrences(of: "KEY", with: "ssh-ed25519 AAAA")
        })
      #expect(run.status == 64)
      #expect(annotations(run).count == 1 && annotations(run).first?.name == "error")
      #expect(try signet.calls().isEmpty)
      #expect(run.outputs["verdict"] == "")
    }

    @Test("a program that is not there is not run")
    func missingProgram() throws {
      for name in HostileText.all + ["/nowhere/signet"] {
        let run = try action.run(gate.merging(["signet-path": name]) { $1 }, in: folder)
        #expect(run.status == 2, "\(name)")
        #expect(run.output.commands == [.init("error", "title=Signet", "signet-path leads to no program")])
      }
      #expect(try folder.listing() == [])
    }

    @Test("the real program signs and gates a release with hostile names, and refuses it once a file has changed")
    func realProgram() throws {
      let release = try UnsignedRelease(in: folder)
      let gate = [
        "signet-path": UnsignedRelease.signet, "policy": "release.json", "policy-sha256": release.pin,
      ]
      let signed = try action.run(gate.merging(["signing-key": release.key]) { $1 }, in: folder)
      #expect(signed.status == 0, "\(signed.output.shown)")
      #expect(signed.outputs["verdict"] == "clean")
      for (output, name) in [
        ("report", "report.json"), ("sarif", "report.sarif"), ("html", "report.html"), ("junit", "junit.xml"),
        ("checksums", "SHA256SUMS"),
      ] {
        #expect(signed.outputs[output] == name)
      }
      let notices = annotations(signed)
      #expect(notices.map(\.name) == ["notice"] && notices[0].data.hasPrefix("clean: no findings; "))
      #expect(signed.summary.hasPrefix("# Signet gate: clean\n"))
      #expect(try release.found() == release.signedNames)

      try release.tamper()
      let refused = try action.run(gate, in: folder)
      #expect(refused.status == 1)
      #expect(refused.outputs["verdict"] == "refused" && refused.outputs["report"] == "report.json")
      let errors = annotations(refused)
      #expect(errors.map(\.name) == ["error", "notice", "error"])
      #expect(errors[0].properties == "file=\(UnsignedRelease.tampered),title=Signet gate%3A signature")
      #expect(errors[0].data.contains("; code digest.mismatch\n"))
      #expect(errors[2].data == "the release is refused; the summary says why")
      #expect(!refused.output.isStopped)
      #expect(try release.found() == release.signedNames)
      #expect(try folder.listing() == ["release", "release.json"])
    }

    @Test("a program of another version is not run")
    func version() throws {
      let signet = try FakeSignet(output: "1.2.3\n")
      let run = try run(signet, gate.merging(["version": "1.2.4"]) { $1 })
      #expect(run.status == 2)
      #expect(try signet.calls().map(\.arguments) == [["version"]])
      let right = try FakeSignet(output: "1.2.3\n")
      #expect(try self.run(right, gate.merging(["version": "1.2.3"]) { $1 }).status == 0)
    }
  }
#endif
