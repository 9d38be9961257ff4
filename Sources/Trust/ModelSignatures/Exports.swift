// `import ModelSignatures` is enough to verify a model.
@_exported public import SignetVerify
