package import SignetBase
internal import SignetCrypto

/// The field types of policies, besides those of every document. Errors give line and column.
extension JSONObject {
  private static let certificateLimit = 100

  mutating func certificate(_ name: String) throws(SignetError) -> Certificate {
    let der = try bytes(name)
    do throws(SignetError) { return try Certificate(der: der) } catch { throw located(error, name) }
  }

  mutating func certificates(_ name: String) throws(SignetError) -> [Certificate] {
    var certificates: [Certificate] = []
    for text in try strings(name, atMost: Self.certificateLimit) {
      do throws(SignetError) {
        certificates.append(try Certificate(der: Base64.decode(text)))
      } catch {
        throw located(error, name)
      }
    }
    return certificates
  }

  mutating func revocationLists(_ name: String) throws(SignetError) -> [RevocationList] {
    var lists: [RevocationList] = []
    for text in try strings(name, atMost: Self.certificateLimit) {
      do throws(SignetError) {
        lists.append(try RevocationList(der: Base64.decode(text)))
      } catch {
        throw located(error, name)
      }
    }
    return lists
  }

  mutating func responses(_ name: String, _ form: StatusForm) throws(SignetError) -> StapledResponses {
    let texts = try strings(name, atMost: Self.certificateLimit)
    guard !texts.isEmpty else { return .none }
    do throws(SignetError) {
      return try StapledResponses(texts.map { (text) throws(SignetError) in try Base64.decode(text) }, in: form)
    } catch {
      throw located(error, name)
    }
  }

  mutating func succession(
    _ name: String, from key: PublicKey, _ form: SuccessionForm
  ) throws(SignetError) -> KeySuccession? {
    let texts = try strings(name, atMost: Self.certificateLimit)
    guard !texts.isEmpty else { return nil }
    do throws(SignetError) {
      return try form.reader.read(texts.map { (text) throws(SignetError) in try Base64.decode(text) }, from: key)
    } catch {
      throw located(error, name)
    }
  }

  package mutating func key(_ name: String) throws(SignetError) -> PublicKey {
    let der = try bytes(name)
    do throws(SignetError) { return try PublicKey(der: der) } catch { throw located(error, name) }
  }

  package mutating func module(_ name: String) throws(SignetError) -> ModuleIdentifier {
    let text = try string(name)
    guard let module = ModuleIdentifier(text) else {
      throw wrong(name, "an identifier such as com.example.player", text)
    }
    return module
  }

  /// The sequence of a release: 1 to 2^53-1.
  package mutating func sequence(_ name: String) throws(SignetError) -> Int {
    let number = try count(name)
    guard number >= 1 else { throw wrong(name, "a whole number from 1 on", "\(number)") }
    return number
  }

  mutating func modulePatterns(_ name: String, atMost limit: Int) throws(SignetError) -> [ModulePattern] {
    var patterns: [ModulePattern] = []
    for text in try strings(name, atMost: limit) {
      guard let pattern = ModulePattern(text) else {
        throw wrong(name, "patterns such as com.example.** or **", text)
      }
      patterns.append(pattern)
    }
    return patterns
  }

  mutating func uriPatterns(_ name: String, atMost limit: Int) throws(SignetError) -> [URIPattern] {
    var patterns: [URIPattern] = []
    for text in try strings(name, atMost: limit) {
      guard let pattern = URIPattern(text) else {
        throw wrong(name, "patterns such as https://example.com/ or **", text)
      }
      patterns.append(pattern)
    }
    return patterns
  }

  mutating func filePatterns(_ name: String, atMost limit: Int) throws(SignetError) -> [FilePattern] {
    var patterns: [FilePattern] = []
    for text in try strings(name, atMost: limit) {
      guard let pattern = FilePattern(text) else { throw wrong(name, "patterns such as tool-*.deb or *", text) }
      patterns.append(pattern)
    }
    return patterns
  }

  /// The same error, about a field of this object.
  func located(_ error: SignetError, _ name: String) -> SignetError { error.about(path(of: name)) }
}
