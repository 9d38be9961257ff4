import Foundation
import ModuleStore
import Signet
import TestSupport
import Testing

@Suite struct OrderTests {
  /// What a store promises (docs/format.md, section 14) to a machine that loses its power: everything is on the disk before it has its
  /// name, the name before the state says so, the state before it has its name, and that in the end.
  static let promised = [
    "write the release", "syncfs", "rename the release", "fsync modules/com.example.player", "fsync modules",
    "fsync staging", "write the state", "fsync the state", "rename the state", "fsync the store",
  ]

  @Test(
    "an installation writes, syncs and renames in the promised order",
    .enabled(if: Strace.path != nil, Strace.absence))
  func order() throws {
    let child = try InstallingChild()
    let root = child.fixture.path
    var events: [String] = []
    for call in try child.calls(["-y"]) {
      guard let event = Self.event(call, root), events.last != event else { continue }
      events.append(event)
    }
    #expect(events == Self.promised)
  }

  /// What a call does to the store; nil for what changes nothing there.
  private static func event(_ call: Strace.Call, _ root: String) -> String? {
    func mentions(_ path: String) -> Bool { call.text.contains("<\(root)\(path)>") }
    let isRelease = call.text.contains("<\(root)/staging/new-") || call.text.contains("\"new-")
    switch call.name {
    case "openat":
      guard call.text.contains("O_CREAT"), call.text.contains(root), !call.text.contains("\"lock\"") else {
        return nil
      }
      return call.text.contains("\"state-") ? "write the state" : "write the release"
    case "write", "pwrite64":
      if call.text.contains("<\(root)/staging/state-") { return "write the state" }
      return isRelease ? "write the release" : nil
    case "mkdirat", "symlinkat", "fchmod":
      if call.text.contains("<\(root)/staging/state-") { return "write the state" }
      return isRelease || call.name == "mkdirat" && mentions("/staging") ? "write the release" : nil
    case "renameat2": return "rename the release"
    case "renameat": return "rename the state"
    case "syncfs": return "syncfs"
    case "fsync":
      if call.text.contains("<\(root)/staging/state-") { return "fsync the state" }
      if mentions("") { return "fsync the store" }
      guard let start = call.text.range(of: "<\(root)/"), let end = call.text.range(of: ">)") else {
        return call.text
      }
      return "fsync \(call.text[start.upperBound..<end.lowerBound])"
    case "unlinkat", "unlink", "rename", "link", "linkat": return "\(call.name) \(call.text)"
    default: return nil
    }
  }
}
