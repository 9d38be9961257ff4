internal import SignetCrypto

/// The files that bundles stand in.
public enum BundleFile {
  /// The name of the file with one bundle, beside an artifact.
  public static func single(_ artifact: String) -> String { artifact + ".sigstore.json" }
  /// The name of the file with a bundle a line, beside an artifact.
  public static func several(_ artifact: String) -> String { artifact + ".sigstore.jsonl" }

  /// A bundle of the greatest size for each that may be there, and their line ends.
  private static let sizeLimit = SignatureSource.bundleLimit * (JSONLimits.bundle.size + 1)
  private static let readSize = 64 << 10

  /// Opens a file that is meant to hold bundles; whatever is wrong with it is a fault of the signature, not of the
  /// program.
  static func open(_ path: String) throws(SignetError) -> RegularFile {
    do throws(SignetError) {
      let file = try RegularFile(opening: path)
      guard file.size <= sizeLimit else {
        throw SignetError(
          .signatureMalformed, path, "is too large to be bundles", expected: "at most \(sizeLimit) bytes",
          found: "\(file.size) bytes")
      }
      return file
    } catch  where error.code != .signatureMalformed {
      let isMissing = error.code == .fileMissing
      throw SignetError(
        isMissing ? .signatureMissing : .signatureUnreadable, path,
        isMissing ? "there is no such signature" : "the signature cannot be read", cause: error)
    }
  }

  /// The parts of a file that are a bundle each.
  ///
  /// A file ending in `.jsonl`, and any whose first line is a whole JSON value, holds a bundle a line; another is one
  /// bundle, which may be spread over lines.
  static func bundles(
    in file: RegularFile, at path: String
  ) throws(SignetError) -> [SignatureSource.Encoded] {
    let lines = try lines(of: file)
    var isList = path.utf8.suffix(6).elementsEqual(".jsonl".utf8)
    if !isList, lines.count > 1, lines[0].count <= JSONLimits.bundle.size {
      isList = (try? JSONReader.read(file.bytes(in: lines[0]), limits: .bundle)) != nil
    }
    guard isList else {
      return [SignatureSource.Encoded(label: path, text: .part(file, 0..<file.size))]
    }
    return lines.enumerated().map { number, line in
      SignatureSource.Encoded(label: "\(path), line \(number + 1)", text: .part(file, line))
    }
  }

  /// The file's lines without their ends; a last line may lack its end.
  private static func lines(of file: RegularFile) throws(SignetError) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for offset in stride(from: 0, to: file.size, by: readSize) {
      let bytes = try file.bytes(in: offset..<min(offset + readSize, file.size))
      for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
        lines.append(start..<offset + index)
        start = offset + index + 1
        // One more than allowed is enough to know; a pretty-printed bundle may have many, and is read whole.
        if lines.count > lineLimit { return lines }
      }
    }
    if start < file.size || lines.isEmpty { lines.append(start..<file.size) }
    return lines
  }

  private static let lineLimit = SignatureSource.bundleLimit
}
