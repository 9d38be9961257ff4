// `import TUFFetch` is enough to use a client of The Update Framework over HTTP.
@_exported public import SignetHTTP
@_exported public import SignetTUF
