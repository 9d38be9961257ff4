// Every function of this library uses errors, time, and names of modules: `import Signet` is enough to use them.
@_exported public import SignetBase
@_exported public import SignetNames
@_exported public import SignetSystem
