import Testing

@testable import ReleaseGate

@Suite struct ArtifactResourceTests {
  @Test("a path becomes a URI, whatever is in it")
  func resources() {
    #expect(ArtifactResource.uri("a/b-1.0_~.zip", in: "urn:x:") == "urn:x:a/b-1.0_~.zip")
    #expect(ArtifactResource.uri("::error\n%é?#", in: "urn:x:") == "urn:x:%3A%3Aerror%0A%25%C3%A9%3F%23")
  }
}
