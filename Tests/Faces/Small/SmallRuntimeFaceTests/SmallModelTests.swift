import Foundation
import PluginKit
import TestSupport
import Testing

@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// Small's matching as it is written in the original, text by text and bundle by bundle, with its defects mended: a URI is
/// the beginning of the URL part by part (D1), the longest counts, keys get their slash, and a value of a rule counts.
private struct SlowModel {
  struct Bundle {
    let uri: String
    /// The rules of the manifest, in any order; nil removes a key.
    let own: [String: String?]
  }

  let base: String
  let bundles: [Bundle]
  let isAllIn: Bool

  /// The rules of a bundle, merged.
  private func rules(_ bundle: Bundle) -> [String: String] {
    var rules: [String: String] = [:]
    for key in ["", ".html", "/index", "/index.html"] { rules[key] = "" }
    if let entrance = bundle.own[""] {
      for key in isAllIn ? ["", ".html", "/index", "/index.html"] : [""] { rules[key] = entrance }
    }
    func isWhole(_ key: String) -> Bool { key.isEmpty || "/.?".contains(key.first ?? "/") }
    for (key, target) in bundle.own where !isWhole(key) { rules["/" + key] = target }
    for (key, target) in bundle.own where isWhole(key) { rules[key] = target }
    return rules
  }

  /// The bundle to which a path belongs, and whether by an ending.
  private func owner(of path: String) -> Int? {
    func lies(_ text: String) -> Bool { path == text || path.hasPrefix(text + "/") }
    var best: (index: Int, length: Int, isEnding: Bool)?
    for isEnding in [false, true] {
      for (index, bundle) in bundles.enumerated() {
        let whole = base + bundle.uri
        let written = bundle.own.merging([".html": ""]) { own, _ in own }
        let places =
          isEnding ? written.filter { $0.value != nil && $0.key.hasPrefix(".") }.map { whole + $0.key } : [whole]
        let length = whole.split(separator: "/").count
        if places.contains(where: lies), length > best?.length ?? -1 { best = (index, length, isEnding) }
      }
    }
    return best?.index
  }

  /// `uri|target|query|params`; nil without a rule.
  func match(_ url: String) -> String? {
    let mark = url.firstIndex(of: "?") ?? url.endIndex
    let path = String(url[..<mark])
    let query = mark < url.endIndex ? String(url[url.index(after: mark)...]) : nil
    guard let index = owner(of: path.hasSuffix("/") ? String(path.dropLast()) : path) else { return nil }
    let bundle = bundles[index]
    guard url.hasPrefix(base + bundle.uri) else { return nil }
    let rules = rules(bundle)
    let tail = String(url.dropFirst((base + bundle.uri).count))
    let bare = String(path.dropFirst((base + bundle.uri).count))
    guard let text = rules[tail] ?? rules[bare] else { return nil }
    let pieces = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let all = [query, pieces.count == 2 ? pieces[1] : nil].compactMap { $0 }
    var params: [String: String] = [:]
    for item in all.joined(separator: "&").split(separator: "&") {
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if sides.count == 2 { params[sides[0]] = sides[1] }
    }
    return Self.text(
      bundle.uri, pieces[0], all.isEmpty ? nil : all.filter { !$0.isEmpty }.joined(separator: "&"),
      all.isEmpty ? nil : params)
  }

  static func text(_ uri: String, _ target: String, _ query: String?, _ params: [String: String]?) -> String {
    let shown = params.map { $0.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",") }
    return "\(uri)|\(target)|\(query ?? "none")|\(shown ?? "none")"
  }
}

@Suite("Small's matching, against a slow model") struct SmallModelTests {
  private static let uris = ["a", "b", "ab", "a/b", "a/a", "a.html", "index", "a/index"]
  private static let keys = [
    "", ".html", "/index", "index", "/index.html", "a", "/a", "b", "/a/b", "a/index", "/l?x=1", "l", "b?x=1&y=2",
    "?x=1", ".htm",
    "/", "/a/",
  ]
  private static let targets = ["", "T", "U/V", "T?y=1", "?z=2&x=9", "W?k&=v"]
  private static let queries = ["", "?", "?x=1", "?x=2", "?x=1&y=2", "?x=1&y", "?y=2&x=1"]

  @Test("SM7 SM8 SM9 SM10 SM11 SM12 SM13 D1: random manifests and URLs mean what the model says", .seeded)
  func random() throws {
    var random = SeededRandom()
    var (found, all, tables) = (0, 0, 0)
    // Enough of both, so that nothing is compared with nothing: luck alone decides how much a table finds.
    while tables < 60 || found <= all / 10 && tables < 600 {
      tables += 1
      let count = Int.random(in: 1...4, using: &random)
      let bundles = (0..<count).map { _ in
        var own: [String: String?] = [:]
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          let target = Self.targets.randomElement(using: &random) ?? ""
          own[Self.keys.randomElement(using: &random) ?? ""] = .some(
            Int.random(in: 0..<5, using: &random) == 0 ? nil : target)
        }
        return SlowModel.Bundle(uri: Self.uris.randomElement(using: &random) ?? "a", own: own)
      }
      let isAllIn = Bool.random(using: &random)
      let model = SlowModel(base: SmallWorkshop.base, bundles: bundles, isAllIn: isAllIn)
      let entries = bundles.enumerated().map { index, bundle in
        let rules = bundle.own.map { "\"\($0)\": " + ($1.map { "\"\($0)\"" } ?? "null") }.joined(separator: ", ")
        return #"{"uri": "\#(bundle.uri)", "pkg": "com.example.app.x\#(index)", "rules": {\#(rules)}}"#
      }
      let table = try SmallRulesTests.table(entries, entranceAppliesToAliases: isAllIn)
      for _ in 0..<200 {
        let uri = Self.uris.randomElement(using: &random) ?? ""
        let key = Self.keys.randomElement(using: &random) ?? ""
        let middle =
          key.contains("?") || key.isEmpty || "/.".contains(key.first ?? "/")
          ? key : ["/", ""].randomElement(using: &random).map { $0 + key } ?? key
        let end =
          Int.random(in: 0..<8, using: &random) == 0 && !middle.contains("?") && !middle.hasSuffix("/") ? "/" : ""
        let query = middle.contains("?") ? "" : Self.queries.randomElement(using: &random) ?? ""
        let url = SmallWorkshop.base + uri + middle + end + query
        guard let parsed = try? PluginURL(url) else { continue }
        let match = table.match(parsed).map { match in
          SlowModel.text(
            String(match.bundle.uri.dropFirst(SmallWorkshop.base.count)), match.target, match.query, match.queryParams
          )
        }
        let expected = model.match(url)
        #expect(match == expected, "\(url) in \(entries), \(isAllIn)")
        all += 1
        if expected != nil { found += 1 }
      }
    }
    #expect(found > all / 10 && found < all)
  }
}
