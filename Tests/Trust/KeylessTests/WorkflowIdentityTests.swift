import TestSupport
import Testing

@testable import Keyless

@Suite struct WorkflowIdentityTests {
  private static let repository = "https://github.com/example/tool"

  private func found(
    _ identity: String = "\(repository)/.github/workflows/release.yml@refs/tags/v1",
    issuer: String? = WorkflowIdentity.gitHub, claims: [String: String] = [:]
  ) -> CertifiedIdentity {
    let all = ["repository": Self.repository, "ref": "refs/tags/v1", "commit": "c0ffee", "trigger": "push"]
    return CertifiedIdentity(
      identity, issuer: issuer,
      all.merging(claims) { $1 }.filter { !$0.value.isEmpty }.map {
        CertifiedIdentity.Claim(name: $0.key, text: $0.value)
      })
  }

  private func workflow(_ change: (inout WorkflowIdentity) -> Void = { _ in }) throws -> WorkflowIdentity {
    var identity = try #require(WorkflowIdentity("example/tool"))
    change(&identity)
    return identity
  }

  @Test("a repository is an address, or OWNER/NAME at GitHub")
  func repositories() {
    #expect(WorkflowIdentity("example/tool")?.repository == Self.repository)
    #expect(WorkflowIdentity("https://gitlab.com/group/sub/tool")?.repository == "https://gitlab.com/group/sub/tool")
    #expect(WorkflowIdentity("https://gitlab.com/group/sub/tool")?.issuer == "https://gitlab.com")
    #expect(WorkflowIdentity("https://example.com/group/tool")?.issuer == "")
    for text in [
      "https://github.com/example/tool/", "https://github.com/example/tool.git", "github.com/example/tool",
      "example/tool.git",
    ] { #expect(WorkflowIdentity(text)?.repository == Self.repository, "\(text)") }
    for text in [
      "", "tool", "a/b/c", "/tool", "example/", "example/..", "./tool", "https://github.com/example",
      "https://github.com//tool", "https://github.com/example/", "https://github.com/example/../tool", "a b/c",
      "a/b\n",
    ] { #expect(WorkflowIdentity(text) == nil, "\(text)") }
  }

  @Test("its own workflows match, for the repository, the issuer and what is named besides")
  func matches() throws {
    let any = try workflow()
    #expect(any.matches(found()))
    #expect(try workflow { $0.workflow = ".github/workflows/release.yml" }.matches(found()))
    #expect(try workflow { $0.workflow = "\(Self.repository)/.github/workflows/release.yml" }.matches(found()))
    #expect(try workflow { $0.ref = "refs/tags/v*" }.matches(found()))
    #expect(try workflow { $0.commit = "c0ffee" }.matches(found()))
    #expect(try workflow { $0.trigger = "push" }.matches(found()))
    // At GitHub, the case of letters in owner and name makes no difference.
    #expect(try #require(WorkflowIdentity("Example/Tool")).matches(found()))
    #expect(any.matches(found(claims: ["repository": "https://github.com/Example/tool"])))
  }

  @Test("a workflow is taken as people write it")
  func workflows() throws {
    let path = ".github/workflows/release.yml"
    for (text, expected) in [
      ("release.yml", path), (path, path), ("other/repo/\(path)", "https://github.com/other/repo/\(path)"),
      ("https://github.com/other/repo/\(path)", "https://github.com/other/repo/\(path)"),
      ("\(path)@refs/heads/main", nil),
      ("", nil), ("src/release.yml", nil), ("https://github.com/other/repo/release.yml", nil),
    ] {
      var identity = try workflow()
      #expect(identity.take(workflow: text) == (expected != nil), "\(text)")
      if let expected { #expect(identity.workflow == expected) }
    }
    var identity = try #require(WorkflowIdentity("https://gitlab.com/group/tool"))
    #expect(identity.take(workflow: ".gitlab-ci.yml") && identity.workflow == ".gitlab-ci.yml")
  }

  @Test("anything else does not")
  func others() throws {
    let any = try workflow()
    #expect(!any.matches(found(issuer: nil)))
    #expect(!any.matches(found(issuer: "https://token.actions.githubusercontent.com/")))
    #expect(!any.matches(found(issuer: "https://token.actions.githubusercontent.com.evil.example")))
    // The workflow of another repository, for builds of this one.
    #expect(!any.matches(found("https://github.com/example/other/.github/workflows/release.yml@refs/tags/v1")))
    #expect(!any.matches(found("https://github.com/example/tool-evil/.github/workflows/release.yml@refs/tags/v1")))
    #expect(!any.matches(found("https://github.com/example/tool")))
    // A workflow of this repository, for builds of another one, or of none that is named.
    #expect(!any.matches(found(claims: ["repository": "https://github.com/example/fork"])))
    #expect(!any.matches(found(claims: ["repository": ""])))
    var other = try #require(WorkflowIdentity("https://gitlab.com/Group/tool"))
    #expect(
      !other.matches(
        found(
          "https://gitlab.com/group/tool//ci.yml@x", issuer: "https://gitlab.com",
          claims: ["repository": "https://gitlab.com/group/tool"])))
    other = try workflow { $0.workflow = ".github/workflows/release.yml" }
    #expect(!other.matches(found("\(Self.repository)/.github/workflows/release.yml@evil.yml@refs/heads/x")))
    #expect(other.matches(found("\(Self.repository)/.github/workflows/release.yml@0123abcd")))
    #expect(other.matches(found("\(Self.repository)/.github/workflows/release.yml@refs/tags/a@1")))
    #expect(!(try workflow { $0.workflow = ".github/workflows/release" }.matches(found())))
    #expect(!(try workflow { $0.workflow = ".github/workflows/release.yml@refs/tags/v1" }.matches(found())))
    #expect(!(try workflow { $0.commit = "c0ff" }.matches(found())))
    #expect(!(try workflow { $0.trigger = "push" }.matches(found(claims: ["trigger": ""]))))
    #expect(!(try workflow { $0.runner = "github-hosted" }.matches(found())))
    #expect(!(try workflow { $0.ref = "refs/tags/v*" }.matches(found(claims: ["ref": ""]))))
  }

  @Test("a pattern of refs matches part by part")
  func refs() {
    for (pattern, ref, isCovered) in [
      ("refs/tags/v*", "refs/tags/v1.2", true), ("refs/tags/v*", "refs/tags/v", true),
      ("refs/tags/v*", "refs/tags/v1/x", false), ("refs/tags/v*", "refs/heads/v1", false),
      ("refs/tags/v*", "refs/tags/x/v1", false), ("refs/*/v1", "refs/tags/v1", true),
      ("refs/heads/release/*", "refs/heads/release/2", true), ("refs/heads/release/*", "refs/heads/release", false),
      ("refs/heads/main", "refs/heads/main", true), ("refs/heads/main", "refs/heads/main/", false),
      ("refs/heads/main", "refs//heads/main", false), ("refs/tags/*", "refs/tags/", false),
    ] { #expect(WorkflowIdentity.covers(pattern, ref) == isCovered, "\(pattern) \(ref)") }
    for text in ["refs/tags/v*", "refs/heads/a/b"] { #expect(WorkflowIdentity.isRef(text)) }
    for text in ["v1", "tags/v1", "refs/tags/", "refs//v1", "refs", "refs/tags", ""] {
      #expect(!WorkflowIdentity.isRef(text))
    }
  }

  @Test("it is told in words")
  func words() throws {
    #expect("\(try workflow())" == "workflows of https://github.com/example/tool")
    let all = try workflow {
      $0.workflow = "w.yml"
      $0.ref = "refs/tags/v*"
      $0.commit = "c0ffee"
      $0.trigger = "push"
      $0.runner = "github-hosted"
      $0.issuer = "https://issuer.example.com"
    }
    #expect(
      "\(all)"
        == "the workflow w.yml of https://github.com/example/tool on refs/tags/v* at c0ffee started by push on a github-hosted runner, as https://issuer.example.com certifies"
    )
  }
}
