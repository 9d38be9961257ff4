import Foundation
import SignetBase
import SignetTUF

/// `RefreshProgram FOLDER REPOSITORY TIME`: refreshes a client's folder from a repository in a directory.
///
/// Tests end it before any of its system calls, as they cannot end themselves.
@main
enum Main {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 4, let time = UnixTime(words[3]) else { exit(64) }
    do throws(SignetError) {
      let source = try DirectorySource(words[2])
      let client = TUFClient(
        folder: TrustedMetadataFolder(words[1]), mirrors: [RepositoryMirror(metadata: source, targets: source)],
        time: time)
      try client.refresh()
    } catch {
      print(error)
      exit(1)
    }
  }
}
