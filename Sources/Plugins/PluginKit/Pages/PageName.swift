/// The name of a page of a module: `Detail`, `Main/Settings` for a page of a board, or empty for the page that the module
/// opens with.
struct PageName: Hashable, Sendable {
  let text: String
  /// The board; nil for a page by itself.
  let board: String?
  /// The identifier within the board; the whole name for a page by itself.
  let identifier: String

  /// - Throws: `page.name`.
  init(_ text: String) throws(PluginError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard text.isEmpty || (parts.count <= 2 && parts.allSatisfy(Self.isName)) else {
      throw PluginError(
        .pageName, PluginURL.shown(text), "is not a valid name for a page",
        expected:
          "a name, or a board and a name with / between, each of at most \(Self.limit) letters, digits, _, . and -")
    }
    self.text = text
    board = parts.count == 2 ? parts[0] : nil
    identifier = parts.last ?? ""
  }

  /// The greatest length of a name in bytes, as in a module's description (docs/format.md, section 10).
  private static let limit = 128
  /// What the name of a page's class ends with, where the one who asks leaves it out.
  private static let ending = "Controller"

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, PluginURL.isLetter(first) || first == UInt8(ascii: "_") else { return false }
    return text.utf8.count <= limit
      && text.utf8.allSatisfy {
        PluginURL.isLetter($0) || PluginURL.isDigit($0) || "_.-".utf8.contains($0)
      }
  }

  /// The same name with `Controller` at its end; nil for a page of a board, and for the one that a module opens with.
  var asController: PageName? {
    board == nil && !text.isEmpty ? try? PageName(text + Self.ending) : nil
  }
}
