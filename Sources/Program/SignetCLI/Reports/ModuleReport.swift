internal import Signet
internal import SignetBase
internal import SignetCrypto

/// A module's description and its contents as a tree, for people.
struct ModuleReport {
  private let module: ModuleDescription
  private let entries: [Entry]

  /// An entry, from a statement or from an archive that nobody has signed.
  struct Entry {
    let path: String
    let isDirectory: Bool
    /// The text beside its name.
    let note: String
  }

  init(_ module: ModuleDescription, _ entries: [Entry]) {
    self.module = module
    self.entries = entries
  }

  /// Reports what a statement claims.
  init(_ predicate: ModulePredicate) {
    self.init(
      predicate.module,
      predicate.contents.entries.map { entry in
        switch entry.content {
        case .file(let mode, let size, let sha256):
          Entry(path: entry.path, isDirectory: false, note: "\(size) bytes, \(mode), sha256 \(sha256.hex)")
        case .directory(let mode): Entry(path: entry.path, isDirectory: true, note: "\(mode)")
        case .symbolicLink(let target): Entry(path: entry.path, isDirectory: false, note: "-> \(target)")
        }
      })
  }

  /// The description, then the tree.
  var lines: [String] { ["  description"] + Self.lines(of: module.json, 2) + ["  contents"] + tree }

  /// The lines of a JSON value: one for each field, nested by indentation.
  private static func lines(of value: JSONValue, _ level: Int) -> [String] {
    let indent = String(repeating: "  ", count: level)
    switch value.content {
    case .object(let members):
      return members.flatMap { member -> [String] in
        let name = member.name.display
        guard let text = text(member.value) else { return ["\(indent)\(name)"] + lines(of: member.value, level + 1) }
        return ["\(indent)\(name)\(String(repeating: " ", count: max(1, 14 - name.count)))\(text)"]
      }
    case .array(let elements):
      return elements.flatMap { element -> [String] in
        text(element).map { ["\(indent)\($0)"] } ?? lines(of: element, level)
      }
    default: return [indent + (text(value) ?? "")]
    }
  }

  /// The text of a value that fits in a line; nil for any other.
  private static func text(_ value: JSONValue) -> String? {
    switch value.content {
    case .string(let text): text.display
    case .integer(let number): "\(number)"
    case .bool(let truth): truth ? "yes" : "no"
    case .decimal(let number): number
    case .null: "null"
    case .array, .object: nil
    }
  }

  /// Each entry below the directory that it lies in; directories without an entry of their own are shown, too.
  private var tree: [String] {
    var lines: [String] = []
    var open: [Substring] = []
    let sorted = entries.map { (entry: $0, names: $0.path.split(separator: "/")) }
      .sorted { $0.names.lexicographicallyPrecedes($1.names) }
    for (entry, names) in sorted {
      let parents = names.dropLast()
      let common = zip(open, parents).prefix { $0.0 == $0.1 }.count
      open = Array(parents)
      for level in common..<parents.count { lines.append(Self.line(level, "\(parents[level])/", "")) }
      let name = names.last.map(String.init) ?? entry.path
      lines.append(Self.line(parents.count, entry.isDirectory ? name + "/" : name, entry.note))
      if entry.isDirectory { open = names }
    }
    return lines
  }

  private static func line(_ level: Int, _ name: String, _ note: String) -> String {
    let start = String(repeating: "  ", count: level + 2) + name.display
    return note.isEmpty ? start : start + String(repeating: " ", count: max(2, 30 - start.count)) + note.display
  }
}
