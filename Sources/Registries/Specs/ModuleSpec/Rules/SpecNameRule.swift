/// A name is also that of folders and files, and stands in lists: it can be neither a path, nor hidden, nor two words.
package enum SpecNameRule: SpecRule {
  package static let about = SpecRuleDescription(
    "name", "The name has no slash and no space, and does not begin with a dot", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    let name = linted.spec.name
    let fault: String
    if name.utf8.first == UInt8(ascii: ".") {
      fault = "begins with a dot"
    } else if name.utf8.contains(UInt8(ascii: "/")) {
      fault = "has a slash"
    } else if name.utf8.contains(UInt8(ascii: " ")) {
      fault = "has a space"
    } else {
      return
    }
    findings.note("name", fault, found: name, hint: "rename the module")
  }
}
