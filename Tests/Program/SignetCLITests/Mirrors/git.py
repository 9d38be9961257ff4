"""Repositories of git on the loopback interface: git.py FOLDER PORT-FILE

The requests are in PORT-FILE.log."""
import http.server
import os
import pathlib
import subprocess
import sys
import threading

FOLDER, PORT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
LOG = open(f"{PORT}.log", "a", buffering=1)


class Repositories(http.server.BaseHTTPRequestHandler):
    def answer(self):
        path, _, query = self.path.partition("?")
        LOG.write(f"{self.command} {self.path}\n")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        variables = {
            "GIT_PROJECT_ROOT": str(FOLDER), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path, "QUERY_STRING": query,
            "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)), "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "REMOTE_ADDR": "127.0.0.1"}
        result = subprocess.run(
            ["git", "http-backend"], input=body, env=os.environ | variables, capture_output=True, check=False)
        head, _, content = result.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if line)
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Repositories)
PORT.with_suffix(".new").write_text(str(server.server_port))
PORT.with_suffix(".new").rename(PORT)
# A test that is killed leaves no server.
threading.Timer(3600, server.shutdown).start()
server.serve_forever()
