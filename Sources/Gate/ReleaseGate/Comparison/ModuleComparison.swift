package import Signet
internal import SignetArchive
internal import SignetBase

/// The differences between two releases of a module, by their verified statements.
struct ModuleComparison {
  let old: ModulePredicate?
  let new: ModulePredicate?

  /// Adds a line for each difference; for a module that only one release has, a line for everything that it declares.
  func add(to lines: inout DetailLines) {
    DescriptionComparison(
      old: old?.module, new: new?.module, oldFormat: old.map { "\($0.archive.format)" },
      newFormat: new.map { "\($0.archive.format)" }
    ).add(to: &lines)
    switch (old, new) {
    case (let old?, let new?): EntryComparison.add(old.contents.entries, new.contents.entries, to: &lines)
    case (let old?, nil): EntryComparison.addCount("-", old.contents.entries, to: &lines)
    case (nil, let new?): EntryComparison.addCount("+", new.contents.entries, to: &lines)
    case (nil, nil): break
    }
  }
}

/// The differences between two releases of a module, by what their verified descriptions declare.
package struct DescriptionComparison {
  private let old: ModuleDescription?
  private let new: ModuleDescription?
  private let oldFormat: String?
  private let newFormat: String?

  /// Compares two descriptions, or lists what the only one declares.
  ///
  /// - Parameters:
  ///   - old: the description of the earlier release.
  ///   - new: the description of the later release.
  ///   - oldFormat: the format of the earlier archive, such as `zip`.
  ///   - newFormat: the format of the later archive.
  package init(old: ModuleDescription?, new: ModuleDescription?, oldFormat: String?, newFormat: String?) {
    self.old = old
    self.new = new
    self.oldFormat = oldFormat
    self.newFormat = newFormat
  }

  /// Adds a line for each difference.
  package func add(to lines: inout DetailLines) {
    addIdentity(&lines)
    addDemands(&lines)
    addCode(&lines)
  }

  private func addIdentity(_ lines: inout DetailLines) {
    add("module", &lines) { "\($0.identifier)" }
    add("version", &lines) { "\($0.version)" }
    add("sequence", &lines) { "\($0.sequence)" }
    lines.add("format", oldFormat, newFormat)
    add("embedding", &lines) { $0.isEmbedded ? "in the host" : nil }
  }

  /// What the module asks of its host and of other modules, and what it offers them.
  private func addDemands(_ lines: inout DetailLines) {
    addList("permission", &lines, \.permissions)
    addList("route", &lines, \.routes)
    addList("service", &lines, \.services)
    addNamed(&lines, \.actions, { "action \($0) \($1)" })
    addList("page", &lines, \.pages.words)
    addList("parameter of a page", &lines, \.pages.parameterWords)
    add("host", &lines) { $0.requirements.host.map { "\($0)" } }
    addNamed(
      &lines, { $0.requirements.modules.map { (name: "\($0.identifier)", value: "\($0.versions)") } },
      { "requirement \($0) \($1.visible)" })
    addList("resource", &lines, \.resources)
  }

  private func addCode(_ lines: inout DetailLines) {
    add("principal", &lines, \.principal)
    addNamed(
      &lines, { $0.binaries.map { (name: $0.key.rawValue, value: $0.value.path) } },
      { "binary for \($0) \($1.word)" })
    addList("library for", &lines) { module in
      module.binaries.flatMap { platform, binary in binary.libraries.map { "\(platform) \($0)" } }
    }
    addList("needed library for", &lines) { module in
      module.binaries.flatMap { platform, binary in binary.needed.map { "\(platform) \($0)" } }
    }
  }

  private func add(_ noun: String, _ lines: inout DetailLines, _ value: (ModuleDescription) -> String?) {
    lines.add(noun, old.flatMap(value), new.flatMap(value))
  }

  private func addList(_ noun: String, _ lines: inout DetailLines, _ list: (ModuleDescription) -> [String]) {
    lines.add(noun, old.map(list) ?? [], new.map(list) ?? [])
  }

  private func addNamed(
    _ lines: inout DetailLines, _ list: (ModuleDescription) -> [(name: String, value: String)],
    _ words: (String, String) -> String
  ) {
    lines.add(old.map(list) ?? [], new.map(list) ?? [], words)
  }
}

extension ModuleDescription {
  /// The value of an action that URLs may call.
  static let openAction = "open"

  /// Every action as `target/action`, and whether URLs may call it: `open` or `local`. Neither name has a slash.
  package var actions: [(name: String, value: String)] {
    targets.flatMap { target in
      target.actions.map { (name: "\(target.name)/\($0.name)", value: $0.isLocal ? "local" : Self.openAction) }
    }
  }
}

extension ModuleDescription.Pages {
  /// Every page by its name: `main page` for the one that the module opens with, `Board/Identifier` for one of a board.
  package var words: [String] {
    names.map { $0.isEmpty ? "main page" : $0 }
      + boards.flatMap { board in board.identifiers.map { "\(board.name)/\($0)" } }
  }

  /// Every parameter that a URL may set, behind the name of its page.
  var parameterWords: [String] {
    acceptedParameters.flatMap { each in each.names.map { "\(each.page.isEmpty ? "main page" : each.page) \($0)" } }
  }
}
