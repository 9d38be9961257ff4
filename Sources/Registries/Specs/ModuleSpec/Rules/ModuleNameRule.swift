/// Code imports a module by its name, so that the name is an identifier of C99 (section 6.4.2), and no keyword (6.4.1).
package enum ModuleNameRule: SpecRule {
  package static let about = SpecRuleDescription(
    "module-name", "The name by which code imports the module is an identifier of C99", .error)

  private static let keywords: Set<String> = [
    "_Bool", "_Complex", "_Imaginary", "auto", "break", "case", "char", "const", "continue", "default", "do",
    "double",
    "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile",
    "while",
  ]

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let name = linted.spec.moduleName, !name.isUnwritten, !isIdentifier(name) || keywords.contains(name) else {
      return
    }
    findings.note(
      "module_name", "is not an identifier of C",
      expected: "letters, digits and _, not a digit first, and no keyword",
      found: name, hint: "correct `module_name`, such as to MyPlayer")
  }

  private static func isIdentifier(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    return text.utf8.first.map(isLetter) == true
      && text.utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
