import Foundation
import Signet

// Verifies files and modules under a trust policy, with the function of docs/guides/verify-in-a-program.md.
// The status is 0 if all are verified, 1 if one is refused, and 2 if there is no verdict.
let arguments = CommandLine.arguments.dropFirst()
guard let policy = arguments.first, arguments.count > 1 else {
  print("usage: VerifyFile POLICY FILE…")
  exit(64)
}
do {
  let verdicts = try arguments.dropFirst().map { try describe($0, under: policy) }
  for verdict in verdicts { print(verdict) }
  exit(verdicts.allSatisfy { $0.hasPrefix("verified: ") } ? 0 : 1)
} catch {
  print("\(error)")
  exit(2)
}
