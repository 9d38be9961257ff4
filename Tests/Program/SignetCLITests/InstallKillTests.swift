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
      (python3 "$KEYS/../Tests/Program/SignetCLITests/Mirrors/serve.py" reg port > /dev/null 2>&1 & echo $! > pid)
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
    try run("cd \(place) && signet store list --store modules --policy trust.json | grep 'in use'", in: folder)
  }

  private func traced(_ options: [String], in place: String) throws -> Program {
    try Strace.run(
      options, [Shell.signet] + Self.update.split(separator: " ").map(String.init),
      in: folder.file(place), environment: Shell.environment)
  }

  /// The calls that change files, in order, where an installation begins with a copy of a project.
  private func points(_ project: String = "old") throws -> [Strace.Call] {
    try Self.run("rm -rf work && cp -a \(project) work", in: folder)
    let log = folder.file("log")
    try #require(
      try traced(["-o", log, "-e", "trace=\(Self.changes.joined(separator: ","))"], in: "work").status == 0)
    return Strace.calls(in: String(decoding: try folder.read("log"), as: UTF8.self)).filter { call in
      call.name != "openat" || call.text.contains("O_CREAT") || call.text.contains("O_TMPFILE")
    }
  }

  /// Installs in a copy of a project, and has something happen at a call.
  ///
  /// - Returns: the exit status.
  @discardableResult private func end(_ project: String, at call: Strace.Call, _ fault: String) throws -> Int32 {
    try Self.run("rm -rf work && cp -a \(project) work", in: folder)
    return try traced(
      [
        "-o", "/dev/null", "-e", "trace=\(call.name)", "-e", "inject=\(call.name):\(fault):when=\(call.number)",
      ], in: "work"
    ).status
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
      let status = try end("old", at: point, "signal=KILL")
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

  /// The project's lock among the arguments of a call.
  private static let lock = "\"Modfile.lock\""
  private static let cart = "com.example.cart 1.0.0"
  private static let hand: Set = ["com.example.hand 1.0.0"]
  /// What the update brings.
  private static let brought: Set = [cart, "com.example.player 1.1.0"]
  /// Installs that by hand.
  private static let bringByHand = """
    for m in cart-1.0.0 player-1.1.0; do signet store install ../$m.zip --store modules --policy trust.json -q; done
    """
  /// The Modfile demands nothing any longer.
  private static let forget = "sed -i /^module/d Modfile && signet install --cache cache --quiet"

  /// Installs a module by hand that no Modfile names.
  private func installOther() throws {
    try Self.run("signet store install hand-1.0.0.zip --store old/modules --policy old/trust.json -q", in: folder)
  }

  /// The calls that change a name.
  private func names(_ project: String = "old") throws -> [Strace.Call] {
    let calls = try points(project).filter { call in
      ["rename", "link", "unlink", "mkdir"].contains { call.name.hasPrefix($0) }
    }
    return Extent.sample(of: calls, oneOf: 8) { $0.text.contains(Self.lock) }
  }

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
    try installOther()
    let (hand, cart, forget) = (Self.hand, Self.cart, Self.forget)
    let points = try names()
    #expect(points.count > (Extent.isWhole ? 40 : 5))
    var outcomes: Set<Bool> = []
    for point in points {
      let place: Comment = "\(point.name) \(point.number): \(point.text)"
      try end("old", at: point, "signal=KILL")
      let isDone = try releases(in: "work").contains(cart)
      outcomes.insert(isDone)
      // The next run brings what the Modfile says, and takes nobody's module.
      let finished = try goOn(place, "signet \(Self.update)")
      #expect(finished.isSuperset(of: hand.union(Self.brought)), place)
      #expect(try folder.read("next/Modfile.lock") == folder.read("new/Modfile.lock"), place)
      #expect(!finished.contains { $0.hasPrefix("com.example.codec") }, place)
      // Nothing that a Modfile has brought stays behind, whether the next run finishes or the Modfile is another one.
      #expect(try goOn(place, "signet \(Self.update) && \(forget)") == hand, place)
      #expect(try goOn(place, forget) == hand, place)
      // What somebody installs then is theirs, unless the killed run had installed it already.
      let install = "signet store install ../cart-1.0.0.zip --store modules --policy trust.json -q"
      #expect(try goOn(place, "\(install) && \(forget)") == (isDone ? hand : hand.union([cart])), place)
      // And it is told whose it is.
      let told = try Self.run(
        "cd work && cp -a modules there && \(install.dropLast(3).replacing("--store modules", with: "--store there")) 2>&1",
        in: folder)
      #expect(told.contains(isDone ? "was installed already" : "installed  "), place)
      #expect(told.contains("a Modfile has brought this release") == isDone, place)
      // Also if the next run is killed as well, before it has written the lock.
      guard !isDone else { continue }
      try Self.run("rm -rf ended && cp -a work ended && cd ended && \(Self.bringByHand)", in: folder)
      let next = try #require(self.points("ended").first { $0.text.contains(Self.lock) })
      try end("ended", at: next, "signal=KILL")
      #expect(try folder.read("work/Modfile.lock") == folder.read("old/Modfile.lock"), place)
      #expect(try goOn(place, forget) == hand.union(Self.brought), place)
    }
    #expect(outcomes == [false, true])
  }

  /// Kills before each call that changes a name, or has it fail, where somebody has installed by hand what the update brings.
  func endAmongByHand() throws {
    try installOther()
    try Self.run("cp -a old held && cd held && \(Self.bringByHand)", in: folder)
    let written = try folder.read("new/Modfile.lock")
    let points = try names("held")
    #expect(points.contains { $0.text.contains(Self.lock) })
    var outcomes: Set<[Bool]> = []
    for point in points {
      for fault in ["signal=KILL", "error=EIO"] {
        let place: Comment = "\(fault) at \(point.name) \(point.number): \(point.text)"
        let status = try end("held", at: point, fault)
        // The record makes it the Modfile's. It is written last, and by nothing that fails.
        let isRecorded = try folder.read("work/modules/installed.lock") == written
        if status == 0 { #expect(isRecorded, place) }
        if fault.hasPrefix("error") { #expect(isRecorded == (status == 0), place) }
        if isRecorded { #expect(try folder.read("work/Modfile.lock") == written, place) }
        let left = try goOn(place, Self.forget)
        #expect(left == (isRecorded ? Self.hand : Self.hand.union(Self.brought)), place)
        outcomes.insert([fault.hasPrefix("error"), isRecorded])
      }
    }
    #expect(outcomes.isSuperset(of: [[false, false], [true, false]]))
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

  @Test(
    "an installation that is killed or fails makes nothing the Modfile's that was installed by hand before",
    .enabled(if: Strace.path != nil, Strace.absence))
  func endAmongByHand() throws { try InterruptedInstallation().endAmongByHand() }
}
