import SignetBase
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

@Suite struct SignatureTests {
  @Test(
    "one changed bit of signature or message makes it invalid, never uncheckable", .slow,
    arguments: PrivateKey.Kind.allCases)
  func bits(kind: PrivateKey.Kind) throws {
    let key = try PrivateKey.generate(kind)
    let message = Array("a message".utf8)
    let signature = try key.sign(message)
    func isValid(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
      switch key.publicKey.verify(signature, over: message) {
      case .valid: return true
      case .invalid: return false
      case .couldNotCheck(let error):
        Issue.record("\(error)")
        return false
      }
    }
    #expect(isValid(signature, message))
    for bit in 0..<signature.count * 8 {
      var changed = signature
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!isValid(changed, message), "bit \(bit) of the signature")
    }
    for bit in 0..<message.count * 8 {
      var changed = message
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!isValid(signature, changed), "bit \(bit) of the message")
    }
    for wrong in [[], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 0, count: signature.count)] {
      #expect(!isValid(wrong, message))
    }
  }

  @Test("another key's signature is invalid")
  func otherKey() throws {
    let first = try PrivateKey.generate(.ed25519)
    let second = try PrivateKey.generate(.ed25519)
    guard case .invalid = second.publicKey.verify(try first.sign([1]), over: [1]) else {
      Issue.record("accepted")
      return
    }
  }

  @Test("an OpenSSL failure carries the whole error queue, and leaves nothing of it for the next call")
  func errorQueue() throws {
    let text = try Repository.bytes("keys/insecure-test-encrypted")
    let error = expectError(.keyPassphraseWrong) { _ = try TestKeys.load(text, "wrong") }
    let failure = try #require(error?.cause as? OpenSSLFailure)
    #expect(failure.operation == "PKCS8_decrypt_ex")
    #expect(failure.reasons.count >= 1)
    #expect(failure.reasons.allSatisfy { $0.hasPrefix("error:") })
    #expect(OpenSSLFailure.drained("nothing").reasons.isEmpty)
  }

  @Test("keys and signatures may be used from many threads at once")
  func threads() async throws {
    let key = try PrivateKey.generate(.p256)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let message = [UInt8(number)]
          guard case .valid = key.publicKey.verify(try key.sign(message), over: message) else { return false }
          return true
        }
      }
      for try await isValid in group { #expect(isValid) }
    }
  }

  @Test("a check that OpenSSL cannot carry out is neither valid nor invalid")
  func thirdValue() throws {
    let key = try TestKeys.publicKey("ed25519")
    // Ed25519 takes no digest, which RSA's way of checking asks for.
    let odd = PublicKey(der: key.der, algorithm: .rsa(bits: 3072), id: key.id, handle: key.handle)
    guard case .couldNotCheck(let error) = odd.verify([UInt8](repeating: 1, count: 64), over: [1]) else {
      Issue.record("checked")
      return
    }
    #expect(error.code == .cryptoFailure)
    #expect((error.cause as? OpenSSLFailure)?.reasons.isEmpty == false)
  }

  @Test("secrets are overwritten when they are wiped")
  func wiping() {
    let secret = SecretBytes([1, 2, 3])
    #expect(secret.withBytes { Array(copying: $0) } == [1, 2, 3])
    secret.wipe()
    #expect(secret.withBytes { Array(copying: $0) } == [0, 0, 0])
  }
}
