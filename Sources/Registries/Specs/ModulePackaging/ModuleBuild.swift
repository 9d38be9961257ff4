package import SignetBase
internal import SignetProcesses
package import SignetSystem

/// The build of a module: `make` in the folder of its spec, which makes the folder `module`, as in the projects of
/// `signet new module`.
///
/// The build is the publisher's own code. It runs with the publisher's rights, and nothing confines it.
package struct ModuleBuild {
  /// The folder that a build makes.
  package static let product = "module"
  private static let program = "make"
  private static let recipes = ["Makefile", "makefile", "GNUmakefile"]
  /// Secrets of the process, and variables by which one make tells another what to do.
  private static let leftOut = [
    "SIGNET_KEY", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEFILES", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
  ]

  /// The variables that the build gets.
  private let environment: [String]

  /// Prepares a build.
  ///
  /// - Parameters:
  ///   - variables: the variables of the process's environment.
  ///   - defaults: variables that are set unless they are there.
  package init(_ variables: [(name: String, value: String)], defaults: [(name: String, value: String)]) {
    let kept = variables.filter { variable in !Self.leftOut.contains { $0.isExactly(variable.name) } }
    let added = defaults.filter { each in !kept.contains { $0.name.isExactly(each.name) } }
    environment = (kept + added).map { "\($0.name)=\($0.value)" }
  }

  /// Builds a module.
  ///
  /// - Parameter folder: the folder with the Makefile.
  /// - Returns: the folder that was made.
  /// - Throws: `package.build`, with the last words of the build; `file.unreadable` if there is no make.
  package func run(in folder: String) throws(SignetError) -> Directory {
    guard Self.recipes.contains(where: { (try? FileStatus(at: "\(folder)/\($0)")) != nil }) else {
      throw SignetError(
        .packageBuild, "Makefile", "is not among the files of the commit", expected: "a Makefile beside the spec",
        hint: "signet new module makes a project with one")
    }
    let make = ChildProgram(Self.program, ["--no-print-directory", "-C", folder], environment: environment)
    let ending = try make.run { (_) throws(SignetError) in }
    guard ending.status == 0 else {
      throw SignetError(
        .packageBuild, "make", "has failed", expected: "status 0",
        found: "status \(ending.status): \(Self.end(of: ending.lastWords))",
        hint:
          "build a fresh clone of the repository: files that are not committed, and paths out of it, are not there")
    }
    do throws(SignetError) { return try Directory(opening: "\(folder)/\(Self.product)") } catch {
      throw SignetError(
        .packageBuild, Self.product, "was not made by the build", expected: "a folder that signet pack takes",
        cause: error, hint: "let make without a target build the module into \(Self.product)")
    }
  }

  /// The last lines, for a message.
  private static func end(of words: String) -> String {
    words.utf8.split(separator: UInt8(ascii: "\n")).suffix(5).map { String(decoding: $0, as: UTF8.self).display }
      .joined(separator: "; ")
  }
}
