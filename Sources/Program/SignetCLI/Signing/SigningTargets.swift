internal import ReleaseContents
internal import Signet
internal import SignetBase

/// What a run of `signet sign` signs, and what it leaves out.
struct SigningTargets {
  /// A path that is signed or skipped.
  struct Target {
    let path: String
    /// The name in the statement; nil for the base name.
    let name: String?
    let fate: Fate
  }

  /// What happens to a path.
  enum Fate {
    case signed
    /// It holds signatures. It is not read, so it may be replaced.
    case bundle
    /// It holds the private key or its passphrase: a pattern that also names it does not mean that it is published.
    case secret
    /// A pattern leaves it out, or it is a link.
    case leftOut
  }

  /// The paths, in order.
  let all: [Target]
  /// Whether several paths may be signed, so that there is a table and a count.
  let areMany: Bool

  /// The files that a command line names.
  init(_ files: [String], named name: String?, _ key: SigningKeyOptions) {
    areMany = files.count > 1
    guard areMany else {
      all = files.map { Target(path: $0, name: name, fate: .signed) }
      return
    }
    // Signatures in a folder are beside the files that they are about, and rel/* names both.
    all = files.map { path in
      Target(
        path: path, name: nil, fate: BundleFile.holdsBundles(path) ? .bundle : key.isSecret(path) ? .secret : .signed)
    }
  }

  /// Every artifact below a folder, each under its path from there.
  ///
  /// - Throws: `gate.empty`, `gate.link`, `gate.special-file`, `path.…`, `directory.…`, `file.…`.
  init(each folder: String, excluding exclusions: [PathPattern], _ key: SigningKeyOptions) throws(SignetError) {
    areMany = true
    let files = try ReleaseFiles(in: [folder], excluding: exclusions)
    let start = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    all = files.files.compactMap { file in
      let path = start + file.path
      switch file.role {
      case .artifact: return Target(path: path, name: file.path, fate: key.isSecret(path) ? .secret : .signed)
      case .directory: return Target(path: path, name: file.path, fate: .signed)
      case .bundle, .attestation: return Target(path: path, name: nil, fate: .bundle)
      case .link: return Target(path: path, name: nil, fate: .leftOut)
      case .excluded: return file.kind == .directory ? nil : Target(path: path, name: nil, fate: .leftOut)
      case .part, .folder: return nil
      }
    }
    guard all.contains(where: { $0.fate == .signed }) else {
      throw SignetError(
        .gateEmpty, folder, "has nothing to sign", expected: "one artifact or more",
        hint: "check the path and the exclusions")
    }
  }

  /// The paths of what is signed.
  var signed: [String] { all.filter { $0.fate == .signed }.map(\.path) }
}
