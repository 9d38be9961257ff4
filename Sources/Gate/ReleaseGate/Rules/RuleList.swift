internal import SignetBase

/// The rules of the gate. A new rule is a file, and a line here.
package enum RuleList {
  /// Every rule, in the order of reports.
  package static let all: [any GateRule.Type] = [
    // Signatures
    SignatureRule.self, StrangerRule.self, NameRule.self, LinkRule.self, OrphanBundleRule.self, KeyStrengthRule.self,
    ExpiryRule.self,
    SignatureAgeRule.self, UnprovenIdentityRule.self,
    // Attestations
    AttestationRule.self, UnverifiedAttestationRule.self,
    // Releases
    BaselineRule.self, SequenceRule.self, VersionRule.self, ReusedVersionRule.self, MinimumSequenceRule.self,
    RemovedRule.self,
    PermissionsGrownRule.self, SignersChangedRule.self, ContinuityRule.self, GrowthRule.self,
    // Reproducible
    ReproducibleRule.self,
    ChecksumsRule.self,
    // Descriptions
    DescriptionRule.self, RequirementsRule.self, DuplicateModuleRule.self, DuplicateSequenceRule.self,
    SharedFileRule.self,
    PlatformsRule.self, PrereleaseRule.self,
    // Binaries
    BinaryFormatRule.self, PositionIndependenceRule.self, ReadOnlyRelocationsRule.self, BindNowRule.self,
    ExecutableStackRule.self, TextRelocationsRule.self, WritableCodeRule.self, RunPathRule.self,
    NeededLibrariesRule.self, StackProtectorRule.self, FortifyRule.self, StrippedRule.self, ArchitectureRule.self,
    BuildIDRule.self,
    // Contents
    PrivateKeyRule.self, AccessTokenRule.self, VersionControlRule.self, EnvironmentFileRule.self, DroppingRule.self,
    BuildPathRule.self, WorldWritableRule.self, SpecialModeRule.self, ArchiveRule.self,
    ArchiveFormRule.self, UnsearchedRule.self,
  ]

  /// The rule with this identifier, or nil.
  package static func rule(_ id: String) -> (any GateRule.Type)? { all.first { $0.about.id.isExactly(id) } }
}
