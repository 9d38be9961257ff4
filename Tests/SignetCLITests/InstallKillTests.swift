import Foundation
import TestSupport
import Testing

/// A project whose Modfile has an installed release, and a registry with a newer one.
private final class InterruptedInstallation {
  /// Calls by which an installation changes files.
  private static let changes = [
    "mkdir", "mkdirat", "openat", "write", "pwrite64", "linkat", "rename", "renameat", "renameat2", "unlink",
    "unlinkat", "fchmod", "ftruncate", "fsync", "syncfs",
  ]
  private static let update = "update --cache cache --quiet"

  private let folder: TemporaryFolder
  private let old: String
  private let new: String

  init() throws {
    folder = try TemporaryFolder()
    try Self.run(
      #"""
      for k in r t o p; do signet keygen --out $k --no-passphrase -q; done
      signet repo init reg --root-key r.pub --targets-key t.pub --online-key o.pub -q
      signet repo add-publisher reg example --key p.pub --modules 'com.example.**' -q
      for k in r t p; do signet repo sign reg --key $k --yes -q; done
      signet repo refresh reg --online-key o -q
      push() {
        rm -rf m && mkdir m && printf %s "{\"identifier\": \"com.example.$1\", \"version\": \"$2\", \"sequence\": $3$4}" > m/module.json
        echo $2 > m/text && signet pack m --out $1-$2.zip -q && signet sign $1-$2.zip --key p -q
        signet repo push reg $1-$2.zip --publisher example --key p --online-key o -q
      }
      push codec 1.0.0 1 && push player 1.0.0 1 ', "requires": {"modules": [{"identifier": "com.example.codec", "versions": ">=1.0.0"}]}'
      (python3 "$KEYS/../Tests/SignetCLITests/Mirrors/serve.py" reg port > /dev/null 2>&1 & echo $! > pid)
      while [ ! -s port ]; do sleep 0.1; done
      mkdir -p old/registries && cp reg/metadata/1.root.json old/registries/example.root.json
      signet trust init old/trust.json -q
      signet trust add old/trust.json --name example --key p.pub --modules 'com.example.**' -q
      printf "source 'example', 'http://127.0.0.1:%s/good', modules: 'com.example.**'\n\nmodule 'com.example.player'\n" $(cat port) > old/Modfile
      (cd old && signet install --cache cache -q)
      push cart 1.0.0 1 && push player 1.1.0 2 ', "requires": {"modules": [{"identifier": "com.example.cart", "versions": ">=1.0.0"}]}'
      cp -a old new && (cd new && signet update --cache cache -q)
      """#, in: folder)
    old = try Self.state(of: "old", in: folder)
    new = try Self.state(of: "new", in: folder)
    #expect(old != new && old.contains("1.0.0") && new.contains("1.1.0"))
  }

  deinit { _ = try? Shell.run("kill $(cat pid)", in: folder.path) }

  @discardableResult private static func run(_ command: String, in folder: TemporaryFolder) throws -> String {
    let result = try Shell.run("set -e\n\(command)", in: folder.path)
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    return result.output
  }

  /// What a host finds: the releases that it would load. Each is verified for that.
  private static func state(of place: String, in folder: TemporaryFolder) throws -> String {
    try run("cd \(place) && signet module list --store modules --policy trust.json | grep 'in use'", in: folder)
  }

  private func traced(_ options: [String], in place: String) throws -> Program {
    try Strace.run(
      options, [Shell.signet] + Self.update.split(separator: " ").map(String.init),
      in: folder.file(place), environment: Shell.environment)
  }

  /// The calls that change files, in order.
  private func points() throws -> [Strace.Call] {
    try Self.run("rm -rf work && cp -a old work", in: folder)
    let log = folder.file("log")
    try #require(
      try traced(["-o", log, "-e", "trace=\(Self.changes.joined(separator: ","))"], in: "work").status == 0)
    return Strace.calls(in: String(decoding: try folder.read("log"), as: UTF8.self)).filter { call in
      call.name != "openat" || call.text.contains("O_CREAT") || call.text.contains("O_TMPFILE")
    }
  }

  func killEverywhere() throws {
    let calls = try points()
    #expect(calls.count > 60)
    // What makes a change visible is a name that is replaced.
    let points = Extent.sample(of: Strace.points(calls), oneOf: 3) { $0.name.hasPrefix("rename") }
    let locks = [try folder.read("old/Modfile.lock"), try folder.read("new/Modfile.lock")]
    var killed = 0
    var states: Set<String> = []
    for (index, point) in points.enumerated() {
      let place: Comment = "\(point.name) \(point.number): \(point.text)"
      try Self.run("rm -rf work && cp -a old work", in: folder)
      let status = try traced(
        [
          "-o", "/dev/null", "-e", "trace=\(point.name)", "-e",
          "inject=\(point.name):signal=KILL:when=\(point.number)",
        ], in: "work"
      ).status
      // The network decides how often some calls are made, so that the last of them may not come.
      if status == 128 + SIGKILL { killed += 1 } else { #expect(status == 0, place) }

      // The lock is one of the two, and what a host finds in the store is verified.
      let lock = try folder.read("work/Modfile.lock")
      #expect(locks.contains(lock), place)
      let state = try Self.state(of: "work", in: folder)
      states.insert(state)
      // The store changes in one step, and the lock says what it has.
      #expect(state == old || state == new, place)
      if lock == locks[1] { #expect(state == new, place) }

      try Self.run("cd work && signet \(Self.update)", in: folder)
      #expect(try folder.read("work/Modfile.lock") == locks[1], place)
      let next = try Self.state(of: "work", in: folder)
      #expect(next == new, place)
      #expect(try folder.read("work/modules/installed.lock") == locks[1], place)
      // Offline as well: the cache has all of it.
      guard Extent.isWhole || index % 4 == 0 else { continue }
      try Self.run("cd work && rm -r modules && signet install --cache cache --offline --locked -q", in: folder)
      let fresh = try Self.state(of: "work", in: folder)
      #expect(fresh == new, place)
    }
    #expect(killed > points.count * 9 / 10)
    #expect(states.contains(old) && states.contains(new))
  }
}

@Suite(.slow, .timeLimit(.minutes(60))) struct InstallKillTests {
  @Test(
    "an installation that is killed before any system call leaves old or new modules, and the next one finishes",
    .enabled(if: Strace.path != nil, Strace.absence))
  func kill() throws { try InterruptedInstallation().killEverywhere() }
}
