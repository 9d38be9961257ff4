import Foundation
import TestSupport
import Testing

/// Tars with a module's description at the root.
enum TarFixture {
  static let description = #"{"identifier": "com.example.player", "version": "1.2.3", "sequence": 7}"#

  /// A tar that can be signed as a module and as a file.
  static func module(compressed: Bool = false) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("module.json", Array(description.utf8))
    let python = try #require(Program.find("python3"))
    let script = """
      import io, tarfile
      out = io.BytesIO()
      data = open('module.json', 'rb').read()
      with tarfile.open(fileobj=out, mode='w\(compressed ? ":gz" : "")', format=tarfile.USTAR_FORMAT) as tar:
          entry = tarfile.TarInfo('module.json')
          entry.size, entry.mode = len(data), 0o644
          tar.addfile(entry, io.BytesIO(data))
      open('m', 'wb').write(out.getvalue())
      """
    let run = try Program.run(python, ["-B", "-c", script], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    return try folder.read("m")
  }
}
