import Foundation
import PackagePlugin

/// `swift package signet-sign ARGUMENTS` runs `signet sign ARGUMENTS` with the installed program.
@main
struct SignetSign: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let signet: PluginContext.Tool
    do {
      // This looks beside the compiler, then in PATH. If the plugin depended on the target of the program, every
      // package with this plugin would build Signet, and Signet's own build would compile everything twice.
      signet = try context.tool(named: "signet")
    } catch {
      Diagnostics.error("signet is not installed: no folder in PATH has it")
      exit(2)
    }
    let process = Process()
    process.executableURL = signet.url
    process.arguments = ["sign"] + arguments
    // SwiftPM has closed the plugin's standard input, so the first file that is opened would take its place.
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit else {
      Diagnostics.error("signet was ended by signal \(process.terminationStatus)")
      exit(2)
    }
    exit(process.terminationStatus)
  }
}
