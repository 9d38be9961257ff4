// Every function of this library uses errors, time, files, digests and keys: `import SignetVerify` is enough to use them.
@_exported public import SignetBase
@_exported public import SignetCrypto
@_exported public import SignetNames
@_exported public import SignetSystem
