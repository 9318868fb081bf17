# SPDX-License-Identifier: Apache-2.0
"""Samples and their weights in a capture, counted apart from nettoll: of perf.data (little endian) from the layout that the kernel's
include/uapi/linux/perf_event.h and perf's perf.data-file-format.txt describe, of the text of perf script by the forms of its lines."""

import collections
import ctypes
import gzip
import re
import struct

SAMPLE, ATTR, TRACING_DATA, AUXTRACE, COMPRESSED, COMPRESSED2 = 9, 64, 66, 71, 81, 83
# The fields of a sample up to its period, 8 bytes each, in their order: bit of sample_type, name.
FIELDS = ((16, "identifier"), (0, "ip"), (1, "tid"), (2, "time"), (3, "addr"), (6, "id"), (9, "stream"), (7, "cpu"), (8, "period"))


class Inflater:
    """One zstd stream that need not end, by libzstd."""

    class Buffer(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("place", ctypes.c_size_t)]

    def __init__(self):
        self.library = ctypes.CDLL("libzstd.so.1")
        self.library.ZSTD_createDStream.restype = ctypes.c_void_p
        self.library.ZSTD_decompressStream.argtypes = [ctypes.c_void_p, *[ctypes.POINTER(self.Buffer)] * 2]
        self.stream = self.library.ZSTD_createDStream()

    def inflate(self, packed):
        room = ctypes.create_string_buffer(1 << 20)
        source = self.Buffer(ctypes.cast(packed, ctypes.c_void_p), len(packed), 0)
        out = b""
        while True:
            target = self.Buffer(ctypes.addressof(room), len(room), 0)
            if self.library.ZSTD_isError(self.library.ZSTD_decompressStream(self.stream, ctypes.byref(target), ctypes.byref(source))):
                raise ValueError("a compressed record is damaged")
            out += room.raw[:target.place]
            if source.place == source.size and target.place < len(room):
                return out


class PerfData:
    """`weights`: (samples, sum of periods) of each event that has samples; `whole`: up to its end."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        if data[:8] not in (b"PERFILE2", b"PERFFILE"):
            raise ValueError("no perf.data")
        self.attrs, self.by_id, self.sums = [], {}, collections.defaultdict(lambda: [0, 0])
        self.inflater, self.inner, self.whole = None, b"", True
        size, = struct.unpack_from("<Q", data, 8)
        if size == 16:  # a pipe: events come as records
            begin, end = size, len(data)
        else:
            attr_size, attrs, attrs_bytes, begin, data_bytes = struct.unpack_from("<5Q", data, 16)
            for at in range(attrs, attrs + attrs_bytes, attr_size):
                ids, ids_bytes = struct.unpack_from("<2Q", data, at + attr_size - 16)
                self.add_event(data, at, struct.unpack_from(f"<{ids_bytes // 8}Q", data, ids))
            end = begin + data_bytes
        self.walk(data, begin, min(end, len(data)), size == 16)
        self.weights = sorted(tuple(pair) for pair in self.sums.values())

    def add_event(self, data, at, ids):
        _, size, _, period, kinds, _, flags = struct.unpack_from("<IIQQQQQ", data, at)
        event = len(self.attrs)
        # With a frequency, the period stands in each sample; where it does not, a sample counts as 1.
        self.attrs.append((kinds, 1 if flags >> 10 & 1 else period))
        self.by_id.update((number, event) for number in ids)
        return size or 64

    def walk(self, data, at, end, pipe):
        """Records of data[at:end]; gives where the first stands that is not whole."""
        while at + 8 <= end:
            if pipe and data.startswith(b"[ perf record: ", at):  # what perf prints at its end, by 2>&1
                return at
            kind, _, size = struct.unpack_from("<IHH", data, at)
            if size < 8 or at + size > end:
                self.whole = self.whole and data is self.inner
                return at
            if kind == SAMPLE:
                self.add_sample(data, at + 8)
            elif kind == ATTR:
                attr_size = struct.unpack_from("<I", data, at + 12)[0] or 64
                self.add_event(data, at + 8, struct.unpack_from(f"<{(size - 8 - attr_size) // 8}Q", data, at + 8 + attr_size))
            elif kind in (COMPRESSED, COMPRESSED2):
                begin = at + 8 if kind == COMPRESSED else at + 16
                length = size - 8 if kind == COMPRESSED else struct.unpack_from("<Q", data, at + 8)[0]
                self.inflater = self.inflater or Inflater()
                self.inner += self.inflater.inflate(data[begin:begin + length])
                self.inner = self.inner[self.walk(self.inner, 0, len(self.inner), pipe):]
            elif kind == AUXTRACE:  # data that is not in its size, as the next
                at += struct.unpack_from("<Q", data, at + 8)[0]
            elif kind == TRACING_DATA and pipe:
                at += (struct.unpack_from("<I", data, at + 8)[0] + 7) // 8 * 8
            at += size
        return at

    @staticmethod
    def fields(kinds, data, at):
        names = [name for bit, name in FIELDS if kinds >> bit & 1]
        return dict(zip(names, struct.unpack_from(f"<{len(names)}Q", data, at)))

    def add_sample(self, data, at):
        # Where the id is, is the same for all events of a file.
        values = self.fields(self.attrs[0][0], data, at)
        event = 0 if len(self.attrs) == 1 else self.by_id[values.get("identifier", values.get("id"))]
        kinds, period = self.attrs[event]
        self.sums[event][0] += 1
        self.sums[event][1] += self.fields(kinds, data, at).get("period", period)


class PerfScript:
    """The same of text. A sample's head has a time and an event, with colons; a number between is its period."""

    HEAD = re.compile(r" *[^\t#].* \d+\.\d{6}: +(?:(\d+) +)?([\w:/.-]+):(?: .*)?$")
    # "event : name = cycles, ... { sample_period, sample_freq } = 100000000, ... freq = 1" of --header.
    EVENT = re.compile(r"# event : name = ([^ ,]+), .*\{ sample_period, sample_freq \} = (\d+),(?!.* freq = 1)")

    def __init__(self, path):
        sums, periods = collections.defaultdict(lambda: [0, 0]), {}
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if described := self.EVENT.match(line):
                    periods[described[1]] = int(described[2])
                elif "PERF_RECORD_" not in line and (head := self.HEAD.match(line.rstrip("\n"))):
                    sums[head[2]][0] += 1
                    sums[head[2]][1] += int(head[1] or periods.get(head[2], 1))
        self.weights = sorted(tuple(pair) for pair in sums.values())
