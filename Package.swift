// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The settings of every Swift target: explicit imports, visible existentials, marked pointers, no warnings.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Tests may use pointers and Foundation freely: they guard the product, they are not it.
let relaxed: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The installed sources, against which plugins are built, come without tests.
let hasTests = FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests")

/// What only the programs are made of. Who depends on Signet for its libraries writes `traits: []`, and fetches no other package.
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Programs"]))

/// The rooms, which are folders of Sources and Tests, from the ground up: a target uses those before its own (`.ci/layers`).
let rooms: [(folder: String, targets: [String])] = [
  ("C", ["CLibArchive", "CLibCrypto", "CLibCurl", "CLibZ", "CLinux"]),
  (
    "Base",
    [
      "SignetBase", "SignetSystem", "SignetFiles", "SignetProcesses", "SignetNames", "SignetAddresses",
      "SignetCrypto", "SignetCMS", "SignetOCSP", "SignetKeys",
    ]
  ),
  ("Archives", ["SignetArchive"]),
  ("Binaries", ["SignetELF"]),
  (
    "Trust",
    [
      "SignetVerify", "SignetModules", "SignetSigning", "Signet", "OtherSignatures", "TransparencyLog", "KeyLineages",
      "Keyless", "Timestamping", "CertificateAuthority", "ModelSignatures",
    ]
  ),
  ("Gate", ["ReleaseContents", "HTMLPages", "ReleaseGate", "GateReports"]),
  ("Plugins", ["CSignetPlugin", "PluginKit", "ModuleStore", "PluginHost"]),
  ("Registries", ["SignetHTTP", "ModuleFetch"]),
  ("Registries/TUF", ["SignetTUF", "TUFFetch", "ModuleCatalog", "ModuleRegistry", "RegistrySite"]),
  ("Registries/OCI", ["SignetOCI", "ModuleImages"]),
  ("Registries/Specs", ["SignetGit", "ModuleSpec", "ModulePackaging"]),
  ("Registries/Modfile", ["ModuleResolver", "ModuleInstaller"]),
  ("Faces", ["PropertyLists"]),
  ("Faces/CTMediator", ["CTMediatorFace", "CTMediatorHostFace"]),
  ("Faces/HSLink", ["HSLinkFace", "HSLinkHostFace"]),
  ("Faces/JLRoutes", ["JLRoutesFace"]),
  ("Faces/MGJRouter", ["MGJRouterFace"]),
  ("Faces/PACore", ["PACoreFace", "PARuntimeFace"]),
  ("Faces/PTRouter", ["PTRouterFace", "PTLaunchFace"]),
  ("Faces/Small", ["SmallFace", "SmallRuntimeFace", "SmallWebFace"]),
  ("Program", ["SignetCLI", "SignetMain", "SignetTools", "ToolsMain"]),
]

/// What targets that read signed archives need.
let core: [Target.Dependency] = [
  "Signet", "SignetArchive", "SignetBase", "SignetCrypto", "SignetSystem",
]

/// What `Signet` is made of.
let trust: [Target.Dependency] = ["SignetModules", "SignetSigning", "SignetVerify"]

/// What reads a registry, to show it to people.
let registry: [Target.Dependency] = [
  "ModuleCatalog", "ModuleRegistry", "Signet", "SignetBase", "SignetCrypto", "SignetTUF",
]

/// What the tests of each face need.
let hosting: [Target.Dependency] = [
  "HostTestSupport", "PluginHost", "PluginKit", "Signet", "SignetBase", "SignetCrypto", "TestSupport",
]

/// The tests of one target.
func suite(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: relaxed)
}

let tests: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["SignetBase", "SignetCrypto", "SignetKeys", "SignetSystem"],
    path: "Tests/TestSupport",
    // posix_spawn_file_actions_addclosefrom_np hides behind it.
    cSettings: [.define("_GNU_SOURCE")],
    swiftSettings: relaxed),
  // What the tests of several targets share: servers, hosts with modules, registries.
  .target(
    name: "HTTPTestSupport", dependencies: ["SignetBase", "SignetCrypto", "TestSupport"],
    path: "Tests/Registries/HTTPTestSupport", swiftSettings: relaxed),
  .target(
    name: "HostTestSupport",
    dependencies: core + ["HTTPTestSupport", "ModuleFetch", "ModuleStore", "PluginHost", "PluginKit", "TestSupport"],
    path: "Tests/Plugins/HostTestSupport", swiftSettings: relaxed),
  .target(
    name: "RegistryTestSupport",
    dependencies: core + ["ModuleCatalog", "ModuleRegistry", "SignetKeys", "SignetTUF", "TestSupport"],
    path: "Tests/Registries/TUF/RegistryTestSupport", swiftSettings: relaxed),
  .target(
    name: "SmallTestSupport",
    dependencies: ["CSignetPlugin", "SignetArchive", "SignetSystem", "SmallFace", "SmallRuntimeFace"] + hosting,
    path: "Tests/Faces/Small/SmallTestSupport", swiftSettings: relaxed),
  .target(
    name: "OCITestSupport",
    dependencies: ["HTTPTestSupport", "SignetBase", "SignetCrypto", "SignetOCI", "SignetSystem", "TestSupport"],
    path: "Tests/Registries/OCI/OCITestSupport", swiftSettings: relaxed),
  .target(
    name: "SpecsTestSupport", dependencies: ["SignetGit", "SignetSystem", "TestSupport"],
    path: "Tests/Registries/Specs/SpecsTestSupport", swiftSettings: relaxed),
  .target(
    name: "GateTestSupport",
    dependencies: ["ReleaseGate", "Signet", "SignetBase", "SignetCrypto", "SignetSystem", "TestSupport"],
    path: "Tests/Gate/GateTestSupport", swiftSettings: relaxed),
  .target(
    name: "PTTestSupport", dependencies: ["PTLaunchFace", "PluginKit"],
    path: "Tests/Faces/PTRouter/PTTestSupport", swiftSettings: relaxed),
  suite("SignetBaseTests", ["SignetBase", "TestSupport"]),
  suite("SignetSystemTests", ["CLinux", "SignetBase", "SignetFiles", "SignetSystem", "TestSupport"]),
  suite("SignetFilesTests", ["SignetBase", "SignetFiles", "SignetSystem", "TestSupport"]),
  suite("SignetProcessesTests", ["SignetBase", "SignetProcesses", "SignetSystem", "TestSupport"]),
  suite("SignetKeysTests", ["SignetBase", "SignetCrypto", "SignetKeys", "SignetSystem", "TestSupport"]),
  suite("SignetNamesTests", ["SignetBase", "SignetNames", "TestSupport"]),
  suite("SignetAddressesTests", ["SignetAddresses", "SignetBase", "SignetNames", "TestSupport"]),
  suite(
    "SignetCryptoTests", ["SignetArchive", "SignetBase", "SignetCrypto", "SignetKeys", "SignetSystem", "TestSupport"]),
  suite(
    "SignetOCSPTests",
    [
      "Keyless", "SignetBase", "SignetCrypto", "SignetModules", "SignetOCSP", "SignetSystem", "SignetVerify",
      "TestSupport",
    ]),
  suite("SignetCMSTests", ["SignetBase", "SignetCMS", "SignetCrypto", "SignetNames", "SignetSystem", "TestSupport"]),
  suite(
    "SignetArchiveTests",
    [
      "SignetArchive", "SignetBase", "SignetCrypto", "SignetFiles", "SignetNames", "SignetSystem", "TestSupport",
    ]),
  suite(
    "ModelSignaturesTests",
    ["ModelSignatures", "SignetCrypto", "SignetKeys", "SignetSystem", "SignetVerify", "TestSupport"]),
  suite("SignetELFTests", ["Signet", "SignetBase", "SignetELF", "SignetSystem", "TestSupport"]),
  .target(
    name: "TrustTestSupport",
    dependencies: trust + ["SignetArchive", "SignetBase", "SignetCrypto", "SignetSystem", "TestSupport"],
    path: "Tests/Trust/TrustTestSupport", swiftSettings: relaxed),
  suite(
    "SignetVerifyTests",
    trust + [
      "SignetArchive", "SignetBase", "SignetCrypto", "SignetKeys", "SignetSystem", "TestSupport", "TrustTestSupport",
    ]),
  suite(
    "SignetModulesTests",
    trust + [
      "KeyLineages", "SignetArchive", "SignetBase", "SignetCrypto", "SignetKeys", "SignetNames", "SignetSystem",
      "TestSupport", "TrustTestSupport",
    ]),
  suite("SignetSigningTests", trust + ["SignetBase", "SignetCrypto", "SignetSystem", "TestSupport"]),
  suite("TransparencyLogTests", ["SignetBase", "SignetCrypto", "SignetKeys", "TestSupport", "TransparencyLog"]),
  suite(
    "KeylessTests",
    trust + [
      "Keyless", "SignetBase", "SignetCMS", "SignetCrypto", "SignetKeys", "SignetNames", "SignetSystem",
      "TestSupport", "TransparencyLog",
    ]),
  suite(
    "TimestampingTests",
    [
      "SignetBase", "SignetCMS", "SignetCrypto", "SignetSigning", "SignetSystem", "SignetVerify", "TestSupport",
      "Timestamping",
    ]),
  suite(
    "CertificateAuthorityTests",
    [
      "CertificateAuthority", "SignetBase", "SignetCrypto", "SignetKeys", "SignetSystem", "SignetVerify",
      "TestSupport",
    ]),
  suite(
    "KeyLineagesTests",
    trust + ["KeyLineages", "SignetBase", "SignetCrypto", "SignetKeys", "SignetSystem", "TestSupport"]),
  suite(
    "OtherSignaturesTests",
    ["OtherSignatures", "SignetBase", "SignetCrypto", "SignetSystem", "SignetVerify", "TestSupport"]),
  suite("SignetTests", core + trust + ["SignetAddresses", "SignetKeys", "TestSupport", "TrustTestSupport"]),
  // Programs that a test may end at any of their system calls.
  .executableTarget(
    name: "RefreshProgram", dependencies: ["SignetBase", "SignetTUF"], path: "Tests/Registries/TUF/RefreshProgram",
    swiftSettings: relaxed),
  .executableTarget(
    name: "PublishProgram", dependencies: ["SignetBase", "SignetCrypto", "SignetKeys", "SignetSystem", "SignetTUF"],
    path: "Tests/Registries/TUF/PublishProgram", swiftSettings: relaxed),
  suite(
    "SignetTUFTests",
    [
      "PublishProgram", "RefreshProgram", "SignetBase", "SignetCrypto", "SignetFiles", "SignetKeys", "SignetSystem",
      "SignetTUF", "TestSupport",
    ]),
  suite("ModuleStoreTests", core + ["ModuleStore", "SignetMain", "TestSupport", "ToolsMain"]),
  suite(
    "ModuleRegistryTests",
    core + [
      "Keyless", "ModuleCatalog", "ModuleRegistry", "RegistryTestSupport", "SignetKeys", "SignetTUF", "TestSupport",
    ]),
  suite(
    "TUFFetchTests", ["HTTPTestSupport", "SignetAddresses", "SignetBase", "SignetNames", "TUFFetch", "TestSupport"]),
  suite(
    "ModuleCatalogTests",
    [
      "Signet", "SignetAddresses", "SignetBase", "SignetCrypto", "SignetSystem",
      "HTTPTestSupport", "HostTestSupport", "ModuleCatalog", "ModuleFetch", "ModuleRegistry", "ModuleStore",
      "PluginHost", "PluginKit", "RegistryTestSupport", "SignetTUF", "TUFFetch", "TestSupport",
    ]),
  suite(
    "ModuleInstallerTests",
    [
      "Signet", "SignetBase", "SignetCrypto", "SignetSystem",
      "HostTestSupport", "ModuleCatalog", "ModuleInstaller", "ModuleRegistry", "ModuleResolver", "ModuleSpec",
      "ModuleStore", "RegistryTestSupport", "SignetTUF", "TestSupport",
    ]),
  suite(
    "ModuleFetchTests",
    [
      "Signet", "SignetAddresses", "SignetBase", "SignetCrypto", "SignetSystem",
      "HTTPTestSupport", "HostTestSupport", "ModuleFetch", "ModuleStore", "PluginHost", "TestSupport",
    ]),
  suite("ModulePackagingTests", ["ModulePackaging", "SignetBase", "SignetGit", "SpecsTestSupport", "TestSupport"]),
  suite("ModuleResolverTests", ["ModuleResolver", "Signet", "SignetBase", "SignetCrypto", "TestSupport"]),
  suite("ModuleSpecTests", ["ModuleSpec", "Signet", "SignetBase", "SignetSystem", "TestSupport"]),
  suite(
    "SignetGitTests",
    [
      "SignetArchive", "SignetBase", "SignetGit", "SignetNames", "SignetSystem", "SpecsTestSupport", "TestSupport",
    ]),
  suite("ReleaseContentsTests", ["ReleaseContents", "Signet", "SignetBase", "TestSupport"]),
  suite("HTMLPagesTests", ["HTMLPages", "SignetBase"]),
  suite(
    "ReleaseGateTests",
    core + [
      "GateTestSupport", "ReleaseGate", "SignetELF", "SignetKeys", "SignetNames", "SignetVerify", "TestSupport",
    ]),
  suite(
    "GateReportsTests",
    [
      "GateReports", "GateTestSupport", "HTMLPages", "ReleaseGate", "Signet", "SignetBase", "SignetCrypto",
      "TestSupport",
    ],
    exclude: ["browser"]),
  suite(
    "RegistrySiteTests", registry + ["ModuleResolver", "RegistrySite", "RegistryTestSupport", "TestSupport"],
    exclude: ["browser"]),
  // A program whose main thread waits, as that of a test's process cannot.
  .executableTarget(
    name: "MainThreadProgram", dependencies: ["PTRouterFace", "PluginKit"], path: "Tests/Plugins/MainThreadProgram",
    swiftSettings: relaxed),
  suite("PluginKitTests", ["CSignetPlugin", "MainThreadProgram", "PluginKit", "SignetBase", "TestSupport"]),
  suite(
    "PluginHostTests",
    [
      "HostTestSupport", "Keyless", "ModuleStore", "PluginHost", "PluginKit", "Signet",
      "SignetArchive", "SignetBase", "SignetCrypto", "SignetELF", "SignetSystem", "SignetMain", "TestSupport",
      "ToolsMain",
    ]),
  suite(
    "SignetHTTPTests",
    ["HTTPTestSupport", "SignetAddresses", "SignetBase", "SignetHTTP", "SignetNames", "SignetSystem", "TestSupport"]),
  suite(
    "SignetOCITests",
    [
      "HTTPTestSupport", "OCITestSupport", "Signet", "SignetBase", "SignetCrypto", "SignetHTTP", "SignetOCI",
      "SignetAddresses", "SignetKeys", "SignetSystem", "TestSupport",
    ]),
  suite(
    "ModuleImagesTests",
    core + [
      "HTTPTestSupport", "ModuleCatalog", "ModuleImages", "ModuleRegistry", "OCITestSupport", "RegistryTestSupport",
      "SignetOCI", "SignetTUF", "TestSupport",
    ]),
  suite("JLRoutesFaceTests", ["JLRoutesFace", "ModuleStore"] + hosting),
  suite("CTMediatorFaceTests", ["CTMediatorFace", "CTMediatorHostFace", "ModuleStore"] + hosting),
  suite("HSLinkFaceTests", ["HSLinkFace", "HSLinkHostFace", "ModuleStore"] + hosting),
  suite("PropertyListsTests", ["PropertyLists", "SignetBase", "TestSupport"]),
  suite("PACoreFaceTests", ["PACoreFace", "PluginKit"]),
  suite(
    "PARuntimeFaceTests",
    [
      "HTTPTestSupport", "ModuleFetch", "ModuleStore", "PACoreFace", "PARuntimeFace", "SignetArchive", "SignetELF",
      "SignetAddresses", "SignetMain", "SignetSystem", "ToolsMain",
    ] + hosting),
  suite("MGJRouterFaceTests", ["MGJRouterFace"] + hosting),
  suite(
    "PTRouterFaceTests",
    ["MainThreadProgram", "ModuleStore", "PTLaunchFace", "PTRouterFace", "PTTestSupport"] + hosting),
  suite("PTLaunchFaceTests", ["PTLaunchFace", "PTTestSupport", "PluginKit", "SignetBase", "TestSupport"]),
  suite("SmallFaceTests", ["HostTestSupport", "PluginKit", "SmallFace", "TestSupport"]),
  suite(
    "SmallRuntimeFaceTests",
    [
      "HTTPTestSupport", "ModuleFetch", "ModuleStore", "SignetArchive", "SignetSystem", "SmallFace",
      "SmallRuntimeFace", "SignetAddresses", "SmallTestSupport",
    ] + hosting),
  suite(
    "SmallWebFaceTests",
    ["SignetSystem", "SmallFace", "SmallRuntimeFace", "SmallTestSupport", "SmallWebFace"] + hosting),
  suite(
    "SignetToolsTests",
    [
      "Keyless", "Signet", "SignetBase", "SignetCLI", "SignetFiles", "SignetMain", "SignetTUF", "SignetTools",
      "TestSupport", "ToolsMain",
    ]),
  .testTarget(
    name: "SignetCLITests",
    dependencies: [
      "SignetBase", "SignetCLI", "SignetMain", "SignetSystem", "SignetTools", "TestSupport", "ToolsMain",
      argumentParser,
    ],
    exclude: ["Mirrors", "Scripts", "Specs"],
    // posix_openpt and POSIX_SPAWN_SETSID hide behind it.
    cSettings: [.define("_GNU_SOURCE")],
    swiftSettings: relaxed),
]

/// The installed sources come without the plugins, too.
let hasPlugins = FileManager.default.fileExists(atPath: Context.packageDirectory + "/Integrations/swiftpm")

/// The commands that packages which depend on this one get. They run the installed program.
let plugins: [Target] = [
  .plugin(
    name: "SignetSign",
    capability: .command(
      intent: .custom(verb: "signet-sign", description: "Run signet sign."),
      permissions: [.writeToPackageDirectory(reason: "signet sign writes a bundle beside each file.")]),
    path: "Integrations/swiftpm/SignetSign"),
  .plugin(
    name: "SignetGate",
    capability: .command(intent: .custom(verb: "signet-gate", description: "Run signet gate.")),
    path: "Integrations/swiftpm/SignetGate"),
]

let pluginProducts: [Product] = [
  .plugin(name: "SignetSign", targets: ["SignetSign"]),
  .plugin(name: "SignetGate", targets: ["SignetGate"]),
]

let notInstalled: [Target] = (hasTests ? tests : []) + (hasPlugins ? plugins : [])

/// What everything that verifies is made of.
let verifying = [
  "Signet", "SignetArchive", "SignetBase", "SignetCrypto", "SignetELF", "SignetFiles", "SignetKeys", "SignetModules",
  "SignetNames", "SignetSigning", "SignetSystem", "SignetVerify",
]
/// What tools that know registries are linked with.
let cataloguing = ["ModuleCatalog", "ModuleStore", "SignetAddresses", "SignetTUF"] + verifying

let package = Package(
  name: "signet",
  platforms: [.macOS(.v15)],
  products: [
    // For programs that verify files and directories alone.
    .library(
      name: "SignetVerify", targets: ["SignetVerify", "SignetBase", "SignetCrypto", "SignetNames", "SignetSystem"]),
    .library(name: "Signet", targets: verifying),
    .library(name: "ModuleStore", targets: ["ModuleStore", "SignetAddresses"] + verifying),
    // For programs that verify signatures by identities.
    .library(
      name: "Keyless", targets: ["KeyLineages", "Keyless", "SignetCMS", "SignetOCSP", "TransparencyLog"] + verifying),
    // For programs whose publishers change their keys.
    .library(name: "KeyLineages", targets: ["KeyLineages"] + verifying),
    // For programs that certify signers, for those that verify models, and for those that verify others' signatures.
    .library(name: "CertificateAuthority", targets: ["CertificateAuthority"] + verifying),
    .library(name: "ModelSignatures", targets: ["ModelSignatures"] + verifying),
    .library(name: "OtherSignatures", targets: ["OtherSignatures", "SignetCMS"] + verifying),
    // Faces that plugins use are in it: one of their own would bring its own copy of PluginKit into each plugin.
    .library(
      name: "PluginKit", type: .dynamic,
      targets: [
        "PluginKit", "CTMediatorFace", "HSLinkFace", "JLRoutesFace", "MGJRouterFace", "PACoreFace", "PTRouterFace",
        "SmallFace",
      ]),
    .library(name: "CSignetPlugin", targets: ["CSignetPlugin"]),
    // For hosts that fetch modules; the others need no header of libcurl.
    .library(name: "ModuleFetch", targets: ["ModuleFetch", "ModuleStore", "SignetHTTP"] + verifying),
    .library(name: "PluginHost", targets: ["PluginHost", "ModuleStore"] + verifying),
    // The names of PACore and PARuntime, for hosts. Plugins get PACoreFace with PluginKit.
    .library(
      name: "PACoreFace",
      targets: ["PACoreFace", "PARuntimeFace", "PropertyLists", "PluginHost", "ModuleStore"] + verifying),
    // The names of PTRouter, its launch helper and its event bus, for hosts. Plugins get PTRouterFace with PluginKit.
    .library(
      name: "PTRouterFace",
      targets: ["PTRouterFace", "PTLaunchFace", "PropertyLists", "PluginHost", "ModuleStore"] + verifying),
    // The names of MGJRouter, for hosts. Plugins get them with PluginKit.
    .library(name: "MGJRouterFace", targets: ["MGJRouterFace"]),
    // The names of JLRoutes, for hosts. Plugins get them with PluginKit.
    .library(name: "JLRoutesFace", targets: ["JLRoutesFace"]),
    // The names of CTMediator, and those of HSLinkClass, for hosts. Plugins get them with PluginKit.
    .library(name: "CTMediatorFace", targets: ["CTMediatorFace", "CTMediatorHostFace"]),
    .library(name: "HSLinkFace", targets: ["HSLinkFace", "HSLinkHostFace"]),
    // The names of Small, for hosts. Plugins get SmallFace with PluginKit.
    .library(
      name: "SmallFace",
      targets: ["SmallFace", "SmallRuntimeFace", "SmallWebFace", "PropertyLists", "PluginHost", "ModuleStore"]
        + verifying),
    // For clients and repositories of The Update Framework.
    .library(
      name: "SignetTUF",
      targets: ["SignetTUF", "SignetBase", "SignetCrypto", "SignetFiles", "SignetKeys", "SignetSystem"]),
    // For clients whose repositories are on servers.
    .library(
      name: "TUFFetch",
      targets: [
        "TUFFetch", "SignetTUF", "SignetHTTP", "SignetBase", "SignetCrypto", "SignetFiles", "SignetKeys",
        "SignetSystem",
      ]),
    // For hosts that take modules from a registry, and for tools that publish them.
    .library(name: "ModuleCatalog", targets: cataloguing),
    .library(name: "ModuleImages", targets: ["ModuleImages", "SignetHTTP", "SignetOCI"] + cataloguing),
    .library(name: "ModuleRegistry", targets: ["ModuleRegistry"] + cataloguing),
    // For tools that choose releases.
    .library(name: "ModuleResolver", targets: ["ModuleResolver", "SignetAddresses", "SignetBase", "SignetNames"]),
    .library(name: "ModuleInstaller", targets: ["ModuleInstaller", "ModuleResolver"] + cataloguing),
    // For tools that read and check specs.
    .library(name: "ModuleSpec", targets: ["ModuleSpec"] + verifying),
    // For pipelines that check releases.
    .library(name: "ReleaseGate", targets: ["ReleaseContents", "ReleaseGate", "GateReports"] + verifying),
    .executable(name: "signet", targets: ["SignetMain"]),
    // What it starts for the commands that it does not have.
    .executable(name: "signet-tools", targets: ["ToolsMain"]),
  ] + (hasPlugins ? pluginProducts : []),
  traits: [
    .trait(name: "Programs", description: "The programs signet and signet-tools."),
    .default(enabledTraits: ["Programs"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(
      name: "CLibCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"]), .brew(["openssl@3"])]),
    .target(name: "SignetBase", swiftSettings: strict),
    .target(
      name: "SignetSystem", dependencies: ["CLinux", "SignetBase"],
      // O_TMPFILE, renameat2, sched_getaffinity and locks of open files hide behind it.
      cSettings: [.define("_GNU_SOURCE")],
      swiftSettings: strict),
    // Files that change: outputs that appear whole, directories, locks.
    .target(
      name: "SignetFiles", dependencies: ["CLinux", "SignetBase", "SignetSystem"],
      cSettings: [.define("_GNU_SOURCE")], swiftSettings: strict),
    // Programs that this one starts, and what a process has: its variables, its signals.
    .target(
      name: "SignetProcesses", dependencies: ["CLinux", "SignetBase", "SignetSystem"],
      cSettings: [.define("_GNU_SOURCE")], swiftSettings: strict),
    // What things are called: modules, versions, digests, keys, paths. It knows neither OpenSSL nor archives.
    .target(name: "SignetNames", dependencies: ["SignetBase", "SignetSystem"], swiftSettings: strict),
    // Where files are fetched from. Who only verifies does without it.
    .target(name: "SignetAddresses", dependencies: ["SignetBase", "SignetNames"], swiftSettings: strict),
    .target(
      name: "SignetCrypto", dependencies: ["CLibCrypto", "SignetBase", "SignetNames", "SignetSystem"],
      swiftSettings: strict),
    // Signed data and timestamps.
    .target(
      name: "SignetCMS", dependencies: ["CLibCrypto", "SignetBase", "SignetCrypto", "SignetNames"],
      swiftSettings: strict),
    // What responders say of single certificates.
    .target(
      name: "SignetOCSP", dependencies: ["SignetBase", "SignetCMS", "SignetCrypto", "SignetNames"],
      swiftSettings: strict),
    // Private keys, which who verifies does not need.
    .target(
      name: "SignetKeys", dependencies: ["CLibCrypto", "SignetBase", "SignetCrypto", "SignetNames", "SignetSystem"],
      swiftSettings: strict),
    // Its header alone: the library is loaded when a compressed tar comes along.
    .systemLibrary(
      name: "CLibArchive",
      providers: [.apt(["libarchive-dev"]), .yum(["libarchive-devel"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CLibZ", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"]), .brew(["zlib"])]),
    .target(
      name: "SignetArchive",
      dependencies: [
        "CLibArchive", "CLibZ", "SignetBase", "SignetCrypto", "SignetFiles", "SignetNames", "SignetSystem",
      ],
      swiftSettings: strict),
    .target(name: "SignetELF", dependencies: ["SignetBase", "SignetNames", "SignetSystem"], swiftSettings: strict),
    // Verification of files and directories: it needs OpenSSL and nothing else.
    .target(
      name: "SignetVerify", dependencies: ["SignetBase", "SignetCrypto", "SignetNames", "SignetSystem"],
      swiftSettings: strict),
    .target(
      name: "SignetModules",
      dependencies: [
        "SignetArchive", "SignetBase", "SignetCrypto", "SignetELF", "SignetFiles", "SignetKeys", "SignetNames",
        "SignetSystem", "SignetVerify",
      ],
      swiftSettings: strict),
    .target(
      name: "SignetSigning",
      dependencies: [
        "SignetArchive", "SignetBase", "SignetCrypto", "SignetFiles", "SignetKeys", "SignetModules", "SignetSystem",
        "SignetVerify",
      ],
      swiftSettings: strict),
    // Verifying, modules and signing in one.
    .target(name: "Signet", dependencies: ["SignetModules", "SignetSigning", "SignetVerify"], swiftSettings: strict),
    // Signatures of other programs: all are named, and some are verified.
    .target(
      name: "OtherSignatures",
      dependencies: [
        "SignetArchive", "SignetBase", "SignetCMS", "SignetCrypto", "SignetFiles", "SignetNames", "SignetSystem",
        "SignetVerify",
      ],
      swiftSettings: strict),
    // Append-only logs. It knows no bundles.
    .target(
      name: "TransparencyLog", dependencies: ["SignetBase", "SignetCrypto", "SignetNames"], swiftSettings: strict),
    // The keys of a signer, one after the other.
    .target(
      name: "KeyLineages",
      dependencies: ["SignetBase", "SignetCrypto", "SignetFiles", "SignetKeys", "SignetSystem", "SignetVerify"],
      swiftSettings: strict),
    // Signatures by identities, proven by authorities, logs and clocks. It opens no connection.
    .target(
      name: "Keyless",
      dependencies: [
        "KeyLineages", "SignetBase", "SignetCMS", "SignetCrypto", "SignetNames", "SignetOCSP", "SignetSystem",
        "SignetVerify", "TransparencyLog",
      ],
      swiftSettings: strict),
    // Timestamps for signatures. Who asks the authorities is somebody else's.
    .target(
      name: "Timestamping", dependencies: ["SignetBase", "SignetCMS", "SignetCrypto", "SignetVerify"],
      swiftSettings: strict),
    // An authority for teams that have none: certificates, requests, revocation lists.
    .target(
      name: "CertificateAuthority",
      dependencies: ["SignetBase", "SignetCrypto", "SignetKeys", "SignetSystem", "SignetVerify"],
      swiftSettings: strict),
    // Models that OpenSSF Model Signing has signed.
    .target(
      name: "ModelSignatures", dependencies: ["SignetBase", "SignetCrypto", "SignetSystem", "SignetVerify"],
      swiftSettings: strict),
    .systemLibrary(name: "CLinux"),
    // The Update Framework. It knows nothing of modules.
    .target(
      name: "SignetTUF", dependencies: ["SignetBase", "SignetCrypto", "SignetFiles", "SignetKeys", "SignetSystem"],
      swiftSettings: strict),
    .target(
      name: "ModuleStore", dependencies: core + ["SignetAddresses", "SignetFiles", "SignetProcesses"],
      swiftSettings: strict),
    // What a registry of modules offers, for those who take modules from it.
    .target(
      name: "ModuleCatalog",
      dependencies: [
        "ModuleStore", "Signet", "SignetBase", "SignetCrypto", "SignetFiles", "SignetSystem", "SignetTUF",
      ],
      swiftSettings: strict),
    // What a Modfile names: chosen, fetched, verified, and installed into a store.
    .target(
      name: "ModuleInstaller",
      dependencies: [
        "ModuleCatalog", "ModuleResolver", "ModuleSpec", "ModuleStore", "Signet", "SignetArchive", "SignetBase",
        "SignetCrypto", "SignetFiles", "SignetGit", "SignetProcesses", "SignetSystem", "SignetTUF",
      ],
      swiftSettings: strict),
    // Publishing modules in a repository of The Update Framework.
    .target(
      name: "ModuleRegistry", dependencies: core + ["Keyless", "ModuleCatalog", "SignetKeys", "SignetTUF"],
      swiftSettings: strict),
    // What a plugin in C needs; it has nothing of Swift in it.
    .target(name: "CSignetPlugin"),
    .target(name: "PluginKit", dependencies: ["CSignetPlugin"], swiftSettings: strict),
    // Its header alone: the library is loaded when something is fetched.
    .systemLibrary(
      name: "CLibCurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .yum(["libcurl-devel"]), .brew(["curl"])]),
    .target(
      name: "SignetHTTP",
      dependencies: ["CLibCurl", "SignetAddresses", "SignetBase", "SignetNames", "SignetProcesses", "SignetSystem"],
      swiftSettings: strict),
    .target(
      name: "ModuleFetch",
      dependencies: [
        "ModuleStore", "SignetAddresses", "SignetBase", "SignetFiles", "SignetHTTP", "SignetNames", "SignetSystem",
      ],
      swiftSettings: strict),
    .target(
      name: "TUFFetch", dependencies: ["SignetAddresses", "SignetBase", "SignetHTTP", "SignetNames", "SignetTUF"],
      swiftSettings: strict),
    // Registries and image layouts of OCI. It knows nothing of modules.
    .target(
      name: "SignetOCI",
      dependencies: [
        "SignetAddresses", "SignetBase", "SignetCrypto", "SignetFiles", "SignetHTTP", "SignetNames",
        "SignetProcesses", "SignetSystem",
      ],
      swiftSettings: strict),
    // Modules, and repositories of The Update Framework, in registries and layouts.
    .target(
      name: "ModuleImages",
      dependencies: [
        "Signet", "SignetAddresses", "SignetArchive", "SignetBase", "SignetCrypto", "SignetOCI", "SignetSystem",
        "SignetTUF",
      ],
      swiftSettings: strict),
    // Which releases a host gets: it reads texts and asks for offers, and knows no network and no file.
    .target(
      name: "ModuleResolver", dependencies: ["SignetAddresses", "SignetBase", "SignetNames"], swiftSettings: strict),
    .target(
      name: "PluginHost",
      dependencies: [
        "CLinux", "CSignetPlugin", "ModuleStore", "PluginKit", "Signet", "SignetAddresses", "SignetBase",
        "SignetCrypto", "SignetELF", "SignetProcesses", "SignetSystem",
      ],
      // memfd_create, dlvsym and dlinfo hide behind it.
      cSettings: [.define("_GNU_SOURCE")],
      swiftSettings: strict),
    .target(name: "JLRoutesFace", dependencies: ["PluginKit"], swiftSettings: strict),
    .target(name: "CTMediatorFace", dependencies: ["PluginKit"], swiftSettings: strict),
    .target(name: "CTMediatorHostFace", dependencies: ["CTMediatorFace", "PluginKit"], swiftSettings: strict),
    .target(name: "HSLinkFace", dependencies: ["PluginKit"], swiftSettings: strict),
    .target(name: "HSLinkHostFace", dependencies: ["HSLinkFace", "PluginKit"], swiftSettings: strict),
    .target(name: "PACoreFace", dependencies: ["PluginKit"], swiftSettings: strict),
    .target(name: "MGJRouterFace", dependencies: ["PluginKit"], swiftSettings: strict),
    .target(
      name: "PARuntimeFace",
      dependencies: [
        "ModuleStore", "PACoreFace", "PluginHost", "PluginKit", "PropertyLists", "Signet", "SignetBase",
        "SignetCrypto",
      ],
      swiftSettings: strict),
    // What faces read the property lists of their originals with.
    .target(name: "PropertyLists", dependencies: ["SignetBase"], swiftSettings: strict),
    .target(name: "PTRouterFace", dependencies: ["PluginKit"], swiftSettings: strict),
    .target(
      name: "PTLaunchFace",
      dependencies: ["PTRouterFace", "PluginHost", "PluginKit", "PropertyLists", "SignetBase", "SignetSystem"],
      swiftSettings: strict),
    .target(name: "SmallFace", dependencies: ["PluginKit"], swiftSettings: strict),
    .target(
      name: "SmallRuntimeFace",
      dependencies: [
        "ModuleStore", "PluginHost", "PluginKit", "PropertyLists", "Signet", "SignetBase", "SignetFiles",
        "SignetSystem", "SmallFace",
      ],
      swiftSettings: strict),
    .target(
      name: "SmallWebFace",
      dependencies: ["PluginHost", "PluginKit", "Signet", "SignetBase", "SignetSystem", "SmallRuntimeFace"],
      swiftSettings: strict),
    .target(
      name: "ModuleSpec",
      dependencies: [
        "Signet", "SignetAddresses", "SignetBase", "SignetCrypto", "SignetGit", "SignetProcesses", "SignetSystem",
      ],
      swiftSettings: strict),
    // Commits, as the git program gives them.
    .target(
      name: "SignetGit",
      dependencies: ["SignetBase", "SignetFiles", "SignetNames", "SignetProcesses", "SignetSystem"],
      swiftSettings: strict),
    // The module and the sources of a release, built from one commit.
    .target(
      name: "ModulePackaging", dependencies: core + ["ModuleSpec", "SignetGit", "SignetNames", "SignetProcesses"],
      swiftSettings: strict),
    // Pages that show texts of others safely. It knows neither releases nor registries.
    .target(name: "HTMLPages", dependencies: ["SignetBase", "SignetCrypto"], swiftSettings: strict),
    // What is in the folders of a release: artifacts, their signatures, and what is left out.
    .target(
      name: "ReleaseContents", dependencies: ["Signet", "SignetArchive", "SignetBase", "SignetSystem"],
      swiftSettings: strict),
    .target(
      name: "ReleaseGate",
      dependencies: core + ["Keyless", "ReleaseContents", "SignetCMS", "SignetELF", "SignetFiles", "SignetNames"],
      swiftSettings: strict
    ),
    // What a gate's report becomes: formats for people and services, a summary that is signed, and a check against it.
    .target(name: "GateReports", dependencies: core + ["HTMLPages", "ReleaseGate"], swiftSettings: strict),
    .target(
      name: "RegistrySite", dependencies: registry + ["HTMLPages", "ReleaseGate", "SignetFiles", "SignetSystem"],
      swiftSettings: strict),
    // The commands that sign, pack and verify, and what the others share with them.
    .target(
      name: "SignetCLI",
      dependencies: core + [
        "KeyLineages", "Keyless", "ModelSignatures", "OtherSignatures", "ReleaseContents", "SignetCMS", "SignetFiles",
        "SignetKeys", "SignetOCSP", "SignetProcesses", "Timestamping", argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(name: "SignetMain", dependencies: ["SignetCLI"], swiftSettings: strict),
    // All commands.
    .target(
      name: "SignetTools",
      dependencies: [
        "CertificateAuthority", "GateReports", "Keyless", "ModuleCatalog", "ModuleImages", "ModuleInstaller",
        "ModulePackaging", "ModuleRegistry", "ModuleResolver", "ModuleSpec", "ModuleStore", "RegistrySite",
        "ReleaseGate", "Signet", "SignetAddresses", "SignetBase", "SignetCLI", "SignetCrypto", "SignetFiles",
        "SignetGit", "SignetHTTP", "SignetKeys", "SignetOCI", "SignetOCSP", "SignetProcesses", "SignetSystem",
        "SignetTUF", "TUFFetch", argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(name: "ToolsMain", dependencies: ["SignetTools"], swiftSettings: strict),
  ] + notInstalled,
  swiftLanguageModes: [.v6]
)

let folders = [String: String](
  uniqueKeysWithValues: rooms.flatMap { room in room.targets.map { ($0, room.folder) } })
for target in package.targets where target.path == nil {
  let isTest = target.type == .test
  guard let folder = folders[isTest ? String(target.name.dropLast("Tests".count)) : target.name] else { continue }
  target.path = "\(isTest ? "Tests" : "Sources")/\(folder)/\(target.name)"
}
