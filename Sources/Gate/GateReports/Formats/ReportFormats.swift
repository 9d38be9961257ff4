internal import SignetBase

/// The list of all formats.
public enum ReportFormats {
  /// Every format, in the order in which help texts name them.
  public static let all: [any ReportFormat.Type] = [
    JSONReport.self, SARIFReport.self, JUnitReport.self, GitHubAnnotations.self, MarkdownSummary.self,
    GitLabCodeQuality.self, ChecksumList.self, HTMLReport.self,
  ]

  /// The format that a word chooses; nil for any other word.
  public static func named(_ name: String) -> (any ReportFormat)? {
    all.first { $0.name.isExactly(name) }?.init()
  }
}
