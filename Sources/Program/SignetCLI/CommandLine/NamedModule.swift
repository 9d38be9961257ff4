internal import ArgumentParser
package import Signet
package import SignetBase

/// Modules on command lines. A text that is no identifier ends the command before anything is done.
extension ModuleIdentifier {
  /// Reads the value of an option or argument.
  ///
  /// - Throws: a usage error.
  package static func argument(_ text: String) throws -> ModuleIdentifier {
    guard let identifier = ModuleIdentifier(text) else {
      throw ValidationError("it takes an identifier such as com.example.player")
    }
    return identifier
  }
}

extension ModuleIdentifier {
  /// The identifier of a new project: the chosen one, or else one that ends in the project's name.
  ///
  /// - Throws: `usage.invalid` if the name cannot be a part of one.
  package static func ofProject(_ name: String, _ chosen: ModuleIdentifier?) throws(SignetError) -> ModuleIdentifier {
    guard let identifier = chosen ?? ModuleIdentifier("com.example.\(name)") else {
      throw SignetError(
        .commandLine, name, "cannot be the last part of an identifier", expected: "for example com.example.player",
        hint: "name an identifier: --identifier ID")
    }
    return identifier
  }
}

/// URIs on command lines.
extension ModuleURI {
  /// Reads the value of an option.
  ///
  /// - Throws: a usage error.
  package static func argument(_ text: String) throws -> ModuleURI {
    guard let uri = ModuleURI(text) else {
      throw ValidationError("it takes a URI such as https://example.com/player, without query, user and dots")
    }
    return uri
  }
}
