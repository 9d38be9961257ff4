// Every function of this library uses errors and time, so `import Signet` must be enough to use them.
@_exported public import SignetBase
@_exported public import SignetSystem
