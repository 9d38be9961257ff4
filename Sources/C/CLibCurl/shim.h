// libcurl, 7.76 or later, as Swift sees it: types and numbers. Its functions are found at run time.
#ifndef SIGNET_CLIBCURL_SHIM_H
#define SIGNET_CLIBCURL_SHIM_H

// The functions below check the types.
#define CURL_DISABLE_TYPECHECK
#include <arpa/inet.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#if LIBCURL_VERSION_NUM < 0x074c00
#error "Signet needs libcurl 7.76 or later"
#endif

// The functions that are used, with the types that the header gives them.
struct signet_curl {
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_easy_init) *easy_init;
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  __typeof__(curl_easy_strerror) *easy_strerror;
  __typeof__(curl_easy_setopt) *easy_setopt;
  __typeof__(curl_easy_getinfo) *easy_getinfo;
  __typeof__(curl_multi_init) *multi_init;
  __typeof__(curl_multi_cleanup) *multi_cleanup;
  __typeof__(curl_multi_add_handle) *multi_add_handle;
  __typeof__(curl_multi_remove_handle) *multi_remove_handle;
  __typeof__(curl_multi_perform) *multi_perform;
  __typeof__(curl_multi_poll) *multi_poll;
  __typeof__(curl_multi_info_read) *multi_info_read;
  __typeof__(curl_slist_append) *slist_append;
  __typeof__(curl_slist_free_all) *slist_free_all;
  __typeof__(curl_url) *url;
  __typeof__(curl_url_cleanup) *url_cleanup;
  __typeof__(curl_url_set) *url_set;
  __typeof__(curl_url_get) *url_get;
  __typeof__(curl_free) *free;
};

// Loads a library, which is never unloaded; NULL if it cannot be loaded.
static inline void *signet_curl_load(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

// Why the last library could not be loaded; NULL if the linker does not say.
static inline const char *signet_curl_load_failure(void) { return dlerror(); }

// Finds the functions in a library. Gives the name of the first one that it lacks, or NULL if it has all.
static inline const char *signet_curl_find(void *library, struct signet_curl *found) {
#define SIGNET_FIND(name)                                                         \
  found->name = (__typeof__(found->name))dlsym(library, "curl_" #name);           \
  if (found->name == NULL) return "curl_" #name;
  SIGNET_FIND(global_init)
  SIGNET_FIND(easy_init)
  SIGNET_FIND(easy_cleanup)
  SIGNET_FIND(easy_strerror)
  SIGNET_FIND(easy_setopt)
  SIGNET_FIND(easy_getinfo)
  SIGNET_FIND(multi_init)
  SIGNET_FIND(multi_cleanup)
  SIGNET_FIND(multi_add_handle)
  SIGNET_FIND(multi_remove_handle)
  SIGNET_FIND(multi_perform)
  SIGNET_FIND(multi_poll)
  SIGNET_FIND(multi_info_read)
  SIGNET_FIND(slist_append)
  SIGNET_FIND(slist_free_all)
  SIGNET_FIND(url)
  SIGNET_FIND(url_cleanup)
  SIGNET_FIND(url_set)
  SIGNET_FIND(url_get)
  SIGNET_FIND(free)
#undef SIGNET_FIND
  return NULL;
}

// Swift cannot see macros that are more than a literal.
static inline CURLcode signet_curl_start(const struct signet_curl *curl) {
  return curl->global_init(CURL_GLOBAL_DEFAULT);
}

// Swift cannot call variadic C functions.
static inline CURLcode signet_curl_set_number(
    const struct signet_curl *curl, CURL *handle, CURLoption option, long value) {
  return curl->easy_setopt(handle, option, value);
}

static inline CURLcode signet_curl_set_text(
    const struct signet_curl *curl, CURL *handle, CURLoption option, const char *value) {
  return curl->easy_setopt(handle, option, value);
}

static inline CURLcode signet_curl_set_object(
    const struct signet_curl *curl, CURL *handle, CURLoption option, void *value) {
  return curl->easy_setopt(handle, option, value);
}

static inline CURLcode signet_curl_set_fields(
    const struct signet_curl *curl, CURL *handle, struct curl_slist *value) {
  return curl->easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}

static inline CURLcode signet_curl_set_receiver(
    const struct signet_curl *curl, CURL *handle, CURLoption option, curl_write_callback value) {
  return curl->easy_setopt(handle, option, value);
}

static inline CURLcode signet_curl_set_progress(
    const struct signet_curl *curl, CURL *handle, curl_xferinfo_callback value) {
  return curl->easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

// The bytes of the address that a socket is for: 4 or 16. Gives their number, or 0 for another kind of address.
static inline int signet_curl_address(const struct curl_sockaddr *address, unsigned char *bytes) {
  if (address->family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr, 4);
    return 4;
  }
  if (address->family != AF_INET6) return 0;
  memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr, 16);
  return 16;
}

// The bytes of the address that the last transfer was with: 4 or 16. Gives their number, or 0 if it is not known.
static inline int signet_curl_peer(const struct signet_curl *curl, CURL *handle, unsigned char *bytes) {
  const char *text = NULL;
  if (curl->easy_getinfo(handle, CURLINFO_PRIMARY_IP, &text) != CURLE_OK || text == NULL) return 0;
  if (inet_pton(AF_INET, text, bytes) == 1) return 4;
  char plain[INET6_ADDRSTRLEN + 1] = {0};
  // The name of an interface may follow.
  for (size_t place = 0; place < INET6_ADDRSTRLEN && text[place] != 0 && text[place] != '%'; place++) {
    plain[place] = text[place];
  }
  return inet_pton(AF_INET6, plain, bytes) == 1 ? 16 : 0;
}

static inline curl_socket_t signet_curl_open(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype, address->protocol);
}

static inline int signet_curl_close(curl_socket_t socket) { return close(socket); }

// How many bytes were read from a TCP socket; -1 if the system does not say it.
static inline long long signet_curl_received(curl_socket_t socket) {
#ifdef __linux__
  // tcpi_bytes_received of struct tcp_info (linux/tcp.h), which the C library's own header lacks.
  unsigned char info[136];
  socklen_t size = sizeof info;
  int waiting = 0;
  unsigned long long received;
  if (getsockopt(socket, IPPROTO_TCP, 11 /* TCP_INFO */, info, &size) != 0 || size < sizeof info) return -1;
  // What nobody has read yet is in the kernel's memory, which is bounded.
  if (ioctl(socket, FIONREAD, &waiting) != 0) return -1;
  memcpy(&received, info + 128, sizeof received);
  return (long long)received - waiting;
#else
  (void)socket;
  return -1;
#endif
}

static inline CURLcode signet_curl_set_sockets(
    const struct signet_curl *curl, CURL *handle, void *place, curl_opensocket_callback open,
    curl_closesocket_callback close) {
  CURLcode code = curl->easy_setopt(handle, CURLOPT_OPENSOCKETDATA, place);
  if (code == CURLE_OK) code = curl->easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, place);
  if (code == CURLE_OK) code = curl->easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
  if (code == CURLE_OK) code = curl->easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, close);
  return code;
}

static inline CURLcode signet_curl_set_seek(
    const struct signet_curl *curl, CURL *handle, curl_seek_callback value) {
  return curl->easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode signet_curl_get_size(
    const struct signet_curl *curl, CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl->easy_getinfo(handle, info, value);
}

// The result of the only transfer, once nothing of it is left to do; CURLE_FAILED_INIT without a result.
static inline CURLcode signet_curl_result(const struct signet_curl *curl, CURLM *transfers) {
  int left;
  const CURLMsg *message = curl->multi_info_read(transfers, &left);
  return message != NULL && message->msg == CURLMSG_DONE ? message->data.result : CURLE_FAILED_INIT;
}

// HTTP and HTTPS and nothing else. The numbers were deprecated for the names in 7.85. The library may be older than the
// header, and then knows only the numbers.
static inline CURLcode signet_curl_set_protocols(const struct signet_curl *curl, CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = curl->easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  if (code != CURLE_UNKNOWN_OPTION) return code;
#endif
  // CURLOPT_PROTOCOLS, CURLPROTO_HTTP and CURLPROTO_HTTPS, whose use newer headers warn of.
  return curl->easy_setopt(handle, (CURLoption)181, (long)(1 << 0 | 1 << 1));
}

#endif
