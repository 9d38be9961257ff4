// `import ModuleFetch` is enough to use the requests of SignetHTTP, and the types that describe a download, which belong to
// the store that keeps them.
@_exported public import SignetHTTP
@_exported public import struct ModuleStore.ArchiveFetcher
@_exported public import struct ModuleStore.DownloadItem
