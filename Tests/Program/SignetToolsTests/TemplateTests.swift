import Foundation
import Signet
import SignetBase
import TestSupport
import Testing

@testable import SignetCLI
@testable import SignetTools

/// The files that new projects begin with, in every kind of project.
@Suite("templates of new projects")
struct TemplateTests {
  private static let own = Templates(folder: Repository.root + "/Templates")

  /// The files of each kind of project.
  private static func projects(_ templates: Templates = own) throws -> [(name: String, files: [ScaffoldFile])] {
    let identifier = try #require(ModuleIdentifier("com.example.lamp"))
    let styles: [any ProjectStyle] = [SignetStyle()] + ReplacedSystem.allCases.map(\.style)
    var projects: [(name: String, files: [ScaffoldFile])] = []
    for signet in [
      SignetSource.checkout("../signet"), .machine(Repository.root),
      .repository("https://git.example.com/signet.git"),
    ] {
      for style in styles {
        let module = ModuleScaffold(
          name: "lamp", identifier: identifier, signet: signet, templates: templates, style: style)
        let host = HostScaffold(
          name: "stage", identifier: identifier, signet: signet, templates: templates, style: style)
        projects += [("module like \(style.plugin)", try module.swiftFiles())]
        projects += [("host like \(style.host)", try host.files())]
      }
      for language in NewModuleCommand.Language.allCases {
        for framework in ProjectTests.Framework.choices(for: language) {
          let module = ModuleScaffold(
            name: "lamp", identifier: identifier, signet: signet, templates: templates, style: PagesStyle(),
            prefix: "AB", tests: ProjectTests(framework: framework, hasViews: framework.allowsViews))
          let spec = SpecScaffold(module: module, language: language, platform: "linux", hasDemo: true)
          projects += [("spec in \(language), \(framework)", try spec.files())]
        }
      }
    }
    return projects
  }

  /// The paths of all templates.
  private static func paths() throws -> [String] {
    let files = try #require(FileManager.default.enumerator(atPath: own.folder))
    return files.compactMap { $0 as? String }.filter { $0.contains(".") || $0.hasSuffix("Makefile") }.sorted()
  }

  private static func write(_ files: [ScaffoldFile], into folder: String) throws {
    for file in files {
      let place = URL(fileURLWithPath: "\(folder)/\(file.path)")
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.text.utf8).write(to: place)
    }
  }

  @Test("every template is a part of a project, and without it there is none")
  func usedTemplates() throws {
    let folder = try TemporaryFolder()
    let copy = Templates(folder: folder.file("Templates"))
    try FileManager.default.copyItem(atPath: Self.own.folder, toPath: copy.folder)
    let paths = try Self.paths()
    #expect(paths.count > 35)
    for path in paths {
      try FileManager.default.moveItem(atPath: "\(copy.folder)/\(path)", toPath: folder.file("away"))
      let error = expectError(.init("file.missing"), "\(path)") { _ = try Self.projects(copy) }
      #expect(error?.object == "\(copy.folder)/\(path)")
      try FileManager.default.moveItem(atPath: folder.file("away"), toPath: "\(copy.folder)/\(path)")
    }
  }

  @Test("no name is left in a project, and every file ends with one line end")
  func filled() throws {
    for (name, files) in try Self.projects() {
      for file in files {
        #expect(!file.text.contains("{{") && !file.text.contains("}}"), "\(name): \(file.path)")
        #expect(file.text.hasSuffix("\n"), "\(name): \(file.path)")
      }
      #expect(Set(files.map(\.path)).count == files.count, "\(name)")
    }
  }

  @Test(
    "what projects begin with is formatted as Signet is, and has no warning of a compiler",
    .enabled(if: Program.find("swift") != nil && Program.find("clang") != nil, "swift or clang is missing"))
  func lint() throws {
    let folder = try TemporaryFolder()
    let (swift, clang) = (try #require(Program.find("swift")), try #require(Program.find("clang")))
    for (number, project) in try Self.projects().enumerated() {
      try Self.write(project.files, into: folder.file("\(number)"))
      for file in project.files where file.path.hasSuffix(".json") {
        #expect(throws: Never.self, "\(project.name): \(file.path)") {
          try JSONSerialization.jsonObject(with: Data(file.text.utf8))
        }
      }
      for file in project.files where file.path.hasSuffix(".c") {
        let run = try Program.run(
          clang,
          [
            "-fsyntax-only", "-std=c11", "-Wall", "-Wextra", "-Werror",
            "-I\(Repository.root)/Sources/Plugins/CSignetPlugin/include", "\(number)/\(file.path)",
          ], in: folder.path)
        #expect(run.status == 0, "\(project.name): \(run.errors)")
      }
    }
    let run = try Program.run(
      swift,
      ["format", "lint", "--strict", "--configuration", "\(Repository.root)/.swift-format", "-r", "."],
      in: folder.path)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
  }

  @Test("a line of names that stand for nothing is left out, and a value is not filled in again")
  func values() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", Array("{{x}}{{y}}\n\n{{x}}b {{y}}{{z}}\n".utf8))
    let templates = Templates(folder: folder.path)
    #expect(try templates.text("a", ["x": "", "y": "", "z": "{{x}}"]) == "\nb {{x}}\n")
    #expect(try templates.part("a", ["x": "1", "y": "2", "z": "3"]) == "12\n\n1b 23")
  }

  @Test(
    "a template with a name that the program does not know is refused",
    arguments: ["{{unknown}}", "{{", "{{x", "{{}}", "{{ x }}", "\u{feff}{{X}}"])
  func unknownName(line: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("a", Array("first\n\(line)\n".utf8))
    expectError(.init("template.malformed")) { _ = try Templates(folder: folder.path).text("a", ["x": "1"]) }
  }

  @Test("a template that is not UTF-8, or that others may write, is refused")
  func foreignTemplates() throws {
    let folder = try TemporaryFolder()
    try folder.write("binary", [0x61, 0xff, 0x0a])
    try folder.write("shared", [0x61, 0x0a], mode: 0o666)
    let templates = Templates(folder: folder.path)
    expectError(.init("template.malformed")) { _ = try templates.text("binary") }
    expectError(.init("file.others-may-write")) { _ = try templates.text("shared") }
  }
}
