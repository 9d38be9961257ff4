// Modules are verified as files are: `import SignetModules` is enough to use both.
@_exported public import SignetVerify
