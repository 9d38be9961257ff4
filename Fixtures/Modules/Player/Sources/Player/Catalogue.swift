/// The tracks: a title a line.
struct Catalogue: Sendable {
  private let titles: [String]

  init(_ bytes: [UInt8]) {
    titles = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The title of a track; the first is 1.
  func title(of track: Int) -> String? { titles.indices.contains(track - 1) ? titles[track - 1] : nil }

  var page: String { "\(titles.count) tracks: " + titles.joined(separator: ", ") }
}
