internal import SignetBase
internal import SignetCLI

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

  /// The folder below `Templates/systems` with the types of a plugin's source, in Plugin.swift.
  var plugin: String { get }

  /// The expression for the plugin's object, which is given to the host.
  func principal(_ capitalized: String) -> String

  /// The products of Signet that a host needs beside PluginHost, PluginKit and Signet.
  var hostProducts: [String] { get }

  /// The folder below `Templates/systems` with the host's source, Host.swift.
  var host: String { get }

  /// The host's other files.
  func hostFiles(_ host: HostScaffold) throws(SignetError) -> [ScaffoldFile]

  /// The commands of the host's README after those that make the program and the policy.
  func hostCommands(_ host: HostScaffold) -> [String]

  /// What a start of the host leaves beside the installed modules, for `.gitignore`.
  var hostLeaves: [String] { get }

  /// The sentence of the host's README that says how to try it.
  ///
  /// - Parameter like: the option of `signet new` that chooses the style, with a space before it.
  func trial(_ like: String) -> String

  /// What the policy has to allow beside modules: options of `signet trust add`, each with a space before it.
  var trusted: String { get }
}

extension ProjectStyle {
  var host: String { plugin }
  func hostFiles(_ host: HostScaffold) throws(SignetError) -> [ScaffoldFile] { [] }
  var trusted: String { "" }
  var hostLeaves: [String] { [] }
  func trial(_ like: String) -> String { "`signet new module radio\(like)` makes a plugin to try it with." }
}
