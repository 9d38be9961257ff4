// What is signed is verified at once: `import SignetSigning` is enough to use both.
@_exported public import SignetModules
