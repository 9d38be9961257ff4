internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// The parts of an RPM package (rpm.org, "RPM V4 Package format"): a lead, two headers, and the payload.
///
/// The headers have the package's texts and scripts. They are not compressed. The payload is a cpio, mostly compressed.
struct RPMPackage {
  /// Everything before the payload.
  let headers: any ByteSource
  let payload: any ByteSource

  private static let leadSize = 96
  private static let magic: [UInt8] = [0x8e, 0xad, 0xe8, 0x01]

  /// - Throws: `archive.truncated`, `archive.record`, and what reading throws.
  init(_ source: any ByteSource) throws(SignetError) {
    // The first header has the signatures, and is padded to a multiple of eight bytes.
    let signatures = try Self.end(ofHeaderAt: Self.leadSize, in: source)
    let end = try Self.end(ofHeaderAt: signatures + (8 - signatures % 8) % 8, in: source)
    headers = source.part(0..<end, called: source.path)
    payload = source.part(end..<source.size, called: source.path)
  }

  /// The first bytes of the payload, which tell its format.
  func payloadHead() throws(SignetError) -> [UInt8] {
    try payload.bytes(in: 0..<min(payload.size, ContainerFormat.headSize))
  }

  /// The error for a payload that is not read.
  var unknownPayload: SignetError {
    SignetError(.archiveFilter, payload.path, "is an RPM package with a payload of an unknown form")
  }

  private static func end(ofHeaderAt offset: Int, in source: any ByteSource) throws(SignetError) -> Int {
    guard source.size - offset >= 16 else { throw truncated(source) }
    let intro = try source.bytes(in: offset..<offset + 16)
    guard intro.starts(with: magic) else {
      throw SignetError(.archiveRecord, source.path, "has no header of an RPM where one must be")
    }
    func number(_ start: Int) -> Int { intro[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    // Each entry of the index has 16 bytes; the data follow.
    let end = offset + 16 + 16 * number(8) + number(12)
    guard end <= source.size else { throw truncated(source) }
    return end
  }

  private static func truncated(_ source: any ByteSource) -> SignetError {
    SignetError(.archiveTruncated, source.path, "ends before its payload", hint: "build the package again")
  }
}
