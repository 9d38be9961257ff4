public import ModuleCatalog
internal import Signet
public import SignetBase
internal import SignetTUF

/// A release in the list of a registry.
public struct ListedRelease: Sendable {
  /// The publisher's name.
  public let publisher: String
  /// The release, with a withdrawal that is drafted.
  public let release: ModuleRelease
  /// Whether clients find the release as it is here. Otherwise it, or its withdrawal, is in a draft.
  public let isPublished: Bool
}

extension ModuleRegistry {
  /// Gives all releases: those that clients find, and those of drafts, in the order of the modules and of the sequences.
  ///
  /// What a draft only takes away is there until the draft is published. Two indexes are in memory at a time.
  ///
  /// - Parameters:
  ///   - complain: is told of publishers whose metadata cannot be used, and of indexes that cannot be read.
  ///   - body: takes a release. An error that it throws ends the list.
  /// - Throws: what ``RepositoryFolder/load()`` and `body` throw.
  public func forEachRelease(
    complaining complain: (SignetError) -> Void = { _ in },
    _ body: (ListedRelease) throws(SignetError) -> Void
  ) throws(SignetError) {
    var offers = try offers(of: folder.load(), complain)
    var modules: [(module: ModuleIdentifier, offer: Int)] = []
    for number in offers.indices { modules += offers[number].modules(complain).map { ($0, number) } }
    for (module, offer) in modules.sorted(by: { $0.module.description.precedesInBytes($1.module.description) }) {
      for release in offers[offer].releases(of: module, complain) { try body(release) }
    }
  }

  private func offers(
    of content: RepositoryContent, _ complain: (SignetError) -> Void
  ) throws(SignetError) -> [PublisherOffer] {
    let newest = try newestTargets(content)
    let top = content.targets?.role
    var offers: [PublisherOffer] = []
    if let top {
      for publisher in try Self.publishers(of: top) {
        var offer = PublisherOffer(publisher: publisher.name)
        do throws(SignetError) {
          let role = try RoleTargets(of: publisher.name, under: top, in: content, continuing: .published)
          offer.published = OfferedModules(of: publisher, role, in: folder)
        } catch { complain(error) }
        offers.append(offer)
      }
    }
    guard try !folder.pendingRoles().isEmpty else { return offers }
    for publisher in try Self.publishers(of: newest) {
      let known = offers.firstIndex { $0.publisher.isExactly(publisher.name) }
      var offer = known.map { offers[$0] } ?? PublisherOffer(publisher: publisher.name)
      do throws(SignetError) {
        let role = try RoleTargets(of: publisher.name, under: newest, before: top, in: content, continuing: .shown)
        offer.drafted = OfferedModules(of: publisher, role, in: folder)
      } catch { complain(error) }
      if let known { offers[known] = offer } else { offers.append(offer) }
    }
    return offers
  }
}

/// What a publisher offers, as clients find it and as drafts have it.
private struct PublisherOffer {
  let publisher: String
  var published: OfferedModules?
  var drafted: OfferedModules?

  mutating func modules(_ complain: (SignetError) -> Void) -> Set<ModuleIdentifier> {
    var modules: Set<ModuleIdentifier> = []
    do throws(SignetError) { modules.formUnion(try published?.modules() ?? []) } catch { complain(error) }
    do throws(SignetError) { modules.formUnion(try drafted?.modules() ?? []) } catch { complain(error) }
    return modules
  }

  mutating func releases(of module: ModuleIdentifier, _ complain: (SignetError) -> Void) -> [ListedRelease] {
    var old: ModuleIndex?
    var new: ModuleIndex?
    do throws(SignetError) { old = try published?.index(of: module) } catch { complain(error) }
    do throws(SignetError) {
      if try !isSameIndex(of: module) { new = try drafted?.index(of: module) }
    } catch { complain(error) }
    let drafted = (new?.releases ?? []).map { release in
      let isPublished = old?.release(release.version).map { Self.isSame($0.yanked, release.yanked) } ?? false
      return ListedRelease(publisher: publisher, release: release, isPublished: isPublished)
    }
    let kept = (old?.releases ?? []).filter { new?.release($0.version) == nil }
    return (kept.map { ListedRelease(publisher: publisher, release: $0, isPublished: true) } + drafted)
      .sorted { $0.release.sequence < $1.release.sequence }
  }

  /// Whether drafts have the index that clients find, so that it need not be read twice.
  private mutating func isSameIndex(of module: ModuleIdentifier) throws(SignetError) -> Bool {
    guard let old = try published?.indexFile(of: module), let new = try drafted?.indexFile(of: module) else {
      return false
    }
    return old.length == new.length && old.hashes.isSame(as: new.hashes)
  }

  private static func isSame(_ old: String?, _ new: String?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return old.isExactly(new)
  }
}
