public import SignetBase

extension SignetError.Code {
  // MARK: OCI registries and layouts

  /// The name of a place in a registry, or of a layout, that cannot be read.
  public static let ociReference = Self("oci.reference", .failure)
  /// A manifest, an index or another document of a registry that is malformed or out of bounds.
  public static let ociDocument = Self("oci.document", .refusal)
  /// A manifest of a type, or a digest of an algorithm, that Signet does not know.
  public static let ociUnsupported = Self("oci.unsupported", .refusal)
  /// Bytes that do not have the digest or the size by which they were asked for.
  public static let ociDigest = Self("oci.digest", .refusal)
  /// Something that the registry or the layout does not have.
  public static let ociNotFound = Self("oci.not-found", .failure)
  /// The registry asks for other credentials, or denies what was asked.
  public static let ociDenied = Self("oci.denied", .failure)
  /// Credentials that cannot be read.
  public static let ociCredentials = Self("oci.credentials", .failure)
  /// A server that credentials are not sent to.
  public static let ociUntrustedRealm = Self("oci.untrusted-realm", .failure)
  /// The registry refuses a request, and says why.
  public static let ociRefused = Self("oci.refused", .failure)
  /// An upload that the registry does not take as the protocol says.
  public static let ociUpload = Self("oci.upload", .failure)
  /// A referrer that was lost again, because others write the list at the same time.
  public static let ociReferrerLost = Self("oci.referrer-lost", .failure)
  /// A directory that is not an image layout.
  public static let ociLayout = Self("oci.layout", .failure)
  /// More manifests, referrers or pages than are followed.
  public static let ociBounds = Self("oci.bounds", .refusal)
}

extension Set<SignetError.Code> {
  /// The codes about what a registry or a layout has, as opposed to how it was reached.
  package static let aboutOCIContent: Set = [.ociDocument, .ociUnsupported, .ociDigest, .ociBounds]
}
