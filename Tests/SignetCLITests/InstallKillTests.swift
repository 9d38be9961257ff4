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
      rm -rf m && mkdir m && echo '{"identifier": "com.example.hand", "version": "1.0.0", "sequence": 1}' > m/module.json
      echo hand > m/text && signet pack m --out hand-1.0.0.zip -q && signet sign hand-1.0.0.zip --key p -q
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

  // MARK: What a Modfile has brought

  /// The releases that hosts of a project would load.
  private func releases(in place: String) throws -> Set<String> {
    return Set(
      try Self.state(of: place, in: folder).split(separator: "\n").map { line in
        line.split(separator: " ", omittingEmptySubsequences: true).prefix(2).joined(separator: " ")
      })
  }

  /// Makes a copy of a killed project, in which something goes on.
  private func goOn(_ place: Comment, _ command: String) throws -> Set<String> {
    try Self.run("rm -rf next && cp -a work next && cd next && \(command)", in: folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("next/modules"))
    #expect(!names.contains("placing.lock") && !names.contains("by-hand"), place)
    return try releases(in: "next")
  }

  /// Kills before each call that changes a name. The project has a module that was installed by hand, and the newer release
  /// needs one that somebody may install by hand afterwards.
  func killAtNames() throws {
    try Self.run(
      "signet module install hand-1.0.0.zip --store old/modules --policy old/trust.json -q", in: folder)
    let hand: Set = ["com.example.hand 1.0.0"]
    let cart = "com.example.cart 1.0.0"
    let forget = "sed -i /^module/d Modfile && signet install --cache cache --quiet"
    let points = Extent.sample(
      of: try points().filter { call in ["rename", "link", "unlink", "mkdir"].contains { call.name.hasPrefix($0) } },
      oneOf: 8)
    #expect(points.count > (Extent.isWhole ? 40 : 5))
    var outcomes: Set<Bool> = []
    for point in points {
      let place: Comment = "\(point.name) \(point.number): \(point.text)"
      try Self.run("rm -rf work && cp -a old work", in: folder)
      _ = try traced(
        [
          "-o", "/dev/null", "-e", "trace=\(point.name)", "-e",
          "inject=\(point.name):signal=KILL:when=\(point.number)",
        ], in: "work")
      let isDone = try releases(in: "work").contains(cart)
      outcomes.insert(isDone)
      // The next run brings what the Modfile says, and takes nobody's module.
      let finished = try goOn(place, "signet \(Self.update)")
      #expect(finished.isSuperset(of: hand.union([cart, "com.example.player 1.1.0"])), place)
      #expect(try folder.read("next/Modfile.lock") == folder.read("new/Modfile.lock"), place)
      #expect(!finished.contains { $0.hasPrefix("com.example.codec") }, place)
      // Nothing that a Modfile has brought stays behind, whether the next run finishes or the Modfile is another one.
      #expect(try goOn(place, "signet \(Self.update) && \(forget)") == hand, place)
      #expect(try goOn(place, forget) == hand, place)
      // What somebody installs then is theirs, unless the killed run had installed it already.
      let install = "signet module install ../cart-1.0.0.zip --store modules --policy trust.json -q"
      #expect(try goOn(place, "\(install) && \(forget)") == (isDone ? hand : hand.union([cart])), place)
    }
    #expect(outcomes == [false, true])
  }
}

@Suite(.slow, .timeLimit(.minutes(60))) struct InstallKillTests {
  @Test(
    "an installation that is killed before any system call leaves old or new modules, and the next one finishes",
    .enabled(if: Strace.path != nil, Strace.absence))
  func kill() throws { try InterruptedInstallation().killEverywhere() }

  @Test(
    "after a kill at a name nothing that was installed by hand leaves, and nothing of a Modfile stays behind",
    .enabled(if: Strace.path != nil, Strace.absence))
  func killAtNames() throws { try InterruptedInstallation().killAtNames() }
}
