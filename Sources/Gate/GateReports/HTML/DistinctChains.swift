internal import ReleaseGate
internal import SignetBase

/// The certificate chains of a report, each once, with the artifacts that it signs for.
struct DistinctChains {
  /// A chain, from the signer's certificate to the trusted one.
  struct Chain {
    let links: [GateReport.ChainLink]
    /// The positions of the artifacts among all artifacts, in order.
    fileprivate(set) var artifacts: [Int] = []
  }

  /// Every chain, in the order of the first artifact that uses it.
  private(set) var all: [Chain] = []
  private var numbers: [Key: Int] = [:]

  /// Two chains are the same if nothing in a picture of them would differ.
  private struct Key: Hashable {
    let links: [Link]

    struct Link: Hashable {
      let subject: ExactKey
      let identity: ExactKey?
      let notAfter: UnixTime
    }

    init(_ links: [GateReport.ChainLink]) {
      self.links = links.map { link in
        Link(subject: ExactKey(link.name), identity: link.identity.map(ExactKey.init), notAfter: link.notAfter)
      }
    }
  }

  /// Finds the chains of the artifacts' signers.
  init(_ artifacts: [GateReport.Artifact]) {
    for (position, artifact) in artifacts.enumerated() {
      for signer in artifact.signers where !signer.chain.isEmpty {
        let key = Key(signer.chain)
        let number = numbers[key] ?? all.count
        if number == all.count {
          numbers[key] = number
          all.append(Chain(links: signer.chain))
        }
        if all[number].artifacts.last != position { all[number].artifacts.append(position) }
      }
    }
  }

  /// The position of a chain in `all`; nil for the empty one.
  func number(of links: [GateReport.ChainLink]) -> Int? { numbers[Key(links)] }
}
