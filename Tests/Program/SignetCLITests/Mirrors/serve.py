"""Mirrors of a repository of The Update Framework on the loopback interface: serve.py REPOSITORY PORT-FILE [KEY-AND-CERTIFICATE]

With a key and a certificate, in one file of PEM, it is reached over https. Each first part of a path is a mirror with a fault of its own; `good` has none. The requests are in PORT-FILE.log."""
import http.server
import pathlib
import re
import ssl
import sys
import threading

REPOSITORY, PORT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
LOG = open(f"{PORT}.log", "a", buffering=1)


class Mirror(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        LOG.write(self.path + "\n")
        _, mirror, path = self.path.split("/", 2)
        file = REPOSITORY / path
        if mirror == "moved":
            return self.head(302, Location=f"/good/{path}")
        if mirror == "broken":
            return self.head(500)
        if mirror == "silent":
            return
        if mirror == "absent" or ".." in path or not file.is_file():
            return self.head(404)
        data = file.read_bytes()
        if mirror == "lying" and path.endswith("timestamp.json"):
            data = re.sub(rb'"version": ?\d+', b'"version": 9', data)
        if mirror == "lying" and "targets/" in path:
            data = data[:-1] + b"!"
        if mirror == "stalled" and path.endswith("timestamp.json"):
            self.head(200, **{"Content-Length": str(len(data))})
            self.wfile.write(data[:10])
            self.wfile.flush()
            return threading.Event().wait(600)
        if mirror == "endless" and path.endswith("timestamp.json"):
            self.head(200)
            while True:
                self.wfile.write(b" " * 1000)
        self.head(200, **{"Content-Length": str(len(data))})
        self.wfile.write(data)

    def head(self, status, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Clients leave endless mirrors."""


server = Server(("127.0.0.1", 0), Mirror)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
PORT.with_suffix(".new").write_text(str(server.server_port))
PORT.with_suffix(".new").rename(PORT)
# A test that is killed leaves no server.
threading.Timer(3600, server.shutdown).start()
server.serve_forever()
