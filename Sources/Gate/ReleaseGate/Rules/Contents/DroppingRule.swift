/// Nothing that other programs left behind is in the release.
package struct DroppingRule: ContentsRule, FileRule, ReleaseRule {
  package static let about = RuleDescription(
    "dropping", "Nothing that editors, file managers and other tools left behind is in the release",
    help: """
      Backup copies, swap files, thumbnails and core dumps are of no use to users, and often show what should not be \
      seen: older texts, names of files and folders, or the memory of a program. They also say that the release was \
      packed from a folder in which somebody works. Pack from a fresh checkout, or leave these files out.
      """,
    .warning)

  package init(_ options: inout RuleOptions) {}

  // MARK: Names

  private static let folders: [(name: String, words: String)] = [
    ("__macosx", "attributes of files from macOS"), (".idea", "settings of an editor"),
    (".vscode", "settings of an editor"), (".vs", "settings of an editor"),
    (".spotlight-v100", "the search index of macOS"), (".trashes", "the trash of macOS"),
    (".fseventsd", "a log of macOS"), ("$recycle.bin", "the trash of Windows"),
  ]

  private static let files: [(name: String, words: String)] = [
    (".ds_store", "the view of a folder from macOS"), ("thumbs.db", "thumbnails from Windows"),
    ("ehthumbs.db", "thumbnails from Windows"), ("desktop.ini", "the view of a folder from Windows"),
    (".directory", "the view of a folder from KDE"), ("npm-debug.log", "a log of npm"),
    ("yarn-error.log", "a log of Yarn"), ("nohup.out", "the output of a command"),
  ]

  private static let endings: [(ending: String, words: String)] = [
    ("~", "a backup copy"), (".bak", "a backup copy"), (".orig", "the copy from before a merge or a patch"),
    (".rej", "the rest of a patch"), (".tmp", "a temporary file"),
  ]

  /// What a name in lower case means; nil if it is like any other.
  static func meaning(_ name: [UInt8], isFolder: Bool) -> String? {
    if isFolder { return folders.first { name.elementsEqual($0.name.utf8) }?.words }
    if let known = files.first(where: { name.elementsEqual($0.name.utf8) }) { return known.words }
    // cargo package and JupyterLab put manifests there as their author wrote them.
    if ["cargo.toml.orig", "package.json.orig"].contains(where: { name.elementsEqual($0.utf8) }) { return nil }
    if name.starts(with: "._".utf8), name.count > 2 { return "attributes of a file from macOS" }
    if name.starts(with: ".#".utf8), name.count > 2 { return "a lock of Emacs" }
    if name.count > 2, name.first == UInt8(ascii: "#"), name.last == UInt8(ascii: "#") {
      return "a copy that Emacs saves"
    }
    if isSwapFile(name) { return "a swap file of Vim" }
    return endings.first {
      name.count > $0.ending.utf8.count && name.reversed().starts(with: $0.ending.utf8.reversed())
    }?
    .words
  }

  /// Whether a name is one of Vim's: `.NAME.swp`, and other last letters if there are several.
  private static func isSwapFile(_ name: [UInt8]) -> Bool {
    guard name.first == UInt8(ascii: "."), name.count > 5, let last = name.last else { return false }
    return name.dropLast().suffix(3).elementsEqual(".sw".utf8)
      && (UInt8(ascii: "a")...UInt8(ascii: "p")).contains(last)
  }

  package func check(
    _ contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) {
    for place in NamedPlaces.of(contents, Self.meaning) {
      findings.note(
        "holds what another program left behind", entry: contents.name(of: place.path),
        expected: "only files for users",
        found: place.words, hint: "leave it out when packing")
    }
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for place in NamedPlaces.of(release, Self.meaning) {
      findings.note(
        "was left behind by another program", about: place.first, expected: "only files for users",
        found: place.words, hint: "leave it out of the release")
    }
  }

  // MARK: Core dumps

  /// ET_CORE, the type of a core dump (gABI, "ELF Header", e_type).
  private static let coreType: [UInt8] = [4, 0]

  package func check(_ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings) {
    guard file.isELF, file.head.count >= 18 else { return }
    let type = Array(file.head[16..<18])
    // e_ident[EI_DATA]: 2 is the most significant byte first.
    guard (file.head[5] == 2 ? type.reversed() : type) == Self.coreType else { return }
    findings.note(
      "holds the memory of a program that crashed", entry: file.entry, expected: "only files for users",
      found: "a core dump", hint: "leave it out of the release")
  }
}
