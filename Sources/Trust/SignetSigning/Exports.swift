// What is signed is verified at once: `import SignetSigning` is enough to use both, with private keys and the errors of outputs.
@_exported public import SignetFiles
@_exported public import SignetKeys
@_exported public import SignetModules
