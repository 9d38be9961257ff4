internal import ArgumentParser
internal import ModuleInstaller
internal import ModuleResolver
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCLI

struct AddCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a module to a Modfile, and install it.",
    discussion: """
      Writes a line for the module into the Modfile, and installs as signet install does. Without VERSIONS, the line accepts \
      the newest release and later ones that are compatible with it. With --target, the line is for that target. If the \
      installation is refused, the Modfile stays as it was.

      --source says who may serve the module: a source of the Modfile, or a repository of specs that signet spec repo add \
      has named, which becomes a source. Without it, the Modfile must already have a source that may serve the module.

      Examples:
        signet add com.example.player
        signet add com.example.codec '>= 1.2' '< 2' --target shop
        signet add com.example.cart --source example
      """)

  @Argument(help: "The module.", transform: ModuleIdentifier.argument)
  var module: ModuleIdentifier

  @Argument(help: "The versions that the line accepts, such as '~> 1.0'.")
  var versions: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Let this source serve the module: one of the Modfile, or an added repository of specs.", valueName: "name"))
  var source: String?

  @OptionGroup var specs: SpecRepositoryOptions
  @OptionGroup var options: InstallOptions
  @OptionGroup var files: ModfileOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if let source, ModfileName(source) == nil {
      throw ValidationError(
        "\(source) is not the name of a source: add registries with signet init.")
    }
    guard !versions.isEmpty else { return }
    guard let requirement = VersionRequirement(versions), !requirement.isEmpty else {
      throw ValidationError(
        "\(versions.joined(separator: ", ")) is not what versions a line accepts: give up to \(VersionRequirement.comparatorLimit) comparators that can all hold, such as '~> 1.0'."
      )
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    var written = VersionRequirement(versions) ?? .any
    let status = try InstallRun(command: "add", files: files, options: options, console: console)
      .run(.install) { (modfile, text, _) throws(SignetError) in
        try edit(modfile, text, written)
      } finishing: { (resolution, modfile, text) throws(SignetError) in
        guard versions.isEmpty,
          let chosen = resolution.modules.first(where: { $0.identifier == module })?.release.version,
          let compatible = VersionRequirement([chosen.compatibleVersions])
        else { return nil }
        written = compatible
        return try edit(modfile, text, compatible)
      }
    guard status == .done else { return status }
    let comparators = written.comparators.map { ", '\($0)'" }.joined()
    try console.result("  line      module '\(module)'\(comparators) in \(files.modfile.display)")
    return status
  }

  /// The text of the Modfile with the module's line, and with a source that may serve it.
  private func edit(
    _ modfile: Modfile, _ text: [UInt8], _ versions: VersionRequirement
  ) throws(SignetError) -> [UInt8] {
    let added: [UInt8]
    do throws(SignetError) {
      added = try modfile.text(text, adding: module, versions, to: options.targetName)
    } catch { throw error.inModfile(files.modfile) }
    guard let source, let name = ModfileName(source) else {
      guard modfile.source(of: module) != nil || modfile.override(of: module) != nil else {
        throw SignetError(
          .modfileNoSource, files.modfile, "has no source that may serve \(module)",
          expected: "a source whose modules: cover it", found: Self.names(of: modfile),
          hint: modfile.sources.first.map { "signet add \(module) --source \($0.name)" }
            ?? "name a registry: signet init --source URL --root ROOT --modules 'com.example.**'; for a repository of "
            + "specs: signet spec repo add NAME URL; then: signet add \(module) --source NAME")
      }
      return added
    }
    guard modfile.source(of: module)?.name != name else { return added }
    // The line of the module alone would not be a Modfile yet.
    if modfile.sources.contains(where: { $0.name == name }) {
      let served = try modfile.text(text, letting: name, serve: module)
      return try Modfile(served).text(served, adding: module, versions, to: options.targetName)
    }
    let served = modfile.text(text, adding: try specSource(name, modfile))
    return try Modfile(served).text(served, adding: module, versions, to: options.targetName)
  }

  /// The repository of specs that was added under a name, as a source for the module.
  private func specSource(_ name: ModfileName, _ modfile: Modfile) throws(SignetError) -> ModuleSource {
    guard let repository = try specs.repositories().all().first(where: { $0.name.isExactly(name.description) }) else {
      throw SignetError(
        .modfileNoSource, "\(name)", "is neither a source of \(files.modfile) nor an added repository of specs",
        expected: Self.names(of: modfile),
        hint:
          "for a repository of specs: signet spec repo add \(name) URL; for a registry: signet init --name \(name) "
          + "--source URL --root ROOT --modules 'com.example.**'")
    }
    do throws(SignetError) {
      return try ModuleSource(
        name: name, .specs, url: repository.place.description, modules: [ModulePattern("\(module)") ?? .any])
    } catch  where error.code == .modfileURL {
      var error = error
      error.found = repository.place.description.display
      error.hint =
        "a Modfile names repositories of specs by http or https; name this one so: signet spec repo remove \(name); "
        + "signet spec repo add \(name) URL; then: signet add \(module) --source \(name)"
      throw error
    }
  }

  private static func names(of modfile: Modfile) -> String {
    modfile.sources.isEmpty ? "no source" : modfile.sources.map(\.name.description).joined(separator: ", ")
  }
}

extension SignetError {
  /// The error about a line of the Modfile, with the file's path.
  func inModfile(_ path: String) -> SignetError {
    about(path + String(decoding: object.utf8.dropFirst("Modfile".utf8.count), as: UTF8.self))
  }
}
