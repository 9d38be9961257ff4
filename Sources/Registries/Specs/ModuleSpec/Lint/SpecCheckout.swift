internal import Signet
internal import SignetBase
internal import SignetProcesses
internal import SignetSystem

/// A checkout of a module's sources, in which the tag of a release is looked for.
public struct SpecCheckout: Sendable {
  /// The folder; nil for that of the spec, if it is the top of a checkout.
  private let folder: String?
  private let git: SpecGit

  /// A folder that must be in a checkout.
  public static func folder(_ path: String, _ git: SpecGit) -> SpecCheckout {
    SpecCheckout(folder: path, git: git)
  }

  /// The folder of the spec, if it is the top of a checkout. Where a spec is only a file among others, the repository
  /// around it need not be that of the module.
  public static func ofSpec(_ git: SpecGit) -> SpecCheckout { SpecCheckout(folder: nil, git: git) }

  /// What the checkout says of a spec's tag; nil if there is nothing to compare: no checkout, or no tag and commit as
  /// other rules demand them.
  ///
  /// - Throws: `spec.checkout` for a folder that is in no checkout; `spec-repo.git` if git cannot be started.
  func tag(of spec: ModuleSpec, in specFolder: Directory) throws(SignetError) -> LintedSpec.Tag? {
    // The tag is the version, so that it has no letters which mean something to git.
    guard let source = spec.source, let tag = source.tag, tag.isExactly("\(spec.version)"),
      [20, 32].contains(source.commit.flatMap { Hexadecimal.decode($0)?.count })
    else { return nil }
    let place: String
    if let folder {
      place = folder
    } else {
      do throws(SystemFailure) { guard try specFolder.status(of: ".git") != nil else { return nil } } catch {
        throw SignetError(.fileUnreadable, specFolder.path, "cannot be read", cause: error)
      }
      place = specFolder.path
    }
    // A checkout can name a place, and a program, for objects that it lacks. It is asked for nothing that it lacks.
    let alone = ["GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"]
    let inside = try git.result(["-C", place, "rev-parse", "--git-dir"], about: place, adding: alone)
    guard inside.status == 0 else {
      throw SignetError(
        .specCheckout, place, "is not in a checkout that git reads", expected: "a checkout of the module's sources",
        found: inside.lastWords.split(separator: "\n").first.map(String.init),
        hint: "name another folder, or use --no-checkout")
    }
    let found = try git.result(
      ["-C", place, "rev-parse", "--verify", "--quiet", "--end-of-options", "refs/tags/\(tag)^{commit}"],
      about: place,
      adding: alone)
    guard found.status == 0, let commit = SpecGit.lines(found.output).first else { return .missing }
    guard spec.identifier != nil, source.commit?.isExactly(commit) ?? false else { return .commit(commit) }
    let listed = try git.result(
      // Names alone: a clone may be without the files. With -t folders are listed, too: otherwise trees of nothing but
      // trees would be walked for ever without a word.
      ["-C", place, "ls-tree", "-r", "-t", "-z", "--full-tree", commit], about: place, adding: alone)
    guard listed.status == 0 else {
      throw SignetError(
        .specCheckout, place, "has a commit that git cannot list", expected: "all folders of commit \(commit)",
        found: listed.wasTooLong
          ? "more than a module's repository has"
          : listed.lastWords.split(separator: "\n").first.map(String.init),
        hint: "clone the repository without a filter, or use --no-checkout")
    }
    return .commit(commit, LintedSpec.CommitContents(of: spec, listed.output))
  }
}

extension LintedSpec.CommitContents {
  /// Looks for what an installation needs of a commit.
  ///
  /// - Parameter list: `MODE TYPE ID<tab>PATH` for each of its files and folders, with a NUL behind it.
  init(of spec: ModuleSpec, _ list: [UInt8]) {
    let name = ModuleSpec.fileName(of: spec.name)
    let files = list.split(separator: 0).compactMap { line -> String? in
      // The modes of regular files.
      guard line.starts(with: "100".utf8), let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      return String(validating: line[tab...].dropFirst(), as: UTF8.self)
    }
    specs = files.filter { path in
      path.utf8.split(separator: UInt8(ascii: "/")).last?.elementsEqual(name.utf8) ?? false
    }
    let folder = String(decoding: (specs.first ?? name).utf8.dropLast(name.utf8.count), as: UTF8.self)
    let below = files.lazy.filter { $0.utf8.starts(with: folder.utf8) }
      .map { String(decoding: $0.utf8.dropFirst(folder.utf8.count), as: UTF8.self) }
    hasDescription = below.contains { $0.isExactly(ModuleDescription.path) }
    hasSources = below.contains { spec.isSource($0) }
  }
}
