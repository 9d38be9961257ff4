internal import Signet
internal import SignetBase
internal import SignetCLI

/// What a new module with a spec is to be: said by options, answered at a terminal, or as usual.
struct SpecAnswers {
  /// The maximum length of a prefix. Those of Apple's frameworks have two or three letters.
  static let prefixLimit = 10
  /// How people say that there is no prefix.
  private static let noPrefix = "none"

  let platform: SpecInitCommand.Platform
  let language: NewModuleCommand.Language
  let hasDemo: Bool
  let tests: ProjectTests
  let prefix: String

  /// Asks for what the options do not say.
  ///
  /// - Throws: `question.unanswered`, `question.unreadable`.
  init(_ command: SpecInitCommand, _ questioner: borrowing Questioner) throws(SignetError) {
    platform = try questioner.answer(command.platform, .linux, Question("Platform", usual: .linux))
    language = try questioner.answer(
      command.language ?? command.tests?.language, .swift, Question("Language", usual: .swift))
    hasDemo = try questioner.answer(command.demo, false, Question("A host that loads the module", usual: false))
    let choices = ProjectTests.Framework.choices(for: language)
    let framework = try questioner.answer(
      command.tests, .none, Question("Tests", among: choices, usual: .none))
    var hasViews = false
    if framework.allowsViews {
      hasViews = try questioner.answer(
        command.viewTests, false, Question("Tests of pages against recorded texts", usual: false))
    }
    tests = ProjectTests(framework: framework, hasViews: hasViews)
    prefix = try questioner.answer(
      command.prefix.flatMap(Self.prefix), "",
      Question(text: "Prefix of types, such as ABC", usual: Self.noPrefix, answer: Self.prefix))
  }

  /// The prefix that a text is; nil for none that types can have.
  static func prefix(_ text: String) -> String? {
    if text.isExactly(noPrefix) { return "" }
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard (1...prefixLimit).contains(text.utf8.count), text.utf8.first.map(letters.contains) == true,
      text.utf8.allSatisfy({ letters.contains($0) || digits.contains($0) })
    else { return nil }
    return text
  }

  /// The files of the module.
  func scaffold(
    of name: String, _ identifier: ModuleIdentifier, _ signet: SignetSource, _ templates: Templates
  ) -> SpecScaffold {
    SpecScaffold(
      module: ModuleScaffold(
        name: name, identifier: identifier, signet: signet, templates: templates, style: PagesStyle(), prefix: prefix,
        platform: platform.binary, tests: tests),
      language: language, platform: platform.rawValue, hasDemo: hasDemo)
  }
}
