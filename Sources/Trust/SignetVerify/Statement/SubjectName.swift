internal import SignetBase

/// The name that a verifier expects a statement to give an artifact.
///
/// `signet sign --each` gives each file of a release its path from the release's folder, such as `linux/tool`. A
/// user who downloads the file has it under its last name alone.
package struct SubjectName: Sendable {
  /// The name.
  let text: String
  /// Whether the statement may name folders before the name, as `linux/tool` does before `tool`.
  let allowsFolders: Bool

  /// The name that a verifier expects.
  package init(text: String, allowsFolders: Bool) {
    self.text = text
    self.allowsFolders = allowsFolders
  }

  /// The maximum length of a path in bytes.
  private static let pathLimit = 1023
  /// The maximum length of a name in bytes.
  private static let nameLimit = 255

  /// Whether a statement's name is the expected one.
  package func matches(_ stated: String) -> Bool {
    if stated.isExactly(text) { return !stated.isEmpty }
    guard allowsFolders, Self.isPath(stated) else { return false }
    let last = stated.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()
    return last.elementsEqual(text.utf8)
  }

  /// Whether a text can name an artifact in a statement: a name, or a path from a release's folder.
  ///
  /// A path has no empty name, no `.` and no `..`, so that each artifact has one path.
  package static func isPath(_ text: String) -> Bool {
    let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return text.utf8.count <= pathLimit && !text.utf8.contains(0)
      && names.allSatisfy { name in
        (1...nameLimit).contains(name.count) && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
      }
  }
}
