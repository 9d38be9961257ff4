/// The command line.
struct Options {
  static let usage = """
    usage: signet-bench --signet PATH [--model-signing PATH] [--tuf-python PATH] [--sigstore PATH]
                        [--size BYTES] [--runs N]
                        [--patience SECONDS] [--case NAME]... [--write RESULTS.md]

      --signet PATH       the release build of signet
      --model-signing P   model_signing; without it directories are not compared with it
      --tuf-python PATH   a Python that has python-tuf; without it registries are not compared with that
      --sigstore PATH     sigstore of PyPI; without it signatures by identities are not compared with it
      --size BYTES        size of the large file, and of the files of the large directory in all (1 GiB)
      --runs N            rounds of each comparison: one pair of runs in a round of a large one, several in a round of
                          a short one (9)
      --patience SECONDS  how long to repeat rounds of a comparison that other processes have disturbed (60)
      --case NAME         measure these only: files, directories, modules, operands, start, bundles, in-process, keyless,
                          timestamps, host, requirements, lock, router, faces, gate, registry, resolution, images
      --write RESULTS.md  write a report, and append REMARKS.md from the same folder

    """

  private(set) var signet = ""
  private(set) var modelSigning: String?
  var tufPython: String?
  private(set) var sigstore: String?
  private(set) var size = 1 << 30
  private(set) var rounds = 9
  private(set) var patience = 60
  /// Those that are measured.
  private(set) var cases: Set<Case> = []
  private(set) var results: String?

  /// What can be measured by itself.
  enum Case: String, CaseIterable {
    case files, directories, modules, operands, start, bundles, keyless, timestamps, host, requirements, lock, router
    case faces, gate, registry, resolution, images
    case inProcess = "in-process"
  }

  /// Reads the arguments; nil when help is asked for.
  init?(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--help" || name == "-h" { return nil }
      guard
        [
          "--signet", "--model-signing", "--tuf-python", "--sigstore", "--size", "--runs", "--patience", "--case",
          "--write",
        ]
        .contains(name)
      else {
        throw Self.wrong("unknown: \(name)")
      }
      guard let value = rest.popFirst() else { throw Self.wrong("\(name) lacks its value") }
      switch name {
      case "--signet": signet = value
      case "--model-signing": modelSigning = value
      case "--tuf-python": tufPython = value
      case "--sigstore": sigstore = value
      case "--size": size = try Self.number(name, value)
      case "--runs": rounds = try Self.number(name, value)
      case "--patience": patience = try Self.number(name, value)
      case "--case":
        guard let known = Case(rawValue: value) else { throw Self.wrong("unknown case: \(value)") }
        cases.insert(known)
      default: results = value
      }
    }
    guard !signet.isEmpty else { throw Self.wrong("--signet is missing") }
    if cases.isEmpty { cases = Set(Case.allCases) }
  }

  private static func number(_ name: String, _ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw wrong("\(name) takes a number above 0") }
    return number
  }

  private static func wrong(_ message: String) -> BenchFailure {
    BenchFailure(message: "\(message)\n\(usage)", isUsage: true)
  }
}
