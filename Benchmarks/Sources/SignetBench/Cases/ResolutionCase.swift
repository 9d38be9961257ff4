internal import ModuleResolver
internal import Signet
internal import SignetCrypto

/// Choosing releases for a host with many modules, whose newest releases do not all fit together.
enum ResolutionCase {
  private static let releaseCount = 20
  /// Seconds for the large host.
  private static let timeBudget = 1.0
  private static let pairs = 1

  static func measure(_ options: Options) throws -> [Comparison] {
    let (large, small) = (try Host(1000), try Host(100))
    let comparison = Comparison(
      "resolve \(large.count) modules with \(releaseCount) releases each",
      Contender("ModuleResolver.resolve", calls: 1, large.resolve),
      against: Contender("the same with \(small.count)", calls: 1, small.resolve), budget: nil,
      timeBudget: timeBudget,
      note:
        "releases require neighbours of about the same age; \(large.moved) modules do not get their newest release")
    return [try comparison.run(rounds: options.rounds, of: pairs, patience: options.patience)]
  }

  /// A Modfile that asks for one module, and offers of all that it leads to.
  private final class Host: CandidateSource {
    let count: Int
    /// How many modules have to be older than their newest release.
    private(set) var moved = 0
    private let modfile: Modfile
    private var offered: [ModuleIdentifier: [CandidateRelease]] = [:]
    private var state: UInt64 = 7

    init(_ count: Int) throws {
      self.count = count
      let lines = "source 'main', 'https://modules.example.com', modules: 'com.example.**'\nmodule 'com.example.m0'\n"
      modfile = try Modfile(Array(lines.utf8))
      for module in 0..<count {
        let others = [module + 1] + (0..<4).map { _ in module + 2 + below(20) }
        offered[try Self.name(module)] = try (0..<releaseCount).map { try release(module, $0, others) }
      }
      let newest = SemanticVersion("1.\(releaseCount - 1).0")
      moved = try solution().modules.count { $0.release.version != newest }
    }

    /// The oldest releases accept everything, so there is a solution. Others require releases of about the same age, and the
    /// newest ones of some modules require an older neighbour.
    private func release(_ module: Int, _ age: Int, _ others: [Int]) throws -> CandidateRelease {
      var requirements: [ModuleRequirement] = []
      var known: Set<Int> = []
      for other in others where other < count && known.insert(other).inserted {
        let isOld = module % 50 == 49 && age > 15 && other == module + 1
        let text = isOld ? "<1.12.0" : age == 0 ? ">=1.0.0" : ">=1.\(max(age - 4, 0)).0 <=1.\(age + 2).0"
        guard let range = VersionRange(text) else { throw BenchFailure(message: "\(text) is no range") }
        requirements.append(ModuleRequirement(try Self.name(other), range))
      }
      let digest = try Digest.of(Array("\(module) \(age)".utf8), .sha256)
      guard let version = SemanticVersion("1.\(age).0"),
        let digests = ReleaseDigests(archive: digest, description: digest)
      else { throw BenchFailure(message: "a release that cannot be") }
      return CandidateRelease(
        version: version, sequence: age + 1, requirements: requirements, hasBinary: false, content: .registry(digests)
      )
    }

    /// The same numbers in each run: a linear congruential generator (Knuth, MMIX).
    private func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }

    private static func name(_ module: Int) throws -> ModuleIdentifier {
      guard let name = ModuleIdentifier("com.example.m\(module)") else {
        throw BenchFailure(message: "a module without a name")
      }
      return name
    }

    func releases(of module: ModuleIdentifier, from source: ModuleSource) throws(SignetError) -> [CandidateRelease] {
      offered[module] ?? []
    }

    func module(_ module: ModuleIdentifier, at override: ModuleOverride) throws(SignetError) -> CandidateRelease {
      throw SignetError(.resolveOffers, "\(module)", "is in no folder")
    }

    private func solution() throws -> Resolution { try ModuleResolver.resolve(modfile, offers: self) }

    func resolve() throws {
      guard try solution().modules.count == count else { throw BenchFailure(message: "a module is missing") }
    }
  }
}
