@_spi(Internal) internal import Hummingbird
internal import PluginKit

/// Which of many patterns a URL is for: from its text to the match, beside hummingbird's router with the same patterns, and
/// beside a dictionary, which knows texts and no parameters.
enum RouterCases {
  /// Opening may take at most so many times as long with ten thousand routes as with ten, and no longer than in the peer.
  private static let growthBudget = 2.0
  private static let peerBudget = 1.0
  private static let counts = [10, 1000, 10_000]
  /// A host with five hundred modules of two hundred routes each, and what they may have in memory.
  private static let manyCount = 100_000
  private static let memoryBudget = 60_000_000
  /// Calls that are measured together: one takes too little time to be measured.
  private static let calls = 20_000
  private static let pairs = 5

  static func measure(_ options: Options) throws -> [Comparison] {
    // First of all: memory that others have given back would count as none.
    let start = ResidentMemory.bytes
    let crowd = try Table(manyCount, hasPeers: false)
    let memory = ResidentMemory.bytes - start
    let tables = try counts.map { try Table($0) }
    var comparisons: [Comparison] = []
    for table in tables {
      let subject = Contender("Router.match", calls: calls, table.matchNext)
      let title = "match among \(table.count) patterns"
      comparisons.append(
        Comparison(
          title, subject, against: Contender("hummingbird's RouterTrie.resolve", calls: calls, table.resolveNext),
          budget: peerBudget, note: "the path alone; \(calls) calls a run"))
      comparisons.append(
        Comparison(
          title, subject, against: Contender("a dictionary of texts", calls: calls, table.lookUpNext), budget: nil,
          note: "no parameters"))
      comparisons.append(
        Comparison(
          "open among \(table.count) patterns", Contender("Router.open", calls: calls, table.openNext),
          against: subject, budget: nil, note: "the handler does nothing"))
    }
    if let few = tables.first, let many = tables.last {
      comparisons.append(
        Comparison(
          "match among \(many.count) patterns", Contender("Router.match", calls: calls, many.matchNext),
          against: Contender("the same among \(few.count)", calls: calls, few.matchNext), budget: growthBudget,
          note: "\(calls) calls a run"))
    }
    if let few = tables.first {
      comparisons.append(
        Comparison(
          "match among \(manyCount) patterns",
          Contender("Router.match", calls: calls, memory: memory, crowd.matchNext),
          against: Contender("the same among \(few.count)", calls: calls, memory: 0, few.matchNext), budget: nil,
          memoryBudget: memoryBudget, note: "\(memory / manyCount) bytes of memory a route"))
    }
    comparisons.append(try RefusalCase.comparison())
    comparisons.append(try OpeningCase.comparison())
    return try comparisons.map { try $0.run(rounds: options.rounds, of: pairs, patience: options.patience) }
  }

  /// The same patterns for all sides, and URLs that match them: a third each literals alone, with a parameter at the end, and
  /// with two.
  private final class Table {
    let count: Int
    private let router = PluginKit.Router()
    private let trie: RouterTrie<Int>
    private var dictionary: [String: Int] = [:]
    private var urls: [String] = []
    private var paths: [String] = []
    private var next = 0

    init(_ count: Int, hasPeers: Bool = true) throws {
      self.count = count
      let builder = RouterPathTrieBuilder<Int>()
      for number in 0..<count {
        let start = "shop\(number % 7)/section\(number)"
        let (pattern, path) =
          switch number % 3 {
          case 0: ("\(start)/list/all", "\(start)/list/all")
          case 1: ("\(start)/item/:id", "\(start)/item/\(number)")
          default: ("\(start)/:kind/detail/:page", "\(start)/books/detail/\(number)")
          }
        try router.register(RoutePattern("ui://\(pattern)"), owner: .host) { _ in nil }
        if hasPeers {
          builder.addEntry(RouterPath("/\(pattern)"), value: number)
          dictionary["ui://\(path)"] = number
        }
        // As many for each table: what is in the processor's cache is the same share of what is looked at.
        if number % max(count / 64, 1) == 0 {
          urls.append("ui://\(path)")
          paths.append("/\(path)")
        }
      }
      trie = builder.build()
      for index in urls.indices {
        next = index
        try matchNext()
        guard hasPeers else { continue }
        next = index
        try resolveNext()
        next = index
        try lookUpNext()
      }
    }

    private func step() -> Int {
      next = next + 1 < urls.count ? next + 1 : 0
      return next
    }

    func matchNext() throws {
      guard try router.match(urls[step()]).parameters.count < 3 else { throw BenchFailure(message: "a wrong match") }
    }

    func openNext() throws {
      guard try router.open(urls[step()]) == nil else { throw BenchFailure(message: "a wrong answer") }
    }

    func resolveNext() throws {
      guard let found = trie.resolve(paths[step()]), found.value < count else {
        throw BenchFailure(message: "hummingbird found nothing")
      }
    }

    func lookUpNext() throws {
      guard let found = dictionary[urls[step()]], found < count else {
        throw BenchFailure(message: "the dictionary had nothing")
      }
    }
  }
}
