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
  func hostProgram(_ host: HostScaffold) -> String

  /// The host's other files.
  func hostFiles(_ host: HostScaffold) -> [ScaffoldFile]

  /// The commands of the host's README after those that make the program and the policy.
  func hostCommands(_ host: HostScaffold) -> [String]

  /// What a start of the host leaves beside the installed modules, for `.gitignore`.
  var hostLeaves: [String] { get }

  /// The sentence of the host's README that says how to try it.
  var trial: String { get }

  /// What the policy has to allow beside modules: options of `signet trust add`, each with a space before it.
  var trusted: String { get }
}

extension ProjectStyle {
  /// A host that installs the archives that it is given, and opens the URLs.
  ///
  /// - Parameters:
  ///   - imports: what it imports beside PluginHost and Signet.
  ///   - start: the statements after the host was made.
  ///   - open: the statements that open the URL `argument`.
  static func program(imports: [String], start: String, open: String) -> String {
    let indented = { (text: String, count: Int) in
      text.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }
    return """
      \((imports + ["PluginHost", "Signet"]).sorted().map { "import \($0)" }.joined(separator: "\n"))

      @main struct Host {
        /// Each argument is an archive to install, or a URL to open.
        static func main() async throws {
          let policy = try TrustPolicy(trustedFile: "trust.json")
          let host = try PluginHost(policy: policy, store: "modules")
          host.onEvent { event in
            if case .refused(let module) = event { print("refused: \\(module.source): \\(module.reason)") }
          }
      \(indented(start, 4))

          await host.start()
          for argument in CommandLine.arguments.dropFirst() {
            do {
              if argument.contains("://") {
      \(indented(open, 10))
              } else {
                let installed = try await host.install(argument)
                try await host.load(installed.module)
                print("installed \\(installed.module)")
              }
            } catch {
              print("\\(error)")
            }
          }
          await host.markHealthy()
        }
      }

      """
  }

  func hostFiles(_ host: HostScaffold) -> [ScaffoldFile] { [] }
  var trusted: String { "" }
  var hostLeaves: [String] { [] }
  var trial: String { "`signet new module radio\(like)` makes a plugin to try it with." }
  /// The option of `signet new` that chooses the style, with a space before it.
  private var like: String {
    ReplacedSystem.allCases.first { type(of: $0.style) == Self.self }.map { " --like \($0.rawValue)" } ?? ""
  }
}
