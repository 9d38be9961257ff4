package import SignetCrypto

/// The keys in `keys/insecure-test-*`. Their private halves are published, so they prove nothing.
package enum TestKeys {
  private static let ids: [String] = [
    "SHA256:t4zZ/PiJ5G+RW1h5HioQB81YtrcEWj1VVtROKj/kUJY",  // insecure-test-ed25519
    "SHA256:lrOoFa/DMi+jdZypw8Xz+xE7yklqx5vfV87zH9o980k",  // insecure-test-encrypted
    "SHA256:0avYYe0klONjNUmW3iGEOFdUA9COAQqJrMSjUdRnqjA",  // insecure-test-p256
    "SHA256:vAe9mMCNJVgp6WpGuB9FaQZRcsBFqJaSz898KzvzmS8",  // insecure-test-p384
    "SHA256:k1VkxMsLw6A1T+2Mxx/QfTjq0d5UaGYoQIFqKPHPazU",  // insecure-test-rsa2048
    "SHA256:ISNT9WMleS8mZEYVtU9h8ziNXz8xOeXAK0WJSmyUFXU",  // insecure-test-rsa3072
    "SHA256:Svvb7sJrntO2zQS2rknrSaedZWq8qweSJ2LlSyk57/E",  // insecure-test-rsa4096
  ]

  /// Whether a key is one of them.
  package static func contains(_ id: KeyID) -> Bool { ids.contains { id.matches($0) } }
}
