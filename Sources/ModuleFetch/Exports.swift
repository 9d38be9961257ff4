// The types that describe a download belong to the store, which keeps them. `import ModuleFetch` is enough to use them.
@_exported public import struct ModuleStore.ArchiveFetcher
@_exported public import struct ModuleStore.DownloadItem
