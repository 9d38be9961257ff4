internal import SignetArchive
internal import SignetBase
internal import SignetVerify

/// Something in a module that is legal but probably a mistake. A release gate may refuse it.
public struct PackingAdvice: Hashable, Sendable {
  /// The topic, such as `debris`. The texts are stable.
  public let topic: String
  /// The path that the advice is about.
  public let path: String
  /// What to consider, for people.
  public let message: String
  /// Advice on what to do about it, if there is a general answer.
  public let hint: String?

  init(topic: String, path: String, message: String, hint: String? = nil) {
    self.topic = topic
    self.path = path
    self.message = message
    self.hint = hint
  }

  /// Advice on a file whose mode has bits that the archive omits.
  init(specialMode mode: UInt32, of path: String) {
    self.init(
      topic: "special-mode", path: path,
      message: "has \(FileMode.text(mode)); the archive has no set-user-ID, set-group-ID or sticky bit")
  }

  /// Advice from a finding in a binary.
  init(_ found: SignetError) {
    topic = found.code.rawValue
    path = found.object
    message = found.message + (found.found.map { ": \($0)" } ?? "")
    hint = found.hint
  }

  /// Everything unwise about a module, judged by its description and the names of its files.
  ///
  /// - Parameter keys: the paths of files that hold a private key.
  static func all(
    _ module: ModuleDescription, _ paths: [String], withKeys keys: Set<String>
  ) -> [PackingAdvice] {
    var advice: [PackingAdvice] = []
    if module.version.description.utf8.prefix(while: { $0 != UInt8(ascii: "+") }).contains(UInt8(ascii: "-")) {
      advice.append(
        PackingAdvice(
          topic: "prerelease", path: ModuleDescription.path, message: "the version \(module.version) is no release"))
    }
    let code = Set(module.binaries.values.flatMap { [$0.path] + $0.libraries })
    for path in paths {
      let name = path.utf8.lastIndex(of: slash).map { String(path[path.utf8.index(after: $0)...]) } ?? path
      if isDebris(name) {
        advice.append(
          PackingAdvice(topic: "debris", path: path, message: "seems to be left over from another program"))
      }
      if keys.contains(path) {
        advice.append(
          PackingAdvice(
            topic: "key", path: path, message: "holds a private key",
            hint: "remove it before you publish the module"))
      } else if isKey(name) {
        advice.append(PackingAdvice(topic: "key", path: path, message: "has the name of a private key"))
      }
      if [BundleFile.single(""), BundleFile.several("")].contains(where: { ends(name, with: $0) }) {
        advice.append(
          PackingAdvice(
            topic: "bundle", path: path, message: "is inside the module; a bundle belongs beside its artifact"))
      }
      if isLibrary(name), !code.contains(path) {
        advice.append(
          PackingAdvice(
            topic: "unlisted-library", path: path,
            message: "is named like a shared library, and \(ModuleDescription.path) does not name it"))
      }
    }
    return advice
  }

  private static let slash = UInt8(ascii: "/")
  /// Files that file managers, version control systems and editors leave.
  private static let debris: Set<String> = [
    ".DS_Store", "__MACOSX", "Thumbs.db", "desktop.ini", ".git", ".svn", ".hg", ".gitignore", ".build",
  ]
  private static let debrisEndings = ["~", ".swp", ".orig", ".rej", ".bak"]
  private static let keys: Set<String> = ["id_rsa", "id_ecdsa", "id_ed25519"]
  private static let keyEndings = [".key", ".p12", ".pfx", ".jks"]

  private static func isDebris(_ name: String) -> Bool {
    debris.contains(name) || debrisEndings.contains { ends(name, with: $0) }
  }

  private static func isKey(_ name: String) -> Bool {
    keys.contains(name) || keyEndings.contains { ends(name, with: $0) }
  }

  /// Whether a name is like `libx.so`, `libx.so.1.2` or `libx.dylib`.
  package static func isLibrary(_ name: String) -> Bool {
    ends(name, with: ".so") || ends(name, with: ".dylib") || name.firstRange(of: ".so.") != nil
  }

  private static func ends(_ name: String, with ending: String) -> Bool {
    // Comparing the last byte first rules out nearly every name.
    name.utf8.last == ending.utf8.last && name.utf8.reversed().starts(with: ending.utf8.reversed())
  }
}
