# SPDX-License-Identifier: Apache-2.0
"""A client that speaks the protocol of GDB itself, so that it does not depend on what GDB asks."""
import socket

from gdb_support import PATIENCE, fail


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.bytes = b""
        self.text = ""  # console output since the last `ask` or `go_on`

    def send(self, payload):
        text = payload.encode()
        self.socket.sendall(b"$" + text + b"#%02x" % (sum(text) & 0xFF))

    def receive(self):
        """Returns the next packet's payload that is no console output."""
        while True:
            begin = self.bytes.find(b"$")
            end = self.bytes.find(b"#", begin)
            if begin >= 0 and 0 <= end and len(self.bytes) >= end + 3:
                payload = self.bytes[begin + 1:end].decode()
                self.bytes = self.bytes[end + 3:]
                self.socket.sendall(b"+")
                if payload.startswith("O") and payload != "OK":
                    self.text += bytes.fromhex(payload[1:]).decode()
                    continue
                return payload
            more = self.socket.recv(4096)
            if not more:
                fail("the server has closed the connection", "")
            self.bytes += more

    def ask(self, payload):
        self.text = ""
        self.send(payload)
        return self.receive()

    def monitor(self, command):
        """Returns what a command of monitor prints."""
        if self.ask("qRcmd," + command.encode().hex()) != "OK":
            fail(f"monitor {command} fails", self.text)
        return self.text

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")), "little")
