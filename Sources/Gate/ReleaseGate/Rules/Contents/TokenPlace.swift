/// A place where a token may be: a literal of its form, with the bytes around it.
struct TokenPlace {
  let before: [UInt8]
  /// The bytes from the literal on.
  let text: [UInt8]

  init(_ match: ContentMatch) {
    before = match.before
    text = match.after
  }

  /// What every key of OpenAI has in its middle: the base64 of the name.
  static let openaiMark = "T3BlbkFJ"

  /// Whether no letter, digit or underscore is before it.
  var beginsWord: Bool { !(before.last.map { TokenAlphabet.word.has($0) } ?? false) }

  /// The characters of an alphabet from an offset on, up to the first other one; empty behind the end.
  func run(from offset: Int, _ alphabet: TokenAlphabet) -> ArraySlice<UInt8> {
    guard offset <= text.count else { return text[text.count...] }
    return text[offset...].prefix(while: alphabet.has)
  }

  // MARK: Forms that several tokens share

  /// The length of a token with a prefix of four characters, then `count` characters, of which the last six are the
  /// CRC-32 of those before them in base 62.
  func base62Checked(_ count: Int) -> Int? {
    let length = 4 + count
    guard text.count >= length, text[4..<length].allSatisfy(TokenAlphabet.base62.has) else { return nil }
    let sum = TokenText.digits(of: TokenText.crc32(text[4..<length - 6]), base: 62, count: 6)
    return text[length - 6..<length].elementsEqual(sum) ? length : nil
  }

  /// GitHub's newer form for apps: the app's number, then a JSON Web Token. Both of its parts are JSON objects.
  var githubStateless: Int? {
    let app = run(from: 4, .digits)
    let header = run(from: app.endIndex + 1, .base64URL)
    let payload = run(from: header.endIndex + 1, .base64URL)
    guard (1...12).contains(app.count), text.dropFirst(app.endIndex).first == UInt8(ascii: "_"),
      header.count >= 16, header.starts(with: "eyJ".utf8), text.dropFirst(header.endIndex).first == UInt8(ascii: "."),
      payload.count >= 16, payload.starts(with: "eyJ".utf8)
    else { return nil }
    let signature = run(from: payload.endIndex + 1, .base64URL)
    return max(payload.endIndex, signature.endIndex)
  }

  /// GitLab's forms: 20 random characters; or a payload, an optional version and the payload's length, and the CRC-32
  /// of all that in base 36 (GitLab handbook, "Cells: Routable Tokens").
  ///
  /// - Parameter prefix: the length of the prefix.
  func gitlab(_ prefix: Int) -> Int? {
    let payload = run(from: prefix, .base64URL)
    if payload.count == 20 { return TokenText.isMixed(payload) ? prefix + 20 : nil }
    guard (27...300).contains(payload.count), text.dropFirst(payload.endIndex).first == UInt8(ascii: ".") else {
      return nil
    }
    var last = run(from: payload.endIndex + 1, .base36)
    if last.count == 2, text.dropFirst(last.endIndex).first == UInt8(ascii: ".") {
      last = run(from: last.endIndex + 1, .base36)
    }
    guard last.count == 9 else { return nil }
    let sum = TokenText.digits(of: TokenText.crc32(text[..<(last.endIndex - 7)]), base: 36, count: 7)
    return last.suffix(7).elementsEqual(sum) ? last.endIndex : nil
  }

  /// An access key of AWS: 20 characters of base 32, and near it the secret, which is what must not be published.
  var awsPair: Int? {
    guard beginsWord, run(from: 4, .base32).count == 16,
      !(text.dropFirst(20).first.map(TokenAlphabet.word.has) ?? false),
      !TokenText.isExample(text[..<20])
    else { return nil }
    let near = [before[...], text.dropFirst(20).prefix(Self.awsDistance)]
    return near.contains(where: TokenText.hasAWSSecret) ? 20 : nil
  }

  /// How far behind the key its secret may end.
  private static let awsDistance = 240

  var stripe: Int? {
    let body = run(from: 8, .base62)
    return beginsWord && (24...247).contains(body.count) && TokenText.isMixed(body) ? 8 + body.count : nil
  }

  /// Numbers, and a secret at the end, with hyphens between them.
  var slack: Int? {
    let body = run(from: 5, .alphanumericOrHyphen)
    let parts = body.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard beginsWord, let secret = parts.last, (2...5).contains(parts.count),
      parts.dropLast().allSatisfy({ (1...14).contains($0.count) && $0.allSatisfy(TokenAlphabet.digits.has) }),
      parts.dropLast().contains(where: { $0.count >= 8 })
    else { return nil }
    let least = parts.count > 3 ? 10 : 18
    return (least...64).contains(secret.count) && TokenText.isVaried(secret) ? body.endIndex : nil
  }

  /// A key of OpenAI with a prefix of this length.
  func openai(_ prefix: Int) -> Int? {
    let body = run(from: prefix, .base64URL)
    let mark = Array(Self.openaiMark.utf8)
    guard beginsWord, body.count >= 40 + mark.count, TokenText.isMixed(body) else { return nil }
    let middle = body.dropFirst(20).dropLast(20 + mark.count - 1)
    return middle.indices.contains { body[$0...].starts(with: mark) } ? body.endIndex : nil
  }
}
