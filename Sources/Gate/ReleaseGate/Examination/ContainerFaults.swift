internal import SignetArchive
package import SignetBase
internal import SignetCrypto

/// What is known to be wrong with data or with an archive.
package struct ContainerFaults {
  /// Why two programs could see two things in them, or why an archive leads out of its folder.
  package var danger: SignetError?
  /// What a module cannot have, and is no danger.
  package var form: SignetError?
  /// Why not all of the data are there, or not all entries are known.
  package var unread: SignetError?

  package init(danger: SignetError? = nil, form: SignetError? = nil, unread: SignetError? = nil) {
    self.danger = danger
    self.form = form
    self.unread = unread
  }

  /// The danger if they are an archive: what is cut or damaged is dangerous, and what is only too large to be
  /// decompressed is not.
  package var dangerOfArchive: SignetError? { danger ?? (unread?.code == .archiveFilter ? nil : unread) }

  /// The faults of an archive in compressed data that have these faults. What is not there of the data was named already.
  var ofArchive: ContainerFaults { ContainerFaults(danger: dangerOfArchive, form: form) }

  // MARK: What the refusals of readers say

  /// The refusals of the strict reader that are always about a danger. Of the others, a survey of the whole archive
  /// says whether there is one.
  ///
  /// Those about the paths of entries are not among them if ``ListingDangers`` finds the same danger, unless it is no
  /// danger where the archive is unpacked.
  static let alwaysDangerous: Set<SignetError.Code> = [
    .archiveFormat, .archiveTruncated, .archiveRatio, .archiveChecksum, .archiveData, .archiveEncrypted,
    .archiveOverlap, .archiveMultiDisk, .archiveComment, .pathControl, .pathInvisible,
    .pathBackslash, .signatureMalformed,
  ]

  /// Says of what kind a refusal is.
  static func judge(
    _ refusal: SignetError, danger: inout SignetError?, form: inout SignetError?,
    by survey: () throws(SignetError) -> Void
  ) throws(SignetError) {
    if alwaysDangerous.contains(refusal.code) {
      danger = danger ?? refusal
      return
    }
    if danger == nil, let found = try fault(survey) {
      // What the strict reader has named is told, if it was right.
      danger = [.archiveGap, .archiveEndRecord, .archiveLeadingData].contains(refusal.code) ? refusal : found
    }
    // The same fault is not named twice.
    if danger?.code != refusal.code { form = form ?? refusal }
  }

  static func attempt(
    _ body: () throws(SignetError) -> OpenedArchive
  ) throws(SignetError) -> Result<OpenedArchive, SignetError> {
    do throws(SignetError) {
      return .success(try body())
    } catch {
      guard isRefusal(error) else { throw error }
      return .failure(error)
    }
  }

  static func fault(_ body: () throws(SignetError) -> Void) throws(SignetError) -> SignetError? {
    do throws(SignetError) {
      try body()
      return nil
    } catch {
      guard isRefusal(error) else { throw error }
      return error
    }
  }

  /// Whether an error says that an archive is not as it must be, and not that it could not be read.
  package static func isRefusal(_ error: SignetError) -> Bool {
    Set.aboutArchives.contains(error.code) || Set.aboutPaths.contains(error.code)
      || error.code == .signatureMalformed
  }
}
