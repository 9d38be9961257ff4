import CMorse
import CSignetPlugin
import PluginKit

/// An action and a page that write Morse code: the work is that of a private library of C, the table a resource.
final class Codec: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    // Read each time it is needed: what is asked for is held against what was signed.
    let encode: @Sendable (String) throws -> String = { [weak context] text in
      guard let context else { return "" }
      return Self.encode(text, try context.resource("tables/morse.txt"))
    }
    try context.register(target: "Codec", make: { encode }) { actions in
      actions.add("encode") { encode, input in try encode(input.text("text") ?? "") }
    }
    try context.register(route: "ui://codec") { _ in "Morse code: ui://codec/TEXT writes it" }
    try context.register(route: "ui://codec/:text") { request in try encode(request.text("text") ?? "") }
  }

  private static func encode(_ text: String, _ table: [UInt8]) -> String {
    let text = text.uppercased().utf8.map { CChar(bitPattern: $0) }
    let table = table.map { CChar(bitPattern: $0) }
    // A letter has at most five signs, and a space behind it.
    var code = [CChar](repeating: 0, count: text.count * 6)
    let used = morse_encode(table, table.count, text, text.count, &code, code.count)
    return String(decoding: code.prefix(used).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The principal.
@c(codec_main) public func codecMain(
  _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
) -> Int32 { PluginEntry.enter(Codec(), host, plugin) }
