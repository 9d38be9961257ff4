import GateReports
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct RepeatableReportTests {
  @Test("the same release and time give the same bytes in every format")
  func repeatable() throws {
    let release = try ReleaseFolder()
    for number in 0..<20 { try release.add("folder-\(number % 3)/file-\(number)", "\(number)") }
    try release.write("unsigned", "x")
    let reports = try (0..<3).map { _ in try release.check() }
    for format in ReportFormats.all {
      let texts = try reports.map { try format.init().text(of: $0) }
      #expect(Set(texts).count == 1, "\(format.name)")
    }
  }
}
