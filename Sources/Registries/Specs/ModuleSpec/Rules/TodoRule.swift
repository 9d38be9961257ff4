internal import SignetBase

/// A new spec has texts that a person must write. Until then it says nothing true of a release.
package enum TodoRule: SpecRule {
  package static let about = SpecRuleDescription(
    "todo", "No text is still to be written, nor the licence: none is TODO, or begins with `TODO:`", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    let spec = linted.spec
    var fields: [(name: String, text: String?)] = [
      ("summary", spec.summary), ("description", spec.description), ("homepage", spec.homepage),
      ("license.type", spec.license?.type), ("license.file", spec.license?.file), ("module_name", spec.moduleName),
      ("source.git", spec.source?.git), ("source.tag", spec.source?.tag), ("source.commit", spec.source?.commit),
    ]
    for (index, author) in spec.authors.enumerated() {
      fields += [("authors[\(index)].name", author.name), ("authors[\(index)].email", author.email)]
    }
    for (index, dependency) in spec.dependencies.enumerated() {
      fields += [
        ("dependencies[\(index)].name", dependency.name), ("dependencies[\(index)].versions", dependency.versions),
      ]
    }
    if let line = linted.licenseLine, line.isUnwritten {
      findings.note(
        "license.file", "names a file that is still to be written", expected: "the text of the licence", found: line,
        hint: "write the licence into the file")
    }
    for (name, text) in fields {
      guard let text, text.isUnwritten else { continue }
      findings.note(
        name, "is still to be written", expected: "a text of its own", found: text, hint: "write it, without TODO")
    }
  }
}

extension String {
  /// Whether the text stands for one that a person has still to write. Other rules have nothing to say of it.
  var isUnwritten: Bool { isExactly("TODO") || utf8.starts(with: "TODO:".utf8) }
}
