"""An OCI registry on the loopback interface that has nothing, for the user u with the password s: closed.py PORT-FILE"""
import http.server
import pathlib
import sys

PORT = pathlib.Path(sys.argv[1])


class Registry(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        knows = self.headers["Authorization"] == "Basic dTpz"
        self.send_response(404 if knows else 401)
        if not knows:
            self.send_header("WWW-Authenticate", 'Basic realm="closed"')
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
PORT.write_text(str(server.server_port))
server.serve_forever()
