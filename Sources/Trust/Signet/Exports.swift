// Verifying, modules and signing in one: `import Signet` is enough to use them.
@_exported public import SignetModules
@_exported public import SignetSigning
@_exported public import SignetVerify
