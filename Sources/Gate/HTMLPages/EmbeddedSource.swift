package import SignetBase
internal import SignetCrypto

/// The style sheet or the script, which the page has inside it.
package struct EmbeddedSource {
  /// The element around it.
  package enum Kind: String {
    case script, style
  }

  /// What it is.
  package let kind: Kind
  /// The text, exactly as it stands between the tags.
  package let text: String

  /// Takes a source. A literal is required: nothing from outside can be run.
  package init(_ kind: Kind, _ text: StaticString) {
    self.kind = kind
    self.text = text.description
  }
}

/// What a page may load and run (Content Security Policy Level 3): its own style sheet and script, and nothing else.
///
/// The page escapes what it shows. If an error in that let markup through, the browser would not run it.
package struct ContentPolicy: CustomStringConvertible {
  /// The text of the policy.
  package let description: String

  /// Allows two sources by their digests.
  ///
  /// - Throws: `crypto.failure`.
  package init(style: EmbeddedSource, script: EmbeddedSource) throws(SignetError) {
    description = """
      default-src 'none'; style-src \(try Self.digest(of: style)); script-src \(try Self.digest(of: script)); \
      base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'
      """
  }

  /// Allows the files of the site that the page belongs to.
  ///
  /// - Parameter hasScript: whether the page runs a script of the site.
  package init(ofSiteWithScript hasScript: Bool) {
    description = """
      default-src 'none'; style-src 'self'; script-src \(hasScript ? "'self'" : "'none'"); base-uri 'none'; \
      form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'
      """
  }

  private static func digest(of source: EmbeddedSource) throws(SignetError) -> String {
    "'sha256-\(Base64.encode(try Digest.of(Array(source.text.utf8), .sha256).bytes))'"
  }
}
