import Dispatch
import Foundation
import PTLaunchFace
import PluginKit
import SignetBase
import TestSupport
import Testing

@testable import PTTestSupport

@Suite("PTAppLaunchHelper", .serialized) struct PTLaunchTests {
  private static let action = "initializeWhenLaunch"

  /// A module with both classes of the sample, and a helper.
  private func sample(
    _ files: PTLaunchFiles, _ heard: Heard = Heard()
  ) throws -> (Switchboard, PTAppLaunchHelper) {
    let switchboard = Switchboard()
    let classes = PTInvocationHelper(
      try context(
        switchboard, targets: ["TLUMShareConfigurator": [Self.action], "TLHarpyConfigurator": [Self.action]]))
    try classes.registerClass("TLUMShareConfigurator") {
      heard.add("share")
      return TLUMShareConfigurator()
    }
    try classes.registerClass("TLHarpyConfigurator", initializeWhenLaunch: { TLHarpyConfigurator(heard) })
    return (switchboard, PTAppLaunchHelper(switchboard, files))
  }

  @Test(
    "PT6: the classes of F5 are initialized in the order of the file, and kept",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  @MainActor func order(_ format: PropertyListSerialization.PropertyListFormat) async throws {
    TLUMShareConfigurator.forget()
    let heard = Heard()
    let (switchboard, helper) = try sample(try Sample.files([:], format), heard)
    let report = try await helper.autoInitModule()
    #expect(report.entries.map(\.name) == ["TLUMShareConfigurator", "TLHarpyConfigurator"])
    #expect(report.failures.isEmpty && report.unknownKeys.isEmpty, "\(report)")
    // The host keeps the objects.
    #expect(heard.all == ["share", "harpy true"])
    #expect(TLUMShareConfigurator.made.map(\.calls) == [1])
    // Their module takes them with it.
    switchboard.removeAll(ownedBy: .module("com.example.a"))
    // The task that has initialized them may hold the objects for a moment.
    for _ in 0..<3_000 where heard.all.count < 3 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(heard.all == ["share", "harpy true", "gone"])
    // The form that blocks does the same.
    let again = Heard()
    let (_, other) = try sample(
      try Sample.files(["AutoInitialize.plist": ["classes": ["TLHarpyConfigurator"]]]), again)
    #expect(try Self.initialize(other).failures.isEmpty)
    #expect(again.all == ["harpy true"])
  }

  @Test("PT6: no other module initializes a class, with settings of its own")
  @MainActor func otherModules() async throws {
    let heard = Heard()
    let (switchboard, helper) = try sample(try Sample.files([:]), heard)
    _ = try await helper.autoInitModule()
    let before = heard.all
    let other = try switchboard.context(for: ModuleDeclaration(identifier: "com.example.other"))
    let error = await #expect(throws: PluginError.self) {
      try await other.perform(Self.action, on: "TLHarpyConfigurator", with: ["isAppStore": false])
    }
    #expect(error?.code == .actionLocal)
    #expect(heard.all == before)
  }

  @MainActor private static func initialize(_ helper: PTAppLaunchHelper) throws -> PTLaunchReport {
    try helper.autoInitModule()
  }

  @Test("PT6: a number in the list is an error, and nothing is initialized")
  func numbers() async throws {
    let heard = Heard()
    for value in [["TLHarpyConfigurator", 7], "TLHarpyConfigurator", ["TLHarpyConfigurator": 1]] as [Any] {
      let (_, helper) = try sample(try Sample.files(["AutoInitialize.plist": ["classes": value]]), heard)
      let error = await #expect(throws: PluginError.self) { try await helper.autoInitModule() }
      #expect(error?.code == .launchFile, "\(value)")
    }
    #expect(heard.all.isEmpty)
    let none = try await sample(try Sample.files(["AutoInitialize.plist": ["other": 1]]), heard).1.autoInitModule()
    #expect(none.entries.isEmpty && none.unknownKeys == ["other"])
    let missing = try await sample(.inProgram([:]), heard).1.autoInitModule()
    #expect(missing.entries.isEmpty && missing.unknownKeys.isEmpty)
  }

  @Test("PT6: a class of a refused module is not loaded, an unknown class neither, and the rest goes on")
  func refused() async throws {
    let heard = Heard()
    let classes: [Any] = [
      "Unknown", "Refused", "盲僧", "NoMethod", "TLHarpyConfigurator", "Fails", "TLHarpyConfigurator",
    ]
    let (switchboard, helper) = try sample(
      try Sample.files(["AutoInitialize.plist": ["classes": classes, "extra": true]]), heard)
    switchboard.refuse(targets: ["Refused"], of: .module("com.example.b"), because: "its signer is not trusted")
    let other = PTInvocationHelper(
      try context(switchboard, "com.example.c", targets: ["NoMethod": ["x"], "Fails": [Self.action]]))
    try other.registerClass("NoMethod", make: { true }, methods: PTMethods { $0.add("x") { _ in 1 } })
    try other.registerClass(
      "Fails", make: { true }, methods: PTMethods { $0.add(Self.action) { _ in throw CancellationError() } })
    let report = try await helper.autoInitModule()
    #expect(report.entries.map(\.name) == classes as? [String])
    #expect(
      report.entries.map { $0.error?.code } == [
        .launchNotLoaded, .launchNotLoaded, .launchNotLoaded, .actionNotFound, nil, .actionFailed, nil,
      ])
    #expect(
      report.failures.prefix(3).map { ($0.error?.cause as? PluginError)?.code } == [
        .targetNotFound, .targetModuleRefused, .targetName,
      ])
    #expect(report.unknownKeys == ["extra"])
    // It is one object, which is initialized as often as the list says.
    #expect(heard.all == ["harpy true", "harpy true"])
  }

  @Test("PT10: two jobs on the launch queue overlap")
  func launchQueue() {
    let queue = PTAppLaunchHelper(Switchboard(), .inProgram([:])).launchQueue
    #expect(queue === PTLaunchQueue.shared)
    let (first, second, both) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
    // Each waits for the other one: one after the other, they would never end.
    queue.async(group: both) {
      first.signal()
      second.wait()
    }
    queue.async(group: both) {
      second.signal()
      first.wait()
    }
    both.wait()
  }

  @Test("PT11: the settings of F7 are set before the class is initialized")
  @MainActor func settings() async throws {
    TLUMShareConfigurator.forget()
    let (_, helper) = try sample(try Sample.files())
    try await helper.autoInitModule()
    let share = try #require(TLUMShareConfigurator.made.first)
    #expect(share.appkey == "5ae2e01a")
    #expect(share.qqConfigDict == ["appkey": "b", "scheme": "QQ1234567://"])
    #expect(share.weChatConfigDict?["scheme"] as? String == "wx1234567://")
    let all = try helper.dict(plist: "AppConfigurator.plist")
    #expect((all["TLHarpyConfigurator"] as? [String: any Sendable])?["isAppStore"] as? Bool == true)
    #expect(try helper.dict(plist: "None.plist").isEmpty)
  }

  @Test("PT11: an unknown key is an error that names it, a value of another type too, and then nothing is set")
  @MainActor func unknownSettings() async throws {
    let share = TLUMShareConfigurator()
    let unknown = expectPluginError(.launchSetting) {
      try share.safeSetValuesForKeys(["appkey": "a", "zero": 1])
    }
    #expect(unknown?.object == "TLUMShareConfigurator.zero")
    #expect(unknown?.expected == "appkey, qqConfigDict, weChatConfigDict")
    let wrong = expectPluginError(.launchSetting) {
      try share.safeSetValuesForKeys(["appkey": "a", "qqConfigDict": 1])
    }
    #expect(wrong?.object == "TLUMShareConfigurator.qqConfigDict" && wrong?.found == "Int")
    #expect(share.appkey == nil)
    let harpy = TLHarpyConfigurator()
    try harpy.safeSetValuesForKeys(["weight": 2, "isAppStore": true])
    #expect(harpy.weight == 2 && harpy.isAppStore)
    expectPluginError(.launchSetting) { try harpy.safeSetValuesForKeys(["isAppStore": 1]) }
    // From the file: the class fails, and the next one goes on.
    TLUMShareConfigurator.forget()
    let heard = Heard()
    let (_, helper) = try sample(
      try Sample.files(["AppConfigurator.plist": ["TLUMShareConfigurator": ["zero": 1]]]), heard)
    let report = try await helper.autoInitModule()
    #expect(report.entries.map { $0.error?.code } == [.launchSetting, nil])
    #expect(report.failures.first?.error?.object == "TLUMShareConfigurator.zero")
    #expect(TLUMShareConfigurator.made.isEmpty && heard.all == ["share", "harpy false"])
    // Settings that are none fail their class, and nothing else.
    let (_, other) = try sample(
      try Sample.files(["AppConfigurator.plist": ["TLHarpyConfigurator": 1, "Other": 1]]))
    #expect(try await other.autoInitModule().entries.map { $0.error?.code } == [nil, .launchEntry])
  }
}
