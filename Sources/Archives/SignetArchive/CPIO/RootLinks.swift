package import SignetBase
internal import SignetNames

/// The links of an initial RAM disk that lead out of a folder in which somebody unpacks it.
///
/// Linux unpacks it at the root of a file system. So honest ones have absolute links: to what is in the disk, and to what
/// the kernel and the first programs make. All others lead to files of the system on which somebody only looks into it.
package struct RootLinks {
  private enum Node {
    case directory, file, link(to: ListedName)
  }

  private var nodes: [[UInt8]: Node] = [:]
  /// The links that lead out of the folder.
  private var outer: [(name: ListedName, target: ListedName)] = []
  private var outerPaths: Set<[UInt8]> = []
  /// The first entry that lies behind such a link. It is a danger whatever follows.
  package private(set) var behind: SignetError?
  /// What is left of the work that is done for the places of entries.
  private var work = workLimit

  /// What is there once a system has started, whatever the disk has.
  private static let made: Set<[UInt8]> = Set(["dev", "proc", "run", "sys", "tmp"].map { Array($0.utf8) })
  private static let pathLimit = 400_000
  /// How many links one behind the other are followed: as many as Linux follows (path_resolution(7)).
  private static let hopLimit = 40
  /// How much is compared for all links: the bytes of paths, and ``stepWork`` for each name. Honest disks have some hundred
  /// kilobytes.
  private static let workLimit = 64 << 20
  private static let stepWork = 16

  package init() {}

  /// Notes the next entry, of any of the archives that are put together.
  package mutating func note(_ entry: ListedEntry) {
    // ``ListingDangers`` names what is nested more deeply, and what is too much.
    let path = entry.name.plain
    guard entry.name.names.count <= EntryPath.depthLimit, nodes.count < Self.pathLimit else { return }
    noteParents(of: entry.name.names, at: entry.path)
    switch entry.kind {
    case .symbolicLink(let target):
      nodes[path] = .link(to: target)
      guard Self.leadsOut(target, from: entry.name) else { return }
      outer.append((entry.name, target))
      outerPaths.insert(path)
    case .directory: nodes[path] = .directory
    case .file, .hardLink, .special: nodes[path] = .file
    }
  }

  /// Whether somebody who unpacks the disk into a folder gets a link out of it.
  private static func leadsOut(_ target: ListedName, from link: ListedName) -> Bool {
    let danger = PathDanger.of(target: target, ofLinkAt: link, isRooted: false)
    return danger?.code == .pathAbsolute || danger?.code == .pathParent
  }

  private mutating func noteParents(of names: [ArraySlice<UInt8>], at path: String) {
    var parent: [UInt8] = []
    for (place, name) in names.dropLast().enumerated() {
      if !parent.isEmpty { parent.append(UInt8(ascii: "/")) }
      parent += name
      if nodes[parent] == nil { nodes[parent] = .directory }
      guard case .link(let target)? = nodes[parent], !outerPaths.isEmpty, behind == nil,
        outerPaths.contains(parent) || !isInside(target, from: names.prefix(upTo: place + 1))
      else { continue }
      // Each archive is unpacked over those before it.
      behind =
        behind
        ?? SignetError(
          .archivePathConflict, path, "lies behind a link out of the directory", expected: "a directory",
          found: String(decoding: parent, as: UTF8.self))
    }
  }

  /// Whether a link leads nowhere by way of a link out of the folder.
  private mutating func isInside(_ target: ListedName, from link: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    var left = work
    defer { work = left }
    return follow(target, from: Array(link), &left) { path in !outerPaths.contains(path) } != .ended
  }

  /// The first danger, once all parts are known: what lies behind such a link, or one that leads neither into the disk nor to
  /// what the system makes.
  package var danger: SignetError? {
    if let behind { return behind }
    var work = Self.workLimit
    for (name, target) in outer where !leadsInside(target, from: name, &work) {
      let danger = PathDanger.of(target: target, ofLinkAt: name, isRooted: false)
      return danger.map {
        SignetError(
          $0.code, name.text, "is a link to what is not in the RAM disk",
          expected: "a link into it, or below /dev, /proc, /run, /sys or /tmp", found: target.text)
      }
    }
    return nil
  }

  /// The same for the next part of the disk: what is known of the links, without the danger that was named.
  package var forNextPart: RootLinks {
    var links = self
    links.behind = nil
    return links
  }

  private func leadsInside(_ target: ListedName, from link: ListedName, _ work: inout Int) -> Bool {
    follow(target, from: link.names, &work) { _ in true } == .there
  }

  /// Where a link leads.
  private enum End {
    /// To what is in the disk, or to what the system makes.
    case there
    /// To what is not in the disk.
    case missing
    /// Nobody follows it further: it takes too much work, or goes by way of a link that is not to be followed.
    case ended
  }

  /// Follows a link, and the links on its way.
  ///
  /// - Parameter mayPass: whether the way may go over the link at a path.
  private func follow(
    _ target: ListedName, from link: [ArraySlice<UInt8>], _ work: inout Int, mayPass: ([UInt8]) -> Bool
  ) -> End {
    var place = target.isAbsolute ? [] : Array(link.dropLast())
    var rest = Array(target.names.reversed())
    var hops = 0
    while let name = rest.popLast() {
      work -= Self.stepWork
      guard work > 0 else { return .ended }
      guard !name.elementsEqual("..".utf8) else {
        // The root is its own parent.
        _ = place.popLast()
        continue
      }
      place.append(name)
      if place.count == 1, Self.made.contains(Array(name)) {
        return rest.contains { $0.elementsEqual("..".utf8) } ? .missing : .there
      }
      let path = Array(place.joined(separator: "/".utf8))
      work -= path.count
      guard let node = nodes[path] else { return .missing }
      guard case .link(let next) = node else { continue }
      hops += 1
      guard hops <= Self.hopLimit, mayPass(path) else { return .ended }
      place = next.isAbsolute ? [] : Array(place.dropLast())
      rest += next.names.reversed()
    }
    return .there
  }
}

extension ListedName {
  fileprivate var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }
}
