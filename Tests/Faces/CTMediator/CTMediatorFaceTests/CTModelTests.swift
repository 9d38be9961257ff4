import CTMediatorFace
import PluginKit
import TestSupport
import Testing

/// Random calls, URLs, releases and removals, compared with ``SlowMediator``. A failure names its seed.
@Suite("CTMediator and a slow, obvious mediator do the same") struct CTModelTests {
  private static let key = kCTMediatorParamsKeySwiftTargetModuleName
  private static let targets = ["A", "B", "a", "Shop.Target_A", "Target_A", "Nope", "A-b_1"]
  private static let modules: [String?] = [nil, nil, "", "Shop", "Target_Shop", "Other"]
  private static let actions = ["show", "Show", "nativeShow", "secret", "nope", "x.y"]
  private static let fullNames = [
    "Target_A", "A", "Shop.Target_A", "Target_Shop.Target_A", "Target_B", "Target_Shop.Target_A", "", "Target_a",
  ]
  private static let texts = [
    "A", "B", "a", "Shop.Target_A", "Nope", "show", "Show", "nativeShow", "%6EativeShow", "secret", "%73ecret",
    "nope",
    "na/tiveShow", "na%2FtiveShow", "", "%53how", "x.y", "ü", "a b", "%zz", "岁",
  ]
  private static let queries = [
    "", "?", "?k=v", "?k", "?k=", "?k=1&k=2", "?k=a%20b&l=%2541", "?\(key)=Shop", "?kCTMediator%50arams=1",
    "?signet.x",
    "?k=://A/secret", "?=v", "?k=v#/B/show", "#?k=v",
  ]

  @Test("in random calls, with modules that come and go", .seeded, arguments: 0..<20)
  func same(_ number: UInt64) throws {
    var random = SeededRandom(Seed.current &+ number)
    let switchboard = Switchboard()
    let mediator = CT(switchboard)
    var slow = SlowMediator()
    for step in 0..<300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try register(switchboard, &slow, &random)
      case 1:
        guard let name = slow.classes.keys.sorted().randomElement(using: &random) else { continue }
        slow.remove(name)
        switchboard.removeAll(ownedBy: .module(Self.identifier(name)))
        switchboard.readmit(module: Self.identifier(name))
      case 2:
        let name = random.one(of: Self.fullNames)
        slow.release(name)
        mediator.releaseCachedTarget(withFullTargetName: name)
      case 3...6:
        let target = random.one(of: Self.targets)
        let action = random.one(of: Self.actions)
        var params = ["n": "\(step)"]
        params[Self.key] = random.one(of: Self.modules)
        let caches = Bool.random(using: &random)
        let expected = slow.perform(target, action, params, caches: caches)
        let result = mediator.performTarget(target, action: action, params: params, shouldCacheTarget: caches)
        #expect(outcome(result, slow) == expected, "\(target).\(action) \(params) in step \(step)")
        let module = params[Self.key]
        #expect(
          mediator.check(target, moduleName: module) == (slow.classes[SlowMediator.className(target, module)] != nil))
      default:
        let url =
          "aaa://\(random.one(of: Self.texts))/\(random.one(of: Self.texts))"
          + random.one(of: Self.queries)
        let expected = slow.open(url)
        #expect(outcome(mediator.performAction(withUrl: url), slow) == expected, "\(url) in step \(step)")
      }
    }
  }

  private static func identifier(_ name: String) -> String {
    "com.example." + name
  }

  /// The instance of a class: its number, as the slow mediator counts what is cached.
  private final class Instance: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }

  /// What a call of a real target gives.
  private struct Called: Sendable {
    let instance: Instance
    let method: String
    let params: [String: String]
  }

  private func register(_ switchboard: Switchboard, _ slow: inout SlowMediator, _ random: inout SeededRandom) throws {
    let target = random.one(of: ["A", "B", "a", "Shop.Target_A", "A-b_1"])
    let module = random.one(of: Self.modules)
    let name = SlowMediator.className(target, module)
    guard slow.classes[name] == nil else { return }
    let actions = Self.actions.filter { _ in Bool.random(using: &random) }
    let hasFallback = Bool.random(using: &random)
    let isNative = { (action: String) in action.hasPrefix("native") || action == "secret" }
    // What the description calls it.
    let declared = name.dropFirst("Target_".count).contains(".") || !name.hasPrefix("Target_") ? name : target
    let context = switchboard.context(
      for: try ModuleDeclaration(
        identifier: Self.identifier(name),
        targets: [
          declared: Dictionary((actions + ["other", "nope"]).map { ($0, isNative($0)) }) {
            first, _ in first
          }
        ]))
    try CT(context).register(target, in: module, make: { Instance(name) }) { added in
      for action in actions {
        added.add("Action_\(action):", isLocal: isNative(action)) { instance, params in
          Called(
            instance: instance, method: "Action_\(action):", params: params.compactMapValues { $0 as? String })
        }
      }
      guard hasFallback else { return }
      added.notFound { instance in
        { params in
          Called(instance: instance, method: "notFound:", params: params.compactMapValues { $0 as? String })
        }
      }
    }
    slow.classes[name] = Set(actions.map { "Action_\($0):" })
    slow.declared[name] = Set((actions + ["other", "nope"]).map { "Action_\($0):" })
    slow.local[name] = Set(actions.filter(isNative).map { "Action_\($0):" })
    if hasFallback { slow.withFallback.insert(name) }
  }

  /// What was called, with the number of a cached instance. An instance that is seen first gets the number that the slow
  /// mediator gave to its class.
  private func outcome(_ result: (any Sendable)?, _ slow: SlowMediator) -> SlowMediator.Outcome {
    guard let called = result as? Called else { return result as? Bool == false ? .refused : .nothing }
    return .called(
      called.instance.name, cached: numbers.number(of: called.instance, slow.cached[called.instance.name]),
      called.method, called.params)
  }

  private let numbers = Numbers()

  /// The numbers of instances that are cached.
  private final class Numbers {
    private var known: [(instance: Instance, number: Int)] = []

    /// - Parameter expected: the number of the instance that is cached now.
    func number(of instance: Instance, _ expected: Int?) -> Int? {
      if let found = known.first(where: { $0.instance === instance }) { return found.number }
      guard let expected, !known.contains(where: { $0.number == expected }) else { return nil }
      known.append((instance, expected))
      return expected
    }
  }
}
