internal import SignetBase
internal import SignetCLI
internal import SignetSystem

/// Where a new package finds Signet.
enum SignetSource {
  /// A checkout, by its path as seen from the package.
  case checkout(String)
  /// A place on this machine, by its whole path. The package has a link to it, which is not committed: others have Signet
  /// elsewhere.
  case machine(String)
  /// A repository.
  case repository(String)

  private static let header = "Sources/Plugins/CSignetPlugin/include/signet_plugin.h"

  /// The sources of this program, by their path from the root: those that were installed with it, or the checkout that
  /// it was built in; nil if both are missing.
  static var own: String? { places.first { (try? RegularFile(opening: "\($0)/\(header)")) != nil } }

  /// Where what came with this program may be, the most likely place first.
  static var places: [String] { ProgramPlace.foldersAbove.flatMap { [$0 + "/share/signet", $0] } }

  /// - Parameter text: a path as seen by the user, or a URL.
  /// - Throws: `file.missing` if there is no checkout.
  init(_ text: String) throws(SignetError) {
    guard !Self.isURL(text) else {
      self = .repository(text)
      return
    }
    do throws(SignetError) { _ = try RegularFile(opening: "\(text)/\(Self.header)") } catch {
      throw SignetError(
        .fileMissing, text, "is not a checkout of Signet", expected: "a folder with \(Self.header)", cause: error,
        hint: "give --signet the folder of a clone, or the URL of its repository")
    }
    // The package is a folder further down.
    self = text.utf8.first == UInt8(ascii: "/") ? .machine(text) : .checkout("../" + text)
  }

  /// Whether a text can be used unchanged in a Makefile, a word of the shell and a literal of Swift.
  static func isPlain(_ text: String) -> Bool {
    let others = "/._-+@:~%".unicodeScalars
    return !text.isEmpty && text.utf8.first != UInt8(ascii: "-")
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || others.contains($0)
      }
  }

  /// The name of the link to Signet in a package, and of its clone.
  static let linkName = "signet"

  /// The same place as seen from a folder in the package.
  var fromSubfolder: SignetSource {
    switch self {
    case .checkout(let path): .checkout("../" + path)
    case .machine: .checkout("../\(Self.linkName)")
    case .repository: self
    }
  }

  /// The link that a package has beside its files; nil if it needs none.
  var link: (name: String, target: String)? {
    guard case .machine(let path) = self else { return nil }
    return (Self.linkName, path)
  }

  /// What version control leaves out.
  var ignored: [String] { link.map { ["/\($0.name)"] } ?? [] }

  /// What a Makefile has so that the link is there before a target is made; empty if no link is needed.
  func makeRule(for target: String, _ templates: Templates) throws(SignetError) -> String {
    guard let link else { return "" }
    return try templates.part("link.mk") + "\n\(target): | \(link.name)\n"
  }

  /// What a Swift package calls Signet: the last part of its location.
  var identity: String {
    switch self {
    case .checkout, .machine: Self.identity(of: "")
    case .repository(let url): Self.identity(of: url)
    }
  }

  /// How a Swift package's description says that the package depends on Signet's libraries, and not on what its programs need.
  var dependency: String {
    switch self {
    case .checkout(let path): ".package(name: \"signet\", path: \"\(path)\", traits: [])"
    case .machine:
      // By one path for all packages, which make gives, what is compiled of Signet serves all of them.
      ".package(name: \"signet\", path: Context.environment[\"SIGNET\"] ?? \"\(Self.linkName)\", traits: [])"
    case .repository(let url): ".package(url: \"\(url)\", from: \"\(SignetCommand.version)\", traits: [])"
    }
  }

  /// What a Swift package would call Signet by the text that the user gives.
  private static func identity(of text: String) -> String {
    guard isURL(text), let end = text.split(separator: "/").last else { return "signet" }
    return String(end.hasSuffix(".git") ? end.dropLast(4) : end)
  }

  /// The names of Signet by the text that the user gives: a package of such a name could not depend on Signet.
  ///
  /// The Swift package manager knows a checkout by its folder, too, whatever the package is called.
  static func names(by text: String) -> [String] {
    let name = identity(of: text).lowercased()
    guard !isURL(text), let path = try? Directory(opening: text).place(), let folder = path.split(separator: "/").last
    else { return [name] }
    return [name, folder.lowercased()]
  }

  private static func isURL(_ text: String) -> Bool { text.contains("://") }
}
