// Digests and key IDs are what this library computes: `import SignetCrypto` is enough to use them.
@_exported public import SignetNames
