import TestSupport
import Testing

/// The lists in `Tests/Vectors` have two readers: the tests', and the script that unpacks cases for people.
@Suite struct VectorTests {
  @Test(
    "a case that is unpacked is the case that is tested",
    arguments: ["archives", "bundles", "chains", "directories", "manifests", "policies"])
  func unpacked(_ area: String) throws {
    let folder = try TemporaryFolder(inMemory: true)
    let python = try #require(Program.find("python3"), "make test installs python3")
    let run = try Program.run(python, ["-B", Repository.root + "/Tests/Vectors/unpack", area, "*", folder.path])
    try #require(run.status == 0, "\(run.errors)")
    let vectors = try Vector.all(in: area)
    #expect(try folder.listing() == vectors.map(\.name).sorted())
    for vector in vectors {
      for (file, bytes) in vector.inputs {
        #expect(try folder.read("\(vector.name)/\(file)") == bytes, "\(vector.name)/\(file)")
      }
      let expected = "\(vector.expected.joined(separator: " "))\n\(vector.reason)\n"
      #expect(try folder.read("\(vector.name)/expected") == Array(expected.utf8), "\(vector.name)")
    }
  }
}
