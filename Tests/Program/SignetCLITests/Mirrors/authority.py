"""Authorities of timestamps on the loopback interface, with openssl's `ts -reply`: authority.py FOLDER PORT-FILE

FOLDER gets the authority's certificates, `tsa.pem` and `ca.pem`. The path of a request names its fault; `good` has none. The requests are in PORT-FILE.log: path, length, type."""
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
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[clock]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[weak]
keyUsage = critical, digitalSignature
extendedKeyUsage = timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[tsa]
default_tsa = authority
[authority]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4.1
other_policies = 1.2.3.4.5
digests = sha256
ess_cert_id_alg = sha256
"""


def run(*words):
    subprocess.run(["openssl", *words], cwd=FOLDER, check=True, capture_output=True)


def make():
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "openssl.cnf").write_text(CONFIGURATION)
    (FOLDER / "serial").write_text("01")
    for name in ["ca", "tsa"]:
        run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", f"{name}.key")
    run("req", "-new", "-x509", "-config", "openssl.cnf", "-extensions", "ca", "-key", "ca.key", "-subj", "/CN=Test Clock CA", "-days", "7300", "-out", "ca.pem")
    run("req", "-new", "-config", "openssl.cnf", "-key", "tsa.key", "-subj", "/CN=Test Clock", "-out", "tsa.csr")
    run("x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "77", "-days", "7300", "-extfile", "openssl.cnf", "-extensions", "clock", "-out", "tsa.pem")


def stamp(query):
    with LOCK:
        (FOLDER / "query").write_bytes(query)
        run("ts", "-reply", "-config", "openssl.cnf", "-queryfile", "query", "-signer", "tsa.pem", "-inkey", "tsa.key", "-out", "reply")
        return (FOLDER / "reply").read_bytes()


class Authority(http.server.BaseHTTPRequestHandler):
    busy = 0

    def do_POST(self):
        query = bytearray(self.rfile.read(int(self.headers["Content-Length"])))
        LOG.write(f"{self.path} {len(query)} {self.headers['Content-Type']}\n")
        fault = self.path.strip("/")
        if fault == "broken":
            return self.head(400)
        if fault == "moved":
            return self.head(302, Location="/good")
        if fault == "busy" and Authority.busy < 2:
            Authority.busy += 1
            return self.head(503)
        if fault == "junk":
            return self.reply(b"<html>Welcome</html>")
        if fault == "huge":
            return self.reply(b"0" * (10 << 20))
        if fault == "silent":
            return threading.Event().wait(600)
        # The digest stands in front of the number, and what asks for the certificate behind it.
        if fault == "imprint":
            query[-14] ^= 1
        if fault == "nonce":
            query[-4] ^= 1
        if fault == "policy":
            query = query.replace(bytes.fromhex("2a030405"), bytes.fromhex("2a030401"))
        if fault == "bare":
            query = bytearray([query[0], query[1] - 3]) + query[2:-3]
        if fault == "declining":
            query = query.replace(bytes.fromhex("608648016503040201"), bytes.fromhex("608648016503040202"))
        self.reply(stamp(bytes(query)))

    def reply(self, data):
        self.head(200, **{"Content-Length": str(len(data)), "Content-Type": "application/timestamp-reply"})
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
server = Server(("127.0.0.1", 0), Authority)
PORT.with_suffix(".new").write_text(str(server.server_port))
PORT.with_suffix(".new").rename(PORT)
# A test that is killed leaves no server.
threading.Timer(3600, server.shutdown).start()
server.serve_forever()
