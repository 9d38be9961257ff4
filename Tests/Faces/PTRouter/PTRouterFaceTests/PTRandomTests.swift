import Dispatch
import Foundation
import PTRouterFace
import PluginKit
import TestSupport
import Testing

@testable import PTTestSupport

/// PTRouter as it was, with its defects mended: a dictionary of handlers by URL, a scheme alone as the fallback of its
/// scheme, and parameters that are split at the first equals sign and decoded.
private struct SlowRouter {
  private var handlers: [[String]: Int] = [:]

  /// Scheme, host and segments.
  private static func key(_ url: String) -> [String] {
    let parts = url.components(separatedBy: "://")
    let whole = parts[1].components(separatedBy: "?")[0].components(separatedBy: "#")[0]
    var segments = whole.components(separatedBy: "/")
    if segments.last == "" { segments.removeLast() }
    return [parts[0].lowercased()] + segments.map { $0.removingPercentEncoding ?? $0 }
  }

  mutating func register(_ url: String, _ handler: Int) { handlers[Self.key(url)] = handler }
  mutating func remove(_ url: String) -> Bool { handlers.removeValue(forKey: Self.key(url)) != nil }

  func handler(of url: String) -> Int? {
    let key = Self.key(url)
    return handlers[key] ?? handlers[[key[0]]]
  }

  /// The parameters, as texts.
  static func params(_ url: String, _ given: [String: Int]) -> [String: String] {
    var result: [String: String] = [:]
    let start = url.firstIndex(of: "?").map { url.index(after: $0) } ?? url.endIndex
    for item in url[start...].prefix(while: { $0 != "#" }).components(separatedBy: "&") {
      guard let equals = item.firstIndex(of: "=") else { continue }
      func decoded(_ text: Substring) -> String {
        text.replacing("+", with: " ").removingPercentEncoding ?? String(text.replacing("+", with: " "))
      }
      result[decoded(item[..<equals])] = decoded(item[item.index(after: equals)...])
    }
    for (name, value) in given { result[name] = "\(value)" }
    return result
  }
}

@Suite("PTRouter against a slow model") struct PTRandomTests {
  private static let schemes = ["InnerJump", "innerjump", "wx1234567"]
  private static let parts = [
    "a", "A", "b", ":id", "*", "(x)", ":id.html", "*rest", "%41", "%2F", "盲", "%E7%9B%B2", "a:b", "h:80", "100%",
    "a+b",
  ]
  private static let queries = [
    "", "?", "?a=1", "?a=b=c", "?a", "?a=%3D&b=+", "?=x&a=", "?a=1&a=2&&", "?%61=%zz", "?u=y://admin?q=1", "?a=1#f",
  ]

  private static func url(_ random: inout SeededRandom) -> String {
    let count = Int.random(in: 0...3, using: &random)
    let path = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined(separator: "/")
    let slash = count > 0 && Bool.random(using: &random) ? "/" : ""
    return (schemes.randomElement(using: &random) ?? "") + "://" + path + slash
  }

  @Test("any sequence of registering, removing and opening gives what the model gives", .seeded)
  func sequences() throws {
    var random = SeededRandom()
    for _ in 0..<40 {
      let switchboard = Switchboard()
      let routers = [
        PTRouter(switchboard),
        PTRouter(try context(switchboard, routes: Self.schemes.dropFirst().map { $0 + "://*" })),
      ]
      let heard = Heard()
      var model = SlowRouter()
      for step in 0..<200 {
        let url = Self.url(&random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          try routers[0].registerURL(url) { url, callback in
            let params = url.params.map { "\($0.key)=\($0.value)" }.sorted()
            heard.add("\(step) \(params)")
            callback(true)
          }
          model.register(url, step)
        case 1: #expect(try routers[0].unRegisterURL(url) == model.remove(url), "\(url)")
        default:
          heard.clear()
          let whole = url + (Self.queries.randomElement(using: &random) ?? "")
          let given = Bool.random(using: &random) ? ["a": step] : [:]
          let opened = routers[step % 2].openURL(whole, param: given.isEmpty ? nil : given, limit: patience)
          let handler = model.handler(of: whole)
          #expect(opened == (handler != nil), "\(whole)")
          let params = SlowRouter.params(whole, given).map { "\($0.key)=\($0.value)" }.sorted()
          #expect(heard.all == (handler.map { ["\($0) \(params)"] } ?? []), "\(whole)")
        }
      }
    }
  }

  @Test("hostile texts are refused, and register, remove and open nothing")
  func hostile() throws {
    let switchboard = Switchboard()
    let router = PTRouter(switchboard)
    for (url, code) in [
      ("", .urlMalformed), ("://", .urlMalformed), ("a", .urlMalformed), ("a:b", .urlMalformed),
      ("*://a", .urlMalformed),
      ("1a://b", .urlMalformed), ("a b://c", .urlMalformed), ("a://b/../c", .urlDotSegment),
      ("a://b/%2e%2E", .urlDotSegment), ("a://b//c", .urlEmptySegment), ("a://b/\u{0}", .urlControlCharacter),
      ("a://b/%00", .urlControlCharacter), ("a://" + String(repeating: "b", count: 20_000), .urlTooLong),
      ("a://" + String(repeating: "b/", count: 100), .urlTooLong),
      ("a://b?" + String(repeating: "c&", count: 300), .urlTooLong),
      ("a://" + String(repeating: "b", count: 2000), .patternTooLong),
    ] as [(String, PluginError.Code)] {
      expectPluginError(code) { try router.registerURL(url) { _, callback in callback(true) } }
      #expect((try? router.unRegisterURL(url)) != true)
      #expect(!router.openURL(url))
    }
    #expect(switchboard.router.routes.isEmpty)
  }
}
