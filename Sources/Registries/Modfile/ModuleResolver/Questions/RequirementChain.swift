public import SignetBase
public import SignetNames

/// Why a host has a module: a line of the Modfile asks for a module, which requires another one, and so on.
public struct RequirementChain: Hashable, Sendable, CustomStringConvertible {
  /// The number of the line.
  public let line: Int
  /// The modules: first the one that the line names, last the one that was asked about.
  public let modules: [ModuleIdentifier]

  /// The chain in words.
  public var description: String {
    (["Modfile (line \(line))"] + modules.map { "\($0)" }).joined(separator: " requires ")
  }

  /// The most chains. There may be exponentially many of them.
  public static let limit = 64
}

extension ModuleLock {
  /// Why a module is in the lock: all chains of requirements that lead to it, the shortest first, up to
  /// ``RequirementChain/limit``.
  ///
  /// - Returns: no chain if nothing requires the module any longer.
  /// - Throws: `resolve.not-locked`.
  public func chains(
    to module: ModuleIdentifier, in modfile: Modfile
  ) throws(SignetError) -> [RequirementChain] {
    guard self[module] != nil else {
      throw SignetError(
        .resolveNotLocked, "\(module)", "is not in the lock, so nothing requires it",
        expected: "a module of Modfile.lock", hint: "install first, or correct the name")
    }
    var lines: [ModuleIdentifier: Int] = [:]
    for request in modfile.requests { lines[request.identifier] = lines[request.identifier] ?? request.line }
    let distances = distances(from: modfile)
    var dependents: [ModuleIdentifier: [ModuleIdentifier]] = [:]
    for dependent in modules where distances[dependent.identifier] != nil {
      for requirement in dependent.requirements {
        dependents[requirement.identifier, default: []].append(dependent.identifier)
      }
    }
    guard let distance = distances[module] else { return [] }
    // Chains grow from the module towards the Modfile. The distance that is left is known, so the shortest ones are
    // found first, and no more beginnings are kept than chains are wanted.
    var beginnings = [(modules: [module], length: distance)]
    var chains: [RequirementChain] = []
    while !beginnings.isEmpty, chains.count < RequirementChain.limit {
      let (path, _) = beginnings.removeFirst()
      if let line = lines[path[0]] { chains.append(RequirementChain(line: line, modules: path)) }
      for dependent in dependents[path[0]] ?? [] where !path.contains(dependent) {
        guard let left = distances[dependent] else { continue }
        let length = path.count + left
        let place = beginnings.firstIndex { $0.length > length } ?? beginnings.count
        beginnings.insert(([dependent] + path, length), at: place)
      }
      beginnings = Array(beginnings.prefix(RequirementChain.limit - chains.count))
    }
    return chains
  }

  /// For each module that the Modfile leads to, the length of the shortest chain.
  private func distances(from modfile: Modfile) -> [ModuleIdentifier: Int] {
    var distances: [ModuleIdentifier: Int] = [:]
    var queue: [ModuleIdentifier] = []
    for request in modfile.requests where distances[request.identifier] == nil {
      distances[request.identifier] = 0
      queue.append(request.identifier)
    }
    var index = 0
    while index < queue.count {
      let module = queue[index]
      index += 1
      for requirement in self[module]?.requirements ?? [] where distances[requirement.identifier] == nil {
        distances[requirement.identifier] = (distances[module] ?? 0) + 1
        queue.append(requirement.identifier)
      }
    }
    return distances
  }
}
