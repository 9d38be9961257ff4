"""The messages a bundle and its statement are made of."""

from protojson import STRINGS, STRUCT, Message

# sigstore_bundle.proto, sigstore_common.proto and envelope.proto of protobuf-specs. Log entries are left out: Signet
# never writes any, and a field of an entry is unknown here.
_CERTIFICATE = Message("X509Certificate", {"rawBytes": bytes})
_TIMESTAMP = Message("RFC3161SignedTimestamp", {"signedTimestamp": bytes})
_MATERIALS = {
    "publicKey": Message("PublicKeyIdentifier", {"hint": str}),
    "certificate": _CERTIFICATE,
    "x509CertificateChain": Message("X509CertificateChain", {"certificates": [_CERTIFICATE]}),
}
_VERIFICATION_MATERIAL = Message(
    "VerificationMaterial",
    _MATERIALS | {
        "tlogEntries": [Message("TransparencyLogEntry", {})],
        "timestampVerificationData": Message("TimestampVerificationData", {"rfc3161Timestamps": [_TIMESTAMP]}),
    },
    oneof=set(_MATERIALS))
_ENVELOPE = Message(
    "Envelope",
    {"payload": bytes, "payloadType": str, "signatures": [Message("Signature", {"sig": bytes, "keyid": str})]})
_MESSAGE_SIGNATURE = Message(
    "MessageSignature",
    {"messageDigest": Message("HashOutput", {"algorithm": str, "digest": bytes}), "signature": bytes})
BUNDLE = Message(
    "Bundle",
    {
        "mediaType": str, "verificationMaterial": _VERIFICATION_MATERIAL, "dsseEnvelope": _ENVELOPE,
        "messageSignature": _MESSAGE_SIGNATURE,
    },
    oneof={"dsseEnvelope", "messageSignature"})

# statement.proto and resource_descriptor.proto of in-toto's attestation, version 1.
_RESOURCE = Message(
    "ResourceDescriptor",
    {
        "name": str, "uri": str, "digest": STRINGS, "content": bytes, "downloadLocation": str, "mediaType": str,
        "annotations": STRUCT,
    })
STATEMENT = Message("Statement", {"_type": str, "subject": [_RESOURCE], "predicateType": str, "predicate": STRUCT})
