internal import ModuleStore
public import Signet
public import SignetBase
internal import SignetSystem

/// How a file that a host reads has to be signed.
public enum SignedFileKind: Hashable, Sendable {
  /// As a file of its name. The policy has to trust the signer for files of that name.
  case file
  /// As a manifest with this identifier, which has a sequence: once a file is used, no fetched file with a lower
  /// sequence is.
  ///
  /// Use another identifier than for the host's own manifest, because each identifier has its own sequences.
  case manifest(ModuleIdentifier)
}

extension PluginHost {
  /// Reads a file that a signer has signed whom the host's policy trusts for it, such as a list of offers.
  ///
  /// The statement is beside the file (`NAME.sigstore.json`). The bytes are read once: what was verified is what is
  /// read. A refusal is told as an event.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - kind: how it has to be signed.
  ///   - limit: the greatest size of the file in bytes.
  ///   - read: gives the bytes a meaning, or refuses them.
  /// - Throws: the reasons of the `Refusal` if the file is refused: `signature.…`, `signer.…`, `policy.…`, `digest.…`,
  ///   `statement.…`; `file.…`, `crypto.failure`; what `read` throws.
  public func signedFile<Value>(
    _ path: String, as kind: SignedFileKind = .file, limit: Int = 1 << 20,
    read: ([UInt8]) throws(SignetError) -> Value
  ) throws(SignetError) -> Value {
    let reading = SignedFileReading(host: self, kind: kind, limit: limit)
    do throws(SignetError) {
      let file = try reading.verify(path, atLeast: reading.floor())
      let value = try read(file.bytes)
      reading.use(file)
      return value
    } catch {
      context.refused.note(path, error)
      throw error
    }
  }

  /// Reads a signed file as ``signedFile(_:as:limit:read:)`` does: the fetched one, or else the one that ships with the
  /// host.
  ///
  /// The latter is read if the fetched one is missing, or refused for any reason. A manifest that is fetched is never
  /// older than the last one that was used, nor than the one that ships with the host.
  ///
  /// - Parameters:
  ///   - user: the path of the fetched file, or nil.
  ///   - embedded: the path of the file that ships with the host.
  ///   - kind: how both have to be signed.
  ///   - limit: the greatest size of each file in bytes.
  ///   - read: gives the bytes a meaning, or refuses them.
  /// - Throws: if both are refused, why the second one is.
  public func signedFile<Value>(
    user: String?, embedded: String, as kind: SignedFileKind = .file, limit: Int = 1 << 20,
    read: ([UInt8]) throws(SignetError) -> Value
  ) throws(SignetError) -> Value {
    let reading = SignedFileReading(host: self, kind: kind, limit: limit)
    let shipped = Result { () throws(SignetError) in
      // What ships with the host is as old as the host.
      let file = try reading.verify(embedded, atLeast: 1)
      return (value: try read(file.bytes), sequence: file.proof?.sequence ?? 1)
    }
    if let user {
      do throws(SignetError) {
        let file = try reading.verify(user, atLeast: max(reading.floor(), (try? shipped.get())?.sequence ?? 1))
        let value = try read(file.bytes)
        reading.use(file)
        return value
      } catch {
        context.refused.note(user, error)
      }
    }
    do throws(SignetError) { return try shipped.get().value } catch {
      context.refused.note(embedded, error)
      throw error
    }
  }
}

/// The verification of a file that a host reads.
private struct SignedFileReading {
  let host: PluginHost
  let kind: SignedFileKind
  let limit: Int

  /// The bytes that were verified. A manifest has a proof of its sequence.
  typealias VerifiedFile = (bytes: [UInt8], proof: VerifiedHostManifest?)

  func verify(_ path: String, atLeast sequence: Int) throws(SignetError) -> VerifiedFile {
    let file = try RegularFile(opening: path)
    let artifact = Artifact.bytes(try file.bytes(limit: limit))
    let verifier = Verifier(policy: host.policy, clock: host.context.store.judgingClock)
    switch kind {
    case .file:
      let verdict = try verifier.verify(artifact, signatures: .beside(path), expecting: .file(named: file.baseName))
      switch verdict {
      case .verified(let proof): return (proof.artifact.bytes ?? [], nil)
      case .refused(let refusal): throw refusal.combined
      }
    case .manifest(let identifier):
      let verdict = try verifier.verify(
        artifact, signatures: .beside(path),
        expecting: .hostManifest(identifier: identifier, named: file.baseName, leastSequence: sequence))
      switch verdict {
      case .verified(let proof): return (proof.artifact.bytes ?? [], proof)
      case .refused(let refusal): throw refusal.combined
      }
    }
  }

  /// The lowest sequence that a fetched manifest may have.
  func floor() throws(SignetError) -> Int {
    guard case .manifest(let identifier) = kind else { return 1 }
    return try host.context.store.manifestFloor(of: identifier)?.sequence ?? 1
  }

  /// Raises the floor to a manifest that is used. If that fails, the host is told, and the file is good nevertheless.
  func use(_ file: VerifiedFile) {
    guard let proof = file.proof else { return }
    do throws(SignetError) { try host.context.store.raiseManifestFloor(after: proof) } catch {
      host.context.records.tell(.notice(error))
    }
  }
}
