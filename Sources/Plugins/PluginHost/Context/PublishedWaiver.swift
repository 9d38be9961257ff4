/// A waiver that a registry has published with a release. Nobody has verified it yet.
struct PublishedWaiver: Sendable {
  let sequence: Int
  let text: [UInt8]
}
