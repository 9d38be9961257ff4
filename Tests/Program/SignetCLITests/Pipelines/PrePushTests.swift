import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite(
    "The hook before a push", .timeLimit(.minutes(60)), .enabled(if: Program.find("git") != nil, "git is missing"))
  struct PrePushTests {
    private let folder: TemporaryFolder
    private let pin = String(repeating: "0a", count: 32)

    /// A repository with one commit, the hook, and a remote repository.
    init() throws {
      folder = try TemporaryFolder()
      let hook = Repository.root + "/Integrations/git/pre-push"
      let made = try git(
        """
        git init -q --bare remote && git init -q -b main work && cd work && git remote add origin ../remote && \
        git config user.name test && git config user.email test@example.com && git config core.hooksPath hooks && \
        mkdir hooks && cp '\(hook)' hooks/ && git commit -q --allow-empty -m 'mend it' && git tag v1 && git tag other
        """)
      try #require(made.status == 0, "\(made.errors)")
    }

    /// Runs a command that does not see the settings of this user.
    private func git(_ command: String, _ arguments: [String] = []) throws -> Program {
      try Program.runAlone(
        "/bin/bash", ["-c", command, "bash"] + arguments, in: folder.path,
        environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "HOME": folder.path])
    }

    private func set(_ settings: [String: String]) throws {
      for (name, value) in settings {
        let set = try git("cd work && git config \"$1\" \"$2\"", ["signet." + name, value])
        try #require(set.status == 0, "\(set.errors)")
      }
    }

    private func push(_ refs: String...) throws -> Program {
      try git("cd work && git push -q origin \"$@\"", refs)
    }

    /// The names in the remote repository.
    private func pushed() throws -> [String] {
      try git("cd remote && git for-each-ref --format='%(refname)'").output.split(separator: "\n").map(String.init)
    }

    private func prepare(_ signet: FakeSignet, _ settings: [String: String] = [:]) throws {
      try set(
        ["program": signet.path, "policy": "release.json", "policySha256": pin].merging(settings) { $1 })
    }

    @Test("bash takes it, and it can be run")
    func script() throws {
      let hook = Repository.root + "/Integrations/git/pre-push"
      #expect(try Program.run("/bin/bash", ["-n", hook]).status == 0)
      #expect(FileManager.default.isExecutableFile(atPath: hook))
    }

    @Test("the release is gated once before its tags are pushed, with each setting as one argument")
    func gated() throws {
      let signet = try FakeSignet()
      let hostile = "-a $(touch pwned) '\"`touch pwned`\n--json"
      try prepare(signet, ["policy": hostile, "release": hostile])
      let run = try push("main", "v1", "v1:refs/tags/v2")
      #expect(run.status == 0, "\(run.errors)")
      #expect(
        try signet.calls().map(\.arguments) == [
          ["gate", "--policy=" + hostile, "--policy-sha256=" + pin, "--", hostile]
        ])
      #expect(try pushed() == ["refs/heads/main", "refs/tags/v1", "refs/tags/v2"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("work")).sorted() == [".git", "hooks"])
    }

    @Test("a tag of a release whose name is not UTF-8 is gated", arguments: ["C", "C.UTF-8"])
    func bytes(_ locale: String) throws {
      let signet = try FakeSignet(status: 1)
      try prepare(signet)
      let made = try git("cd work && git tag v1-$'\\xff'")
      try #require(made.status == 0, "\(made.errors)")
      let run = try git("cd work && export LC_ALL=\(locale) && git push -q origin refs/tags/v1-$'\\xff' main")
      #expect(run.status != 0)
      #expect(try signet.calls().count == 1)
      #expect(try pushed() == [])
    }

    @Test("a tag whose release is refused, or cannot be checked, is not pushed", arguments: [1, 2, 64])
    func refused(_ status: Int) throws {
      let signet = try FakeSignet(status: status, errors: "reasons\n")
      try prepare(signet)
      let run = try push("main", "v1")
      #expect(run.status != 0 && run.errors.contains("reasons\n"))
      #expect(try signet.calls().map(\.arguments.last) == ["release"])
      #expect(try pushed() == [])
    }

    @Test("the real program lets the tag of a release with hostile names pass, and stops it once a file has changed")
    func realProgram() throws {
      let work = try TemporaryFolder()
      let release = try UnsignedRelease(in: work)
      try release.sign()
      try set([
        "program": UnsignedRelease.signet, "policy": work.file("release.json"), "policySha256": release.pin,
        "release": work.file("release"),
      ])
      let clean = try push("main", "v1")
      #expect(clean.status == 0, "\(clean.errors)")
      #expect(try pushed() == ["refs/heads/main", "refs/tags/v1"])
      try release.tamper()
      let refused = try push("v1:refs/tags/v2")
      #expect(refused.status != 0)
      #expect((refused.output + refused.errors).contains("\(UnsignedRelease.tampered): is not what was signed"))
      #expect(try pushed() == ["refs/heads/main", "refs/tags/v1"])
      #expect(try release.found() == release.signedNames)
      #expect(try work.listing() == ["release", "release.json"])
    }

    @Test("what is no tag of a release is pushed without a look, and so is the end of a tag")
    func others() throws {
      let signet = try FakeSignet(status: 1)
      #expect(try push("main", "other").status == 0)
      try prepare(signet)
      #expect(try git("cd remote && git tag v9 main").status == 0)
      #expect(try push("main:refs/heads/v1", ":refs/tags/v9").status == 0)
      #expect(try signet.calls().isEmpty)
      #expect(try pushed() == ["refs/heads/main", "refs/heads/v1", "refs/tags/other"])
      try set(["tags": "oth*"])
      #expect(try push("v1").status == 0)
      #expect(try push("main:refs/tags/others").status != 0)
      #expect(try signet.calls().count == 1)
    }

    @Test(
      "a tag is seen whatever stands before it on the command line",
      arguments: ["HEAD^{/mend it}", "HEAD^{/mend\nit}", ":/mend it", "HEAD~", "v1"])
    func strangeSources(_ source: String) throws {
      let signet = try FakeSignet(status: 1)
      try prepare(signet)
      try #require(git("cd work && git commit -q --allow-empty -m 'mend\nit\n' --cleanup=verbatim").status == 0)
      #expect(try push(source + ":refs/tags/v2").status != 0)
      #expect(try signet.calls().count == 1)
      #expect(try pushed() == [])
    }

    @Test("without a policy and its digest no release is pushed")
    func unpinned() throws {
      let signet = try FakeSignet()
      try set(["program": signet.path])
      for (settings, message) in [
        ([:], "no policy is set"), (["policy": "release.json"], "no pin is set"),
        (["policySha256": pin + "0"], "must have 64 hexadecimal digits"), (["policySha256": ""], "must have 64"),
        (["policySha256": String(repeating: "0A", count: 32)], "must have 64"),
        (["policySha256": pin, "tags": ""], "signet.tags is empty"),
      ] as [([String: String], String)] {
        try set(settings)
        let run = try push("v1")
        #expect(run.status != 0 && run.errors.contains(message), "\(run.errors)")
      }
      #expect(try signet.calls().isEmpty)
      #expect(try pushed() == [])
    }

    @Test("without the program no release is pushed")
    func noProgram() throws {
      try set(["program": "/nowhere/signet", "policy": "release.json", "policySha256": pin])
      #expect(try push("v1").status != 0)
      #expect(try pushed() == [])
    }

    @Test("a line that is not git's ends the push")
    func nonsense() throws {
      try prepare(FakeSignet())
      let zeros = String(repeating: "0", count: 40)
      for line in ["nonsense", "a \(zeros) refs/tags/v1", "refs/tags/v1 \(zeros) refs/tags/v1 \(zeros) "] {
        let run = try git("cd work && printf '%s' \"$1\" | hooks/pre-push origin ../remote", [line])
        #expect(run.status == 2, "\(line)")
        #expect(run.errors == "signet: what git says about this push cannot be understood\n")
      }
    }
  }
#endif
