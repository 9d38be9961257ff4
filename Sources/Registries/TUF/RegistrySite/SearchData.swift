internal import ModuleCatalog
internal import Signet
internal import SignetBase

/// What the search looks through: a script that names an array with one entry for each module.
///
/// An entry has the identifier, the newest version, the publisher, the summary with what the module declares, 1 if all releases are
/// withdrawn, and the name of the module's page. All of it is written in ASCII without `<`, `>` and `&`, so no text ends
/// the script, wherever it is put.
struct SearchData {
  /// The most bytes of a module's declarations that are searched: one publisher must not make the data large for all.
  private static let wordLimit = 2000

  private let content: VerifiedRegistry

  init(_ content: VerifiedRegistry) { self.content = content }

  /// The script.
  var bytes: [UInt8] {
    var text = "\"use strict\";\nconst signetModules = [\n"
    for module in content.modules {
      let page = (try? SitePath.module(module.identifier).text()) ?? ""
      let entry = [
        "\(module.identifier)", "\(module.version)", module.publisher, module.words,
      ].map(Self.literal)
      text += "[\(entry.joined(separator: ",")),\(module.isWithdrawn ? 1 : 0),\(Self.literal(page))],\n"
    }
    return Array((text + "];\n").utf8)
  }

  /// What the search looks for in a module: the summary of its newest release, and what that declares.
  static func words(of release: ModuleRelease) -> String {
    let module = release.module
    // A spec's own limit is half of it.
    let summary = [release.about?.summary].compactMap(\.self).filter { $0.utf8.count <= 300 }
    var words = ""
    for text in summary + module.permissions + module.routes + module.services {
      guard words.utf8.count + text.utf8.count < wordLimit else { continue }
      words += words.isEmpty ? text : " " + text
    }
    return words
  }

  /// A text as a literal of JavaScript, which JSON has too.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for unit in text.visible.utf16 {
      switch unit {
      case 0x22, 0x5c, 0x3c, 0x3e, 0x26, 0x00..<0x20, 0x7f...0xffff: literal += escape(unit)
      default: literal.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      }
    }
    return literal + "\""
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
