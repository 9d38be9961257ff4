package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// The files that hold bundles.
package enum BundleFile {
  /// The name of the file with one bundle, beside an artifact.
  package static func single(_ artifact: String) -> String { artifact + ".sigstore.json" }
  /// The name of the file with one bundle on each line, beside an artifact.
  package static func several(_ artifact: String) -> String { artifact + ".sigstore.jsonl" }

  /// The endings of the names of the files beside an artifact that hold bundles over it.
  ///
  /// - Parameter withSummary: whether a verification summary is among them. It comes last: what keeps the bundles takes the
  ///   first one for the publisher's.
  package static func suffixes(withSummary: Bool) -> [String] {
    [single(""), several("")] + (withSummary ? [single(".\(SummaryPredicate.label)")] : [])
  }

  /// The maximum size of a file: the maximum number of bundles, each of maximum size with its line end.
  private static let sizeLimit = SignatureSource.bundleLimit * (JSONLimits.bundle.size + 1)
  /// One line above the limit is enough to refuse a list. A pretty-printed bundle may have more, and is read whole.
  private static let lineLimit = SignatureSource.bundleLimit
  private static let readSize = 64 << 10

  /// The parts of a file that are one bundle each.
  ///
  /// A file whose name ends in `.jsonl`, or whose first line is a whole JSON value, holds one bundle on each line. Any
  /// other file is one bundle, which may span several lines. Blank lines at the end are left out: editors, downloads and
  /// `echo` add some.
  ///
  /// - Throws: `signature.missing`, `signature.unreadable`, `signature.malformed`.
  package static func bundles(in path: String) throws(SignetError) -> [EncodedBundle] {
    try bundles(of: try open(path))
  }

  /// The parts of an open file that are one bundle each. Its name says whether each line must be a bundle.
  ///
  /// - Throws: `signature.unreadable`, `signature.malformed`.
  package static func bundles(of file: any ByteSource) throws(SignetError) -> [EncodedBundle] {
    try bundles(of: file, isList: file.path.utf8.suffix(6).elementsEqual(".jsonl".utf8))
  }

  /// The parts of an open file that are one bundle each.
  ///
  /// - Parameter isList: whether each line must be a bundle.
  /// - Throws: `signature.unreadable`, `signature.malformed`.
  package static func bundles(of file: any ByteSource, isList: Bool) throws(SignetError) -> [EncodedBundle] {
    try checkSize(of: file)
    let path = file.path
    let lines = try lines(of: file, in: 0..<file.size, endsBeforeBlanks: true)
    var isList = isList
    if !isList, lines.count > 1, lines[0].count <= JSONLimits.bundle.size {
      let first = try bytes(in: lines[0], of: file)
      isList = (try? JSONReader.read(first, limits: .bundle)) != nil
    }
    guard isList else {
      return [EncodedBundle(label: path, text: .part(file, 0..<file.size))]
    }
    return lines.enumerated().map { number, line in
      EncodedBundle(label: "\(path), line \(number + 1)", text: .part(file, line))
    }
  }

  /// Reads a part of a file. A part that cannot be read is a fault of the signature.
  ///
  /// - Throws: `signature.unreadable`.
  package static func bytes(in range: Range<Int>, of file: any ByteSource) throws(SignetError) -> [UInt8] {
    do throws(SignetError) {
      return try file.bytes(in: range)
    } catch {
      throw unreadable(file.path, error)
    }
  }

  private static func open(_ path: String) throws(SignetError) -> RegularFile {
    do throws(SignetError) {
      return try RegularFile(opening: path)
    } catch  where error.code == .fileMissing && (try? FileStatus(ofLink: path)) == nil {
      throw SignetError(
        .signatureMissing, path, "does not exist", cause: error,
        hint: "get the bundle from the artifact's publisher")
    } catch {
      throw unreadable(path, error)
    }
  }

  private static func checkSize(of file: any ByteSource) throws(SignetError) {
    guard file.size <= sizeLimit else {
      throw SignetError(
        .signatureMalformed, file.path, "is too large for a list of bundles", expected: "at most \(sizeLimit) bytes",
        found: "\(file.size) bytes")
    }
  }

  private static func unreadable(_ path: String, _ cause: SignetError) -> SignetError {
    SignetError(.signatureUnreadable, path, "cannot be read", cause: cause)
  }

  /// The ranges of the file's lines without their line ends. The last line may lack its line end.
  ///
  /// - Parameter endsBeforeBlanks: whether the lines at the end that have nothing but white space are left out, unless
  ///   there is no other line.
  package static func lines(
    of file: any ByteSource, in range: Range<Int>, endsBeforeBlanks: Bool = false
  ) throws(SignetError) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    // Blank lines count as soon as another line follows them. More than the limit make no difference.
    var blanks: [Range<Int>] = []
    var start = range.lowerBound
    var isBlank = true
    func end(_ line: Range<Int>) {
      if endsBeforeBlanks, isBlank {
        if blanks.count <= lineLimit { blanks.append(line) }
      } else {
        lines += blanks + [line]
        blanks = []
      }
    }
    for offset in stride(from: start, to: range.upperBound, by: readSize) {
      let bytes = try bytes(in: offset..<min(offset + readSize, range.upperBound), of: file)
      var place = 0
      for next in ByteSearch.places(of: UInt8(ascii: "\n"), in: bytes) + [bytes.count] {
        // The white space of JSON (RFC 8259, section 2).
        isBlank = isBlank && bytes[place..<next].allSatisfy { [0x20, 0x09, 0x0d].contains($0) }
        guard next < bytes.count else { break }
        end(start..<offset + next)
        (start, isBlank, place) = (offset + next + 1, true, next + 1)
        if lines.count > lineLimit { return lines }
      }
    }
    if start < range.upperBound { end(start..<range.upperBound) }
    return lines.isEmpty ? [blanks.first ?? start..<range.upperBound] : lines
  }
}

/// A bundle before it is parsed.
package struct EncodedBundle: Sendable {
  /// What messages call the bundle.
  package let label: String
  let text: Text
  /// Whether the bundle is in the artifact itself. Only its canonical text is accepted there.
  package var isAttached = false

  /// A bundle in an artifact itself.
  ///
  /// - Parameter place: where the text is in the artifact's bytes.
  package init(attachedAt place: Range<Int>, in source: any ByteSource, label: String) {
    self.init(label: label, text: .part(source, place))
    isAttached = true
  }

  init(label: String, text: Text) {
    self.label = label
    self.text = text
  }

  /// A signature of another program, which is no bundle.
  init(_ signature: any BareSignature) { self.init(label: signature.label, text: .bare(signature)) }

  enum Text: Sendable {
    case bytes([UInt8])
    case part(any ByteSource, Range<Int>)
    case bare(any BareSignature)
  }

  /// The signature of another program; nil for a bundle.
  var bare: (any BareSignature)? {
    if case .bare(let signature) = text { signature } else { nil }
  }

  /// The JSON text.
  ///
  /// - Throws: `signature.malformed`, `signature.unreadable`.
  package func read() throws(SignetError) -> [UInt8] {
    switch text {
    case .bytes(let bytes): return bytes
    case .bare: throw SignetError(.signatureMalformed, label, "is no Sigstore bundle", expected: "a Sigstore bundle")
    case .part(let file, let range):
      // The size is checked before the text is in memory. The JSON reader's own limit would come too late for that.
      guard range.count <= JSONLimits.bundle.size else {
        throw SignetError(
          .signatureMalformed, label, "is too large for a bundle",
          expected: "at most \(JSONLimits.bundle.size) bytes", found: "\(range.count) bytes")
      }
      return try BundleFile.bytes(in: range, of: file)
    }
  }

  /// Parses the bundle.
  ///
  /// - Throws: what reading throws, and `signature.malformed`, `bundle.…`, `envelope.…`.
  package func bundle() throws(SignetError) -> SigstoreBundle {
    let text = try read()
    do throws(SignetError) {
      let bundle = try SigstoreBundle(json: text)
      if isAttached { try bundle.check(isCanonical: text) }
      return bundle
    } catch {
      // The error's object is a place in the bundle. The label says which bundle it is.
      throw SignetError(
        error.code, label, error.object == "bundle" ? error.message : "\(error.object) \(error.message)",
        expected: error.expected, found: error.found, cause: error.cause, hint: error.hint)
    }
  }
}
