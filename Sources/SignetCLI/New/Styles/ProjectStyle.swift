/// The calls that a new project begins with: those of Signet, or those of a system that Signet takes over.
///
/// A plugin and a host of one style work together as they are made.
protocol ProjectStyle: Sendable {
  /// What a plugin imports beside CSignetPlugin and PluginKit.
  var pluginImports: [String] { get }

  /// The members of module.json that declare what a plugin of a name registers, without a comma at the end.
  func declarations(of name: String) -> String

  /// What a plugin of a name offers, as the end of a sentence.
  func offer(of name: String) -> String

  /// The types of a plugin's source.
  ///
  /// - Parameters:
  ///   - name: the plugin's name.
  ///   - capitalized: the name with a capital: its types begin with it.
  func plugin(_ name: String, _ capitalized: String) -> String

  /// The expression for the plugin's object, which is given to the host.
  func principal(_ capitalized: String) -> String

  /// The products of Signet that a host needs beside PluginHost, PluginKit and Signet.
  var hostProducts: [String] { get }

  /// The host's source.
  var hostProgram: String { get }

  /// The host's other files.
  func hostFiles(_ host: HostScaffold) -> [ScaffoldFile]

  /// The commands of the host's README after those that make the program and the policy.
  func hostCommands(_ host: HostScaffold) -> [String]

  /// What the policy has to allow beside modules: options of `signet trust add`, each with a space before it.
  var trusted: String { get }
}

extension ProjectStyle {
  func hostFiles(_ host: HostScaffold) -> [ScaffoldFile] { [] }
  var trusted: String { "" }
}
