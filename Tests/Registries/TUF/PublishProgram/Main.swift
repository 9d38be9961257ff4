import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import SignetTUF

/// `PublishProgram FOLDER KEY TIME`: publishes the drafts of a repository with an online key.
///
/// Tests end it before any of its system calls, as they cannot end themselves.
@main
enum Main {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 4, let time = UnixTime(words[3]), let text = FileManager.default.contents(atPath: words[2])
    else { exit(64) }
    do throws(SignetError) {
      let key = try PrivateKey(file: SecretBytes(Array(text))) { nil }
      let folder = RepositoryFolder(words[1])
      try folder.changing { (content) throws(SignetError) in
        try DraftPublication(of: content, signedBy: [key], at: time).write(to: folder)
      }
    } catch {
      print(error)
      exit(1)
    }
  }
}
