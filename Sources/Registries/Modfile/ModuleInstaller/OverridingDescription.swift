internal import ModuleResolver
internal import Signet
internal import SignetBase
internal import SignetSystem

/// The description of a module in an overriding folder or commit.
enum OverridingDescription {
  /// Reads a description.
  ///
  /// - Parameters:
  ///   - module: the module that it must be of.
  ///   - project: the folder of the Modfile, to which paths are relative.
  ///   - bytes: gives the text of `module.json` in a commit; nil if the commit has none.
  /// - Throws: `install.override`; what `bytes` throws.
  static func read(
    _ module: ModuleIdentifier, at override: ModuleOverride, in project: String,
    _ bytes: (GitCommit) throws(SignetError) -> [UInt8]?
  ) throws(SignetError) -> ModuleDescription {
    let (place, hint): (String, String)
    let text: [UInt8]
    switch override {
    case .path(let path):
      (place, hint) = (
        "\(project)/\(path)/\(ModuleDescription.path)", "name the folder of the module, relative to the Modfile"
      )
      do throws(SignetError) {
        text = try RegularFile(opening: place).bytes(limit: JSONLimits.moduleDescription.size)
      } catch {
        throw noDescription(at: place, of: module, cause: error, hint: hint)
      }
    case .commit(let commit):
      place = "\(ModuleDescription.path) of \(commit.id)"
      hint = "name a commit with the module's description at the root of its files"
      guard let found = try bytes(commit) else { throw noDescription(at: place, of: module, cause: nil, hint: hint) }
      text = found
    }
    let description: ModuleDescription
    do throws(SignetError) { description = try ModuleDescription(json: text) } catch {
      throw noDescription(at: place, of: module, cause: error, hint: hint)
    }
    guard description.identifier == module else {
      throw SignetError(
        .installOverride, place, "describes another module", expected: "\(module)",
        found: "\(description.identifier)", hint: hint)
    }
    return description
  }

  private static func noDescription(
    at place: String, of module: ModuleIdentifier, cause: SignetError?, hint: String
  ) -> SignetError {
    SignetError(.installOverride, place, "is not the description of \(module)", cause: cause, hint: hint)
  }
}
