import Foundation
import TestSupport
import Testing

@testable import SignetBase

@Suite struct UnixTimeTests {
  @Test("times are written as Foundation writes them, and read back", .seeded)
  func agreement() {
    let formatter = ISO8601DateFormatter()
    var random = SeededRandom()
    for _ in 0..<2000 {
      let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
      let time = UnixTime(seconds: seconds)
      #expect(UnixTime("\(time)") == time)
      // Foundation's calendar is Julian before 1582.
      if seconds > -12_219_292_800 {
        #expect("\(time)" == formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds))))
      }
    }
  }

  @Test(
    "days at the edges",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"),
    ] as [(Int64, String)])
  func edges(seconds: Int64, text: String) {
    #expect("\(UnixTime(seconds: seconds))" == text)
    #expect(UnixTime(text)?.seconds == seconds)
  }

  @Test(
    "other forms are not read",
    arguments: [
      "", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02t03:04:05z", "2026-01-02 03:04:05Z",
      "2026-01-02T03:04:05.0Z",
      "2026-01-02T03:04:05+00:00", "2026-13-02T03:04:05Z", "2026-02-29T03:04:05Z", "2026-00-02T03:04:05Z",
      "2026-01-00T03:04:05Z", "2026-01-02T24:00:00Z", "2026-01-02T03:60:05Z", "2026-01-02T03:04:60Z",
      "0000-01-02T03:04:05Z", "２026-01-02T03:04:05Z", "+026-01-02T03:04:05Z",
    ])
  func refused(text: String) { #expect(UnixTime(text) == nil) }
}
