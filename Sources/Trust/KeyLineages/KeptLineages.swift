public import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem
public import SignetVerify

/// What a program has seen of the keys of its policy's signers, in a file of its own.
///
/// A program that was built with a publisher's key learns the next key from a lineage, over any way, and keeps it: who steals the
/// old key later can introduce no other one here. Nobody else may write the file.
public struct KeptLineages: Sendable {
  /// The path of the file, which need not be there yet.
  public let path: String
  /// The maximum length of the file in bytes.
  private static let sizeLimit = 4 * KeyLineage.sizeLimit

  /// - Parameter path: the path of the file, in a folder that only this user can write.
  public init(at path: String) { self.path = path }

  /// The policy, with what was seen.
  ///
  /// - Throws: `file.others-may-write` and other `file.…` codes; `lineage.…` for a file that cannot be read, which is not as if
  ///   there were none; what ``SignetVerify/TrustPolicy/following(_:)`` throws.
  public func policy(_ policy: TrustPolicy) throws(SignetError) -> TrustPolicy {
    var policy = policy
    for lineage in try read() {
      // One whose signer the policy no longer trusts says nothing.
      do throws(SignetError) { policy = try policy.following(lineage, wasSeen: true) } catch
        where error.code == .lineageStranger
      {}
    }
    return policy
  }

  /// Takes up a lineage, and keeps what is new in it.
  ///
  /// - Parameters:
  ///   - text: the lineage's text, from anybody.
  ///   - policy: the policy that the program was built with.
  /// - Returns: the policy, with what was seen up to now.
  /// - Throws: `lineage.…` for a lineage that is not accepted; then the file stays as it was. What ``policy(_:)`` throws, and
  ///   `output.…`, `file.locked`.
  public func follow(_ text: [UInt8], _ policy: TrustPolicy) throws(SignetError) -> TrustPolicy {
    let lineage = try KeyLineage(reading: text)
    let lock = try AdvisoryLock(beside: path)
    defer { withExtendedLifetime(lock) {} }
    let before = try self.policy(policy)
    let after = try before.following(lineage)
    guard after != before else { return before }
    // What the policy has itself is kept, too: a later policy need not have it.
    var kept: [UInt8] = []
    for entry in after.entries + (after.terms.summary?.signers ?? []) { kept += try entry.lineage()?.text ?? [] }
    // Of a signer who is not trusted now, and may be again.
    for seen in try read() {
      do throws(SignetError) { _ = try before.following(seen, wasSeen: true) } catch { kept += seen.text }
    }
    guard kept.count <= Self.sizeLimit else {
      throw SignetError(
        .lineageTooLong, path, "would be too long", expected: "at most \(Self.sizeLimit) bytes",
        found: "\(kept.count)")
    }
    try OutputFile.write(kept, to: path, mode: 0o600, .replace(unless: []))
    return after
  }

  /// The lineages in the file, one after the other.
  private func read() throws(SignetError) -> [KeyLineage] {
    do throws(SignetError) { _ = try FileStatus(ofLink: path) } catch  where error.code == .fileMissing { return [] }
    let text = try TrustedContent.read(path, limit: Self.sizeLimit).withBytes { Array(copying: $0) }
    do throws(SignetError) {
      var lines: [[RotationStatement]] = []
      for line in text.split(separator: UInt8(ascii: "\n")) {
        let rotation = try RotationStatement(bundle: Array(line))
        // The keys of two signers may meet; their lineages do not.
        if let last = lines.last?.last, last.to == rotation.from, last.digest == rotation.previous {
          lines[lines.count - 1].append(rotation)
        } else {
          lines.append([rotation])
        }
      }
      return try lines.map { (line) throws(SignetError) in try KeyLineage(line) }
    } catch {
      var error = error.about("\(path): \(error.object)")
      error.hint = "restore the file; without it, only the keys that the program was built with are trusted"
      throw error
    }
  }
}
