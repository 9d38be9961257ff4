import HSLinkFace
import PluginKit
import TestSupport
import Testing

/// Random classes and calls, compared with HSLinkClass as its authors meant it: a dictionary of classes, each with the
/// methods of its objects and its own.
@Suite("HSLinkClass and a slow, obvious link do the same") struct HSModelTests {
  private struct SlowClass {
    var methods: Set<String> = []
    var classMethods: Set<String> = []
  }

  private struct Told: Equatable, CustomStringConvertible {
    var value: String?
    var performSuccess = false
    var classIsLoad = false

    var description: String { "(\(value ?? "nil"), \(performSuccess), \(classIsLoad))" }
  }

  private static let names = [
    "A", "a", "B", "A.b", "HSVideo", "", "a b", "A:", "ü", String(repeating: "A", count: 200),
  ]
  private static let methods = [
    "show", "show:", "Show:", "nativeShow", "class", "x.y", "", ":", "a b:", "show::", "init",
  ]

  @Test("in random calls, with components that come and go", .seeded, arguments: 0..<10)
  func same(_ number: UInt64) throws {
    var random = SeededRandom(Seed.current &+ number)
    let switchboard = Switchboard()
    let link = HSLinkClass(switchboard)
    var classes: [String: SlowClass] = [:]
    for step in 0..<300 {
      let name = random.one(of: Self.names)
      let method = random.one(of: Self.methods)
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        guard classes[name] == nil, ["A", "a", "B", "A.b", "HSVideo"].contains(name) else { continue }
        classes[name] = try supply(name, switchboard, &random)
      case 1:
        classes[name] = nil
        switchboard.removeAll(ownedBy: .module("com.example." + name))
        switchboard.readmit(module: "com.example." + name)
      case 2...4:
        let expected = Self.expected(classes[name], classes[name]?.methods, "\(name).", method, step)
        var told: [Told] = []
        link.callObject(class: name, method: method, param: step) {
          told.append(Told(value: $0 as? String, performSuccess: $1, classIsLoad: $2))
        }
        #expect(told == [expected], "\(name) \(method) in step \(step)")
      default:
        let expected = Self.expected(classes[name], classes[name]?.classMethods, "\(name)+", method, step)
        var told: [Told] = []
        link.callClass(class: name, method: method, param: step) {
          told.append(Told(value: $0 as? String, performSuccess: $1, classIsLoad: $2))
        }
        #expect(told == [expected], "\(name) +\(method) in step \(step)")
      }
    }
  }

  private static func expected(
    _ found: SlowClass?, _ methods: Set<String>?, _ prefix: String, _ method: String, _ param: Int
  ) -> Told {
    let bare = method.hasSuffix(":") ? String(method.dropLast()) : method
    guard methods?.contains(bare) == true else { return Told(classIsLoad: found != nil) }
    return Told(value: "\(prefix)\(bare) \(param)", performSuccess: true, classIsLoad: true)
  }

  /// Supplies a class with random methods, each once, in a component of its own.
  private func supply(
    _ name: String, _ switchboard: Switchboard, _ random: inout SeededRandom
  ) throws -> SlowClass {
    var slow = SlowClass()
    for method in ["show", "Show", "nativeShow", "class", "x.y", "init"] {
      if Bool.random(using: &random) { slow.methods.insert(method) }
      if Bool.random(using: &random) { slow.classMethods.insert(method) }
    }
    slow.methods.insert("other")
    let declared = { (names: Set<String>) in Dictionary(uniqueKeysWithValues: names.map { ($0, false) }) }
    let context = switchboard.context(
      for: try ModuleDeclaration(
        identifier: "com.example." + name,
        targets: [name: declared(slow.methods.union(slow.classMethods.map { "class." + $0 }))]))
    try HSLinkClass(context).supply(name, make: { 0 }) { added in
      for method in slow.methods {
        added.add(method + (Bool.random(using: &random) ? ":" : "")) { _ in { "\(name).\(method) \($0 ?? "")" } }
      }
      for method in slow.classMethods { added.addClass(method) { "\(name)+\(method) \($0 ?? "")" } }
    }
    return slow
  }
}
