import Foundation
import Testing

/// Where the tests begin. The package manager writes this file itself where there is none, and needs an index of all names for
/// it, which makes a build longer.
@main
enum TestRun {
  static func main() async {
    // `swift test` runs the program once more for the tests of XCTest, of which there are none.
    let arguments = CommandLine.arguments
    if let option = arguments.firstIndex(of: "--testing-library"), arguments.dropFirst(option + 1).first == "xctest" {
      exit(0)
    }
    await __swiftPMEntryPoint() as Never
  }
}
