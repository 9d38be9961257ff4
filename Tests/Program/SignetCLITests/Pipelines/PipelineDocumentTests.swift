import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// docs/pipelines.md is held against what it describes, and the shell parts of its examples are run.
  @Suite("The document on pipelines", .timeLimit(.minutes(60)))
  struct PipelineDocumentTests {
    private let document: String
    private let blocks: [Walkthrough.Block]

    init() throws {
      document = try Repository.text("docs/pipelines.md")
      blocks = try Walkthrough("docs/pipelines.md").blocks
    }

    /// The example that is the content of a file.
    private func example(_ path: String) throws -> PlainYAML {
      let block = try #require(blocks.first { $0.path == path })
      return try PlainYAML(block.lines.joined(separator: "\n"))
    }

    /// The names in the first column of the tables in a section.
    private func names(under heading: String) throws -> [String] {
      let section = try #require(document.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
      let text = section.components(separatedBy: "\n## ")[0]
      return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
        row.components(separatedBy: " | ")[0].components(separatedBy: "`").enumerated()
          .filter { $0.offset % 2 == 1 }.map(\.element)
      }
    }

    @Test("names each input and output of the action, and its workflow gives no others")
    func action() throws {
      let action = try CompositeAction()
      let names = try names(under: "GitHub Actions")
      #expect(names.sorted() == (action.inputs + action.outputs).map(\.name).sorted())
      let workflow = try example(".github/workflows/release.yml")
      let steps = (workflow["jobs"]?.entries ?? []).flatMap { $0.value["steps"]?.items ?? [] }
      let uses = steps.filter { $0["uses"]?.text?.contains("/Integrations/github@") == true }
      #expect(uses.count == 1)
      for input in uses.first?["with"]?.entries ?? [] {
        #expect(action.inputs.contains { $0.name == input.key }, "\(input.key)")
      }
      for step in steps {
        if let action = step["uses"]?.text { #expect(action.hasSuffix("@COMMIT"), "\(action)") }
        if let script = step["run"]?.text { #expect(!script.contains("${{"), "\(script)") }
      }
      let outputs = try Repository.text("docs/pipelines.md").matches(of: /steps\.signet\.outputs\.([a-z]+)/)
      #expect(outputs.count >= 6)
      for output in outputs { #expect(action.outputs.contains { $0.name == output.1 }, "\(output.1)") }
    }

    @Test("publishes in its workflow only what has not changed since the gate")
    func publication() throws {
      let workflow = try example(".github/workflows/release.yml")
      let step = try #require(workflow["jobs"]?["publish"]?["steps"]?.items.last)
      let script = try #require(step["run"]?.text)
      #expect(step["env"]?.entries.map(\.key) == ["SIGNET", "REPORT", "TAG", "GH_TOKEN"])
      for status in [0, 1] {
        let signet = try FakeSignet(status: status)
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("release"), withIntermediateDirectories: true)
        for name in ["release/$(touch pwned)", "release/-x y"] { try folder.write(name, []) }
        // The command of GitHub writes down what it would publish.
        try folder.write("gh", Array("#!/bin/bash\nprintf '%s\\n' \"$@\" > published\n".utf8), mode: 0o755)
        let run = try Program.runAlone(
          "/bin/bash", ["-e", "-c", script], in: folder.path,
          environment: ["SIGNET": signet.path, "REPORT": "re port.json", "TAG": "v1$(touch pwned)"],
          path: folder.path + ":/usr/bin:/bin")
        #expect(Int(run.status) == status)
        #expect(try signet.calls().map(\.arguments) == [["gate", "--recheck=re port.json", "--", "release"]])
        #expect(try folder.listing() == ["gh"] + (status == 0 ? ["published"] : []) + ["release"])
        if status == 0 {
          #expect(
            String(decoding: try folder.read("published"), as: UTF8.self)
              == "release\ncreate\n--verify-tag\n--\nv1$(touch pwned)\nrelease/$(touch pwned)\nrelease/-x y\n")
        }
      }
    }

    @Test("names each variable of the template, and its pipeline uses no others")
    func template() throws {
      let template = try PlainYAML(Repository.text("Integrations/gitlab/signet.gitlab-ci.yml"))
      let jobs = template.entries
      let given = jobs.flatMap { $0.value["variables"]?.entries.map(\.key) ?? [] }
      let names = try names(under: "GitLab")
      let ofProject = [
        "SIGNET_ATTEST_KEY_FILE", "SIGNET_KEY_FILE", "SIGNET_PASSPHRASE_FILE", "SIGNET_POLICY_SHA256",
      ]
      #expect(Set(names) == Set(given + ofProject))
      let text = try Repository.text("Integrations/gitlab/signet.gitlab-ci.yml")
      #expect(Set(text.matches(of: /SIGNET_[A-Z0-9_]+/).map { String($0.output) }) == Set(names))
      let pipeline = try example(".gitlab-ci.yml")
      for variable in pipeline["variables"]?.entries ?? [] { #expect(given.contains(variable.key)) }
      let extended = pipeline.entries.compactMap { $0.value["extends"]?.text }
      #expect(extended == [".signet-sign", ".signet-gate"])
      #expect(extended.allSatisfy { name in jobs.contains { $0.key == name } })
    }

    @Test("sets up a hook that works", .enabled(if: Program.find("git") != nil, "git is missing"))
    func hook() throws {
      let settings = try names(under: "A hook before the push")
      let hook = try Repository.text("Integrations/git/pre-push")
      for setting in settings { #expect(hook.contains("git config \(setting) "), "\(setting)") }
      #expect(hook.matches(of: /git config signet\.[A-Za-z0-9]+ +[A-Z]+\ /).count == settings.count)
      let commands = try #require(blocks.first { $0.language == "sh" }).lines
      let signet = try FakeSignet()
      let folder = try TemporaryFolder()
      try folder.write("release.json", Array("{}".utf8))
      let variables = [
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "HOME": folder.path, "SIGNET": Repository.root,
      ]
      let begin = [
        "git init -q --bare remote", "git init -q -b main .", "git remote add origin remote",
        "git config user.name test", "git config user.email test@example.com",
      ]
      let end = [
        "git config signet.program '\(signet.path)'", "git commit -q --allow-empty -m one", "git tag v1",
        "git push -q origin v1",
      ]
      let run = try Program.runAlone(
        "/bin/bash", ["-e", "-c", (begin + commands + end).joined(separator: "\n")], in: folder.path,
        environment: variables)
      #expect(run.status == 0, "\(run.errors)")
      let digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
      #expect(
        try signet.calls().map(\.arguments) == [
          ["gate", "--policy=release.json", "--policy-sha256=" + digest, "--", "release"]
        ])
    }
  }
#endif
