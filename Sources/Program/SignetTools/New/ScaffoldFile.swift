internal import SignetCLI

/// A file of a new project.
struct ScaffoldFile {
  /// Its path within the project.
  let path: String
  let text: String

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
  }

  /// A `.gitignore` file. It lists the publisher's private key: the README has it made in the project, and it must not
  /// be committed.
  ///
  /// - Parameter built: what a build and a start leave.
  static func ignored(_ built: [String]) -> Self {
    Self(".gitignore", (built + ["/publisher", "*.zip", "*.sigstore.json*"]).joined(separator: "\n") + "\n")
  }
}
