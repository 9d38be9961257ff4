internal import SignetAddresses
internal import SignetBase

/// Sources are fetched over http, https, ssh or git, and the address has no secret: many people read a spec.
package enum SourceURLRule: SpecRule {
  package static let about = SpecRuleDescription(
    "source-url", "The source's address is http, https, ssh or git, without password, query and fragment", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let git = linted.spec.source?.git, !git.isUnwritten, let fault = fault(of: git) else { return }
    findings.note(
      "source.git", fault, expected: "an address such as https://example.com/player.git", found: shown(git),
      hint: "give secrets to the program that fetches; write git@HOST:PATH as ssh://git@HOST/PATH")
  }

  private static let schemes = ["http", "https", "ssh", "git"]

  /// What is wrong with an address; nil if nothing is.
  static func fault(of text: String) -> String? {
    guard let scheme = scheme(of: text) else { return "has another scheme than http, https, ssh and git" }
    var rest = text.utf8.dropFirst(scheme.utf8.count + "://".utf8.count)
    guard !rest.contains(UInt8(ascii: "?")), !rest.contains(UInt8(ascii: "#")) else {
      return "has a query or a fragment, where secrets may be"
    }
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    let path = rest.dropFirst(authority.count)
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      let user = authority[..<at]
      // The user name for ssh is usually git, and no secret: people log in with a key.
      guard scheme == "ssh", !user.contains(UInt8(ascii: ":")) else { return "has a user name or a password" }
      guard !user.isEmpty, user.allSatisfy(isOfName), user.first != UInt8(ascii: "-") else {
        return "has a user name that no server has"
      }
      rest = rest[authority.index(after: at)...]
    }
    // ssh would take a host that begins with a hyphen for an option.
    guard rest.first != UInt8(ascii: "-"), path.count > 1,
      (try? DownloadURL("https://" + String(decoding: rest, as: UTF8.self))) != nil
    else { return "does not name a host and a path in printable ASCII" }
    return nil
  }

  private static func scheme(of text: String) -> String? {
    schemes.first { text.utf8.starts(with: "\($0)://".utf8) }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "._-".utf8.contains(byte)
  }

  /// The part of a refused address that can hold no secret.
  private static func shown(_ text: String) -> String {
    scheme(of: text).map { "\($0)://…" } ?? "…"
  }
}
