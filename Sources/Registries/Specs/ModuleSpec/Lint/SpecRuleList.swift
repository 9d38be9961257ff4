/// The rules for specs. A new rule is a file, and a line here.
package enum SpecRuleList {
  /// Every rule, in the order of reports.
  package static let all: [any SpecRule.Type] = [
    FileNameRule.self, SpecNameRule.self, SummaryRule.self, SummaryLengthRule.self, SpecDescriptionRule.self,
    HomepageRule.self, LicenseRule.self, AuthorsRule.self, SourceRule.self, SourceURLRule.self, TagRule.self,
    CommitRule.self, ModuleNameRule.self, FilesRule.self, HeadersRule.self, DependenciesRule.self,
    ModuleVersionRule.self, ModuleRule.self, BinaryRule.self, TodoRule.self, CheckoutRule.self,
  ]
}
