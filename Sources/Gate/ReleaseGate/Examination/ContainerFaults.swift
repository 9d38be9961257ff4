internal import SignetArchive
package import SignetBase
internal import SignetCrypto

/// What the refusals of readers say of a container.
extension Container {
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
    _ refusal: SignetError, _ danger: inout SignetError?, _ form: inout SignetError?,
    _ survey: () throws(SignetError) -> Void
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
