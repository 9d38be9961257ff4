import Foundation

/// Writes into the file that is there, not into a new one of the same name.
func overwrite(_ path: String, _ bytes: [UInt8]) throws {
  let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  try handle.truncate(atOffset: UInt64(bytes.count))
  // Truncating has moved to the end.
  try handle.seek(toOffset: 0)
  try handle.write(contentsOf: Data(bytes))
  try handle.close()
}

/// Longer than a tick of any kernel's clock.
func wait() { usleep(20_000) }
