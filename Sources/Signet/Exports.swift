// Errors and time are part of what every function of this library gives: `import Signet` is enough to use it.
@_exported public import SignetBase
@_exported public import SignetSystem
