import Foundation

/// Removes a file of a test.
func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
