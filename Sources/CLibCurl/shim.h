// libcurl, 7.76 or later, as Swift sees it.
#ifndef SIGNET_CLIBCURL_SHIM_H
#define SIGNET_CLIBCURL_SHIM_H

// The functions below check the types.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x074c00
#error "Signet needs libcurl 7.76 or later"
#endif

// Swift cannot see macros that are more than a literal.
static inline CURLcode signet_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// Swift cannot call variadic C functions.
static inline CURLcode signet_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode signet_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode signet_curl_set_object(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode signet_curl_set_fields(CURL *handle, struct curl_slist *value) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}

static inline CURLcode signet_curl_set_receiver(CURL *handle, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode signet_curl_set_progress(CURL *handle, curl_xferinfo_callback value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode signet_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

// HTTP and HTTPS and nothing else; the numbers were deprecated for the names in 7.85.
static inline CURLcode signet_curl_set_protocols(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

#endif
