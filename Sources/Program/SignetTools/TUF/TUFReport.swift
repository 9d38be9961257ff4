internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetTUF

extension CommandRun {
  /// Notes what a client has to complain of, though it went on.
  mutating func note(_ complaints: [TUFClient.Complaint], of folder: String) {
    for complaint in complaints {
      var error = complaint.error
      if let mirror = complaint.mirror {
        error = SignetError(
          complaint.error.code, mirror, "gave nothing that can be used; the next mirror is asked, if there is one",
          cause: complaint.error)
      }
      console.warn(error)
      did([
        .object(
          ("file", .string(complaint.mirror ?? folder)), ("verdict", .string("warning")),
          ("reasons", .array([Report.json(complaint.error)])))
      ])
    }
  }
}

extension MetadataRole {
  /// Which version it is, and how long it is valid.
  var words: String { "version \(version), until \(expires.minute)" }

  /// The same facts, for programs.
  var facts: JSONValue { .object(("version", .integer(version)), ("expires", .string("\(expires)"))) }
}

extension FreshTargets {
  /// The roles of the top level and what they are, for people.
  var lines: [String] {
    [
      "  root       \(snapshot.root.role.words)", "  timestamp  \(snapshot.timestamp.role.words)",
      "  snapshot   \(snapshot.role.words)", "  targets    \(role.words)",
    ]
  }

  /// The same facts, for programs.
  var facts: JSONValue {
    .object(
      ("root", snapshot.root.role.facts), ("timestamp", snapshot.timestamp.role.facts),
      ("snapshot", snapshot.role.facts), ("targets", role.facts))
  }
}
