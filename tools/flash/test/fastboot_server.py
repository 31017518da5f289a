# SPDX-License-Identifier: Apache-2.0
"""The board's side of fastboot over TCP, as its protocol is written down: after "FB01" both ways,
each packet has its length in front, 8 bytes, the highest first."""
import socket
import struct
import threading


class Board(threading.Thread):
    """`lose`: bytes after which the connection ends in the middle of a download."""

    def __init__(self, product="k1", lose=None, corrupt=False, reads_back=True):
        super().__init__(daemon=True)
        self.product, self.lose, self.corrupt, self.reads_back = product, lose, corrupt, reads_back
        self.staged, self.continued, self.commands = b"", False, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.target = f"tcp:127.0.0.1:{self.listener.getsockname()[1]}"
        self.start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                try:
                    self.serve(connection)
                except (ConnectionError, struct.error):
                    pass

    def close(self):
        self.listener.close()

    @staticmethod
    def exactly(connection, count):
        data = b""
        while len(data) < count:
            piece = connection.recv(min(1 << 16, count - len(data)))
            if not piece:
                raise ConnectionError
            data += piece
        return data

    def packet(self, connection):
        return self.exactly(connection, struct.unpack(">Q", self.exactly(connection, 8))[0])

    @staticmethod
    def answer(connection, data):
        connection.sendall(struct.pack(">Q", len(data)) + data)

    def serve(self, connection):
        if self.exactly(connection, 4)[:2] != b"FB":
            raise ConnectionError
        connection.sendall(b"FB01")
        while True:
            command = self.packet(connection).decode()
            self.commands.append(command)
            if command == "getvar:product":
                self.answer(connection, b"OKAY" + self.product.encode())
            elif command.startswith("getvar:"):
                self.answer(connection, b"FAILunknown variable")
            elif command.startswith("download:"):
                self.download(connection, int(command[9:], 16))
            elif command == "upload" and self.reads_back:
                self.answer(connection, b"DATA%08x" % len(self.staged))
                self.answer(connection, self.staged)
                self.answer(connection, b"OKAY")
            elif command == "continue":
                self.continued = True
                self.answer(connection, b"OKAY")
            else:
                self.answer(connection, b"FAILunknown command")

    def download(self, connection, count):
        self.answer(connection, b"DATA%08x" % count)
        data = b""
        while len(data) < count:
            data += self.packet(connection)
            if self.lose is not None and len(data) >= self.lose:
                raise ConnectionError
        self.staged = data[:-1] + bytes([data[-1] ^ 1]) if self.corrupt else data
        self.answer(connection, b"OKAY")
