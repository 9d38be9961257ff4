internal import SignetArchive
internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The members of an archive of ar, with what is wrong with it: a static library, an import library, or a Debian package.
struct LibraryContents {
  /// The members, as far as they could be listed.
  private(set) var members: [ArMember] = []
  /// The files among them.
  private(set) var entries: [ArtifactContents.Entry] = []
  /// Why two programs could see two archives in it, or why it leads out of its folder.
  private(set) var danger: SignetError?
  /// Why not all members are known.
  private(set) var incomplete: SignetError?
  /// Whether it is a package of Debian, whose members hold its files.
  private(set) var isDebian = false

  /// Lists the members.
  ///
  /// - Throws: what keeps it from finding out.
  init(_ source: any ByteSource, _ budget: inout SearchBudget) throws(SignetError) {
    var dangers = ListingDangers(.unpacked)
    do throws(SignetError) {
      var reader = try ArReader(source)
      while let member = try reader.next() {
        try budget.spendEntry(member.name.count, of: source.path)
        note(member, &dangers)
      }
    } catch {
      guard ContainerFaults.isRefusal(error) else { throw error }
      switch error.code {
      case .archiveEntryCount: incomplete = error
      // All members are known.
      case .archiveTrailingData, .archiveHeaderMismatch: danger = error
      default: (danger, incomplete) = (error, error)
      }
    }
    danger = danger ?? dangers.danger
  }

  private mutating func note(_ member: ArMember, _ dangers: inout ListingDangers) {
    let name = ListedName(member.name, isCut: member.isCut)
    if members.isEmpty { isDebian = member.name.elementsEqual("debian-binary".utf8) }
    members.append(member)
    guard member.role == .file else { return }
    // dpkg knows the members of a package by their names. The modes of a library's members mean nothing.
    if isDebian {
      dangers.note(ListedEntry(name: name, kind: .file(size: member.content.count), mode: member.mode))
    } else {
      dangers.note(memberOfLibrary: name)
    }
    entries.append(
      ArtifactContents.Entry(
        path: member.text, content: .file(size: member.content.count), mode: isDebian ? member.mode : 0))
  }
}
