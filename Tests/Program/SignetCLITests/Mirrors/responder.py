"""A responder of OCSP on the loopback interface, with openssl's `ocsp`: responder.py FOLDER PORT-FILE

FOLDER has the authority's `ca.pem`, `index` and `ca.key`, and gets `responder.pem`, which the authority certifies. The path of a request names a fault; `good` has none. The requests are in PORT-FILE.log: path, length, type."""
import http.server
import pathlib
import subprocess
import sys
import threading

FOLDER, PORT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
LOG = open(f"{PORT}.log", "a", buffering=1)
LOCK = threading.Lock()
CONFIGURATION = """
[req]
distinguished_name = dn
[dn]
[responder]
keyUsage = critical, digitalSignature
extendedKeyUsage = OCSPSigning
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
"""


def run(*words):
    subprocess.run(["openssl", *words], cwd=FOLDER, check=True, capture_output=True)


def make():
    (FOLDER / "openssl.cnf").write_text(CONFIGURATION)
    for name in ["responder", "stranger"]:
        run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", f"{name}.key")
        run("req", "-new", "-config", "openssl.cnf", "-key", f"{name}.key", "-subj", "/CN=Responder", "-out", f"{name}.csr")
    run("x509", "-req", "-in", "responder.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "88", "-days", "7300", "-extfile", "openssl.cnf", "-extensions", "responder", "-out", "responder.pem")
    run("x509", "-req", "-in", "stranger.csr", "-key", "stranger.key", "-set_serial", "88", "-days", "7300", "-extfile", "openssl.cnf", "-extensions", "responder", "-out", "stranger.pem")


def answer(query, signer):
    with LOCK:
        (FOLDER / "query").write_bytes(query)
        run("ocsp", "-index", "index", "-CA", "ca.pem", "-rsigner", f"{signer}.pem", "-rkey", f"{signer}.key", "-reqin", "query", "-respout", "answer", "-ndays", "7")
        return (FOLDER / "answer").read_bytes()


class Responder(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        query = self.rfile.read(int(self.headers["Content-Length"]))
        LOG.write(f"{self.path} {len(query)} {self.headers['Content-Type']}\n")
        fault = self.path.strip("/")
        if fault == "broken":
            return self.head(400)
        if fault == "junk":
            return self.reply(b"<html>Welcome</html>")
        if fault == "huge":
            return self.reply(b"0" * (10 << 20))
        # OCSPResponseStatus tryLater.
        if fault == "declining":
            return self.reply(bytes.fromhex("30030a0103"))
        # Another certificate than the one that is asked about.
        if fault == "other":
            query = query.replace(bytes.fromhex("02021267"), bytes.fromhex("02021268"))
        data = answer(query, "stranger" if fault == "stranger" else "responder")
        if fault == "damaged":
            data = data.replace(b"\x18\x0f20", b"\x18\x0f21", 1)
        self.reply(data)

    def reply(self, data):
        self.head(200, **{"Content-Length": str(len(data)), "Content-Type": "application/ocsp-response"})
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
        """Clients leave endless answers."""


make()
server = Server(("127.0.0.1", 0), Responder)
PORT.with_suffix(".new").write_text(str(server.server_port))
PORT.with_suffix(".new").rename(PORT)
# A test that is killed leaves no server.
threading.Timer(3600, server.shutdown).start()
server.serve_forever()
