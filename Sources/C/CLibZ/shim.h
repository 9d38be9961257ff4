// zlib as Swift sees it.
#ifndef SIGNET_CLIBZ_SHIM_H
#define SIGNET_CLIBZ_SHIM_H

#include <zlib.h>

// Swift cannot see macros that pass sizes along.
static inline int signet_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

static inline int signet_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

static inline int signet_inflate_init_zlib(z_stream *stream) { return inflateInit2(stream, MAX_WBITS); }

static inline int signet_deflate_init_raw(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

#endif
