#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`nettoll serve` towards clients and files: TLS, passwords, hostile clients, its configuration, the rights it keeps.

NETTOLL_WEB_SECONDS=600 has the hostile clients stay for so long (20; ctest ends the test after 300). Exit status 77,
naming what is missing, where this host lacks root, openssl or setpriv, or cannot run nettoll's main job.
"""

import argparse
import base64
import contextlib
import ctypes
import http.client
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402
import cli_test  # noqa: E402
import exposition  # noqa: E402
import process_facts  # noqa: E402
from cli_test import DONE, FAILED, USAGE  # noqa: E402
from prometheus_server import free_port, wait_until  # noqa: E402
from service_rights import NOBODY, as_nobody, service_capabilities  # noqa: E402

PASSWORD = "correct horse battery staple"
MEBIBYTE = 1 << 20
NEEDED = service_capabilities()


def bcrypt(password, cost=10):
    """By libxcrypt, as Python's own module of that is gone from 3.13 on."""
    library = ctypes.CDLL("libcrypt.so.1")
    library.crypt.restype = ctypes.c_char_p
    salt = base64.b64encode(os.urandom(16), b"./").decode()[:21] + "u"
    return library.crypt(password.encode(), f"$2b${cost:02}${salt}".encode()).decode()


class WebTest(cli_test.CliTest):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.login = ("user", PASSWORD)

    def write(self, name, text):
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.work, check=True, capture_output=True)

    def make_ca(self, name):
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                     "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")

    def make_certificate(self, name, issuer):
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                     "-keyout", f"{name}.key", "-out", f"{name}.csr")
        self.write(f"{name}.ext", "subjectAltName=IP:127.0.0.1\n")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{issuer}.crt", "-CAkey", f"{issuer}.key",
                     "-CAcreateserial", "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.crt")

    def make_all_certificates(self):
        for ca in ("ca", "other"):
            self.make_ca(ca)
        self.make_certificate("server", "ca")
        self.make_certificate("client", "ca")
        self.make_certificate("stranger", "other")

    def tls_config(self, client_auth=True):
        lines = ["tls_server_config:", "  cert_file: server.crt", "  key_file: server.key"]
        if client_auth:
            lines += ["  client_auth_type: RequireAndVerifyClientCert", "  client_ca_file: ca.crt"]
        return "\n".join(lines) + "\n"

    def users_config(self, password=PASSWORD):
        return f"basic_auth_users:\n  user: {bcrypt(password)}\n"

    def context(self, certificate="client", ca="ca"):
        context = ssl.create_default_context(cafile=self.path(f"{ca}.crt"))
        if certificate:
            context.load_cert_chain(self.path(f"{certificate}.crt"), self.path(f"{certificate}.key"))
        return context

    def get(self, path="/metrics", context=None, login=None):
        """Status and text; an error of TLS or of the connection is raised."""
        connection = (http.client.HTTPSConnection("127.0.0.1", self.port, timeout=20, context=context) if context
                      else http.client.HTTPConnection("127.0.0.1", self.port, timeout=20))
        headers = {}
        if login:
            headers["Authorization"] = "Basic " + base64.b64encode(":".join(login).encode()).decode()
        with contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def status(self, *arguments, **options):
        try:
            return self.get(*arguments, **options)[0]
        except (OSError, http.client.HTTPException) as error:
            return type(error).__name__

    def serve(self, *arguments, under=(), **reached):
        process = self.start("serve", "--web.listen-address", f"127.0.0.1:{self.port}", *arguments, under=under)
        wait_until(lambda: self.status(**reached) == 200 and "nettoll_path_packets_total{" in self.get(**reached)[1], 60,
                   "no data served", process, self.path("log"))
        return process

    def reload(self, process, says):
        before = self.log().count(says)
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: self.log().count(says) > before, 30, f"no '{says}' after SIGHUP", process, self.path("log"))


class AccessTest(WebTest):
    def test_passwords(self):
        web = self.write("web.yml", self.users_config())
        process = self.serve("--web.config.file", web, login=self.login)
        for path in ("/metrics", "/healthz", "/", "/nothing"):
            self.assertEqual(self.status(path), 401)
        for login in (("user", PASSWORD[:-1]), ("root", PASSWORD), ("", ""), ("user", "")):
            for _ in range(2):
                self.assertEqual(self.status(login=login), 401, login)
        self.assertEqual(self.status("/healthz", login=self.login), 200)
        status, text = self.get(login=self.login)
        self.assertEqual(status, 200)
        self.assertEqual(child.stop(process), DONE)
        with open(web, encoding="utf-8") as file:
            secret = file.read().split()[-1]
        for hidden in (PASSWORD, secret, "Basic"):
            self.assertNotIn(hidden, self.log())
            self.assertNotIn(hidden, text)
        self.assertNotIn("127.0.0.1", text)

    def test_certificates(self):
        self.make_all_certificates()
        web = self.write("web.yml", self.tls_config() + self.users_config())
        process = self.serve("--web.config.file", web, context=self.context(), login=self.login)
        self.assertIn("serving https://", self.log())
        self.assertEqual(self.status(context=self.context()), 401)
        for bad in (self.context("stranger"), self.context(None), self.context(ca="other"), None):
            self.assertNotIn(self.status(context=bad, login=self.login), (200, 401))
        self.assertEqual(self.status(context=self.context(), login=self.login), 200)
        self.assertEqual(child.stop(process), DONE)

    def test_newest_tls_alone(self):
        self.make_all_certificates()
        web = self.write("web.yml", self.tls_config(client_auth=False) + "  min_version: TLS13\n")
        self.serve("--web.config.file", web, context=self.context(None))
        older = self.context(None)
        older.maximum_version = ssl.TLSVersion.TLSv1_2
        self.assertNotEqual(self.status(context=older), 200)

    def test_open_doors_are_told(self):
        process = self.start("serve", "--web.listen-address", f":{self.port}")
        self.wait_for_log("serving http", process)
        self.assertIn("--web.config.file can ask for a password", self.log())
        self.assertIn("plain text", self.log())
        child.stop(process)
        process = self.start("serve", "--web.listen-address", f"127.0.0.1:{self.port}")
        self.wait_for_log("serving http", process)
        self.assertNotIn("plain text", self.log())


class ReloadTest(WebTest):
    def test_files_are_read_again(self):
        self.make_all_certificates()
        web = self.write("web.yml", self.tls_config(client_auth=False) + self.users_config())
        config = self.write("nettoll.toml", f'interval = "1s"\nweb.config.file = "{web}"\n')
        reached = {"context": self.context(None), "login": self.login}
        process = self.serve("--config", config, **reached)
        first = ssl.get_server_certificate(("127.0.0.1", self.port))

        # Other passwords, another certificate, another interval.
        self.make_certificate("server", "ca")
        self.write("web.yml", self.tls_config(client_auth=False) + self.users_config("another"))
        self.write("nettoll.toml", f'interval = "200ms"\nset = "wide"\nweb.config.file = "{web}"\n')
        self.reload(process, "configuration read again: every 200ms")
        self.assertIn("taken up at the next start: set", self.log())
        wait_until(lambda: self.status(**reached) == 401, 10, "the old password was still taken")
        reached["login"] = ("user", "another")
        self.assertEqual(self.status(**reached), 200)
        self.assertNotEqual(ssl.get_server_certificate(("127.0.0.1", self.port)), first)

        # What is wrong changes nothing, and says where.
        self.write("web.yml", "tls_server_cofnig:\n")
        self.reload(process, "web.yml, line 1")
        self.write("web.yml", self.users_config())
        self.reload(process, "TLS begins or ends at a start only")
        self.write("nettoll.toml", 'interval = "1s"\nintervall = "1s"\n')
        self.reload(process, "nettoll.toml, line 2")
        self.assertEqual(self.status(**reached), 200)
        self.assertEqual(child.stop(process), DONE)

    def test_hangup_without_files_ends(self):
        process = self.serve()
        self.assertEqual(child.stop(process, signal.SIGHUP), DONE)

    def test_check_config(self):
        good = self.write("good.toml", 'interval = "1s"\n')
        done = self.nettoll("serve", "--config", good, "--check-config")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertIn("valid", done.stdout)
        # Without any right, and as another user.
        done = self.run_command(["setpriv", f"--reuid={NOBODY}", "--clear-groups", "--bounding-set=-all", self.program,
                                 "serve", "--config", good, "--check-config"])
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        web = self.write("web.yml", "basic_auth_users:\n  user: hunter2\n")
        cases = (('interval = "1ms"\n', ["line 1", "interval", "100ms"]), ("\nfreqq = 1\n", ["line 2", "freqq", "freq"]),
                 ("freq = \n", ["line 1"]), (f'web.config.file = "{web}"\n', ["web.yml, line 2", "user"]),
                 ('web.config.file = "missing"\n', ["missing"]))
        for text, words in cases:
            with self.subTest(text):
                bad = self.write("bad.toml", text)
                self.assert_refused(USAGE, words, "serve", "--config", bad, "--check-config")
                self.assert_refused(USAGE, words, "serve", "--config", bad)
        self.assert_refused(USAGE, ["missing.toml"], "serve", "--config", "missing.toml", "--check-config")


class HostileClientsTest(WebTest):
    def scrape(self, reached):
        begin = time.monotonic()
        status, text = self.get(**reached)
        self.assertEqual(status, 200)
        return time.monotonic() - begin, exposition.parse(text)

    def test_a_good_scrape_is_answered_within_a_second(self):
        seconds = float(os.environ.get("NETTOLL_WEB_SECONDS", "20"))
        self.make_all_certificates()
        web = self.write("web.yml", self.tls_config() + self.users_config())
        reached = {"context": self.context(), "login": self.login}
        process = self.serve("--interval", "1s", "--diagnose-interval", "0", "--web.config.file", web, **reached)
        # Alone, as this host is now: what else runs here is not nettoll's.
        alone = sorted(self.scrape(reached)[0] for _ in range(10))[5]
        files = [item for name, of in (("ca", "ca.crt"), ("cert", "client.crt"), ("key", "client.key"),
                                       ("strange-cert", "stranger.crt"), ("strange-key", "stranger.key"))
                 for item in (f"--{name}", self.path(of))]
        with open(self.path("hostile"), "wb") as log:
            hostile = child.start([sys.executable, os.path.join(HERE, "hostile_clients.py"), "--port", str(self.port),
                                   "--user", "user", *files], log)
        self.addCleanup(child.stop, hostile, signal.SIGKILL)
        wait_until(lambda: "'oversized'" in self.read("hostile") and "'wrong'" in self.read("hostile"), 60,
                   "the hostile clients did not begin", hostile, self.path("hostile"))
        taken, memory, ticks = [], [], []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            took, series = self.scrape(reached)
            taken.append(took)
            memory.append(process_facts.resident_bytes(process.pid))
            ticks.append(series["nettoll_collections_total"])
            time.sleep(0.5)
        met = self.read("hostile").splitlines()[-1]
        child.stop(hostile, signal.SIGKILL)
        quarter = memory[len(memory) // 4]
        fds = process_facts.open_files(process.pid)
        print(f"\n[{len(taken)} scrapes: median {sorted(taken)[len(taken) // 2]:.3f} s, longest {max(taken):.3f} s, alone "
              f"{alone:.3f} s; memory {quarter / MEBIBYTE:.1f} to {memory[-1] / MEBIBYTE:.1f} MiB, {fds} fds; {met}]",
              file=sys.stderr, flush=True)
        self.assertLess(max(taken), max(1, 10 * alone))
        self.assertNotIn("was answered", met)
        self.assertIn("'status 431'", met)
        self.assertIn("'status 401'", met)
        self.assertNotIn("'status 200'", met)
        # Collection goes on: a tick a second, with room for a busy host.
        self.assertGreater(ticks[-1] - ticks[0], seconds / 3)
        self.assertLess(memory[-1] - quarter, MEBIBYTE)
        self.assertEqual(child.stop(process), DONE, self.log())
        self.assertNotIn("127.0.0.2", self.log())

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


class RightsTest(WebTest):
    def run_as_nobody(self, capabilities, *arguments):
        os.chmod(self.work, 0o777)
        return self.run_command([*as_nobody(capabilities), self.program, *arguments])

    @staticmethod
    def threads(process):
        """Effective capabilities by the thread's name."""
        for thread in os.listdir(f"/proc/{process.pid}/task"):
            with open(f"/proc/{process.pid}/task/{thread}/status", encoding="ascii") as file:
                fields = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
            yield fields["Name"], fields

    def test_main_job_with_three_capabilities(self):
        for arguments in (("doctor",), ("functions",), ("record", "-d", "300ms", "-o", "out"), ("report", "out"),
                          ("drops", "-d", "300ms"), ("top", "-b", "-n", "1", "-d", "300ms")):
            done = self.run_as_nobody(NEEDED, *arguments)
            self.assertEqual(done.returncode, DONE, f"{arguments}: {done.stderr}")
        self.assertIn("nettoll", self.run_as_nobody((), "report", "out").stdout)
        send = "for i in {1..2000}; do echo >/dev/udp/127.0.0.1/9; done"
        done = self.run_as_nobody(NEEDED, "record", "-F", "999", "-o", "busy", "--", "bash", "-c", send)
        self.assertEqual(done.returncode, DONE, done.stderr)
        report = self.report("busy")
        self.assertTrue(any(row.get("calls", 0) >= 2000 for row in report["functions"]))
        self.assertTrue(any(event.get("samples", 0) for event in report["events"]))
        self.assertEqual(sum(row["packets"] for row in report["drops"]
                             if (row["reason"], row["device"]) == ("NO_SOCKET", "lo")), 2000)
        done = self.run_as_nobody(NEEDED, "diagnose", "-d", "300ms")
        self.assertIn(done.returncode, (DONE, cli_test.FINDINGS), done.stderr)
        self.assertNotIn("nothing is traced", done.stdout)

    def test_each_of_them_is_needed(self):
        cases = [("bpf", "CAP_BPF"), ("perfmon", "CAP_PERFMON")]
        # Some hosts show addresses to all (kallsyms_show_value() in kernel/kallsyms.c).
        with open("/proc/sys/kernel/kptr_restrict", encoding="ascii") as restrict, \
                open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as paranoid:
            if int(restrict.read()) != 0 or int(paranoid.read()) > 1:
                cases.append(("syslog", "kernel symbols are hidden"))
        for missing, says in cases:
            with self.subTest(missing):
                done = self.run_as_nobody([name for name in NEEDED if name != missing], "record", "-d", "100ms")
                self.assertEqual(done.returncode, FAILED)
                self.assert_one_line(done.stderr, says)

    def test_serve_as_nobody(self):
        process = self.serve("--interval", "500ms", under=as_nobody(NEEDED))
        wait_until(lambda: exposition.parse(self.get()[1])["nettoll_collections_total"] > 3, 30, "no ticks", process)
        self.assertNotIn(" error ", self.log())
        self.assertEqual(child.stop(process), DONE, self.log())

    def test_root_gives_up_the_rest(self):
        process = self.serve("--interval", "500ms")
        self.assertIn("rights kept: ", self.log())
        known = {"CAP_BPF": 39, "CAP_PERFMON": 38, "CAP_SYSLOG": 34, "CAP_IPC_LOCK": 14}
        allowed = sum(1 << number for number in known.values())
        for name, fields in self.threads(process):
            effective = int(fields["CapEff"], 16)
            with self.subTest(name):
                self.assertEqual(effective, int(fields["CapPrm"], 16))
                self.assertEqual(effective & ~allowed, 0)
                self.assertEqual(int(fields["CapAmb"], 16), 0)
                self.assertEqual(int(fields["CapBnd"], 16) & ~allowed, 0)
                self.assertEqual(fields["NoNewPrivs"], "1")
                if name == "nettoll-http":
                    self.assertEqual(effective, 0)
        self.assertIn("nettoll-http", dict(self.threads(process)))
        wait_until(lambda: exposition.parse(self.get()[1])["nettoll_collections_total"] > 3, 30, "no ticks", process)


def missing(program):
    for tool in ("openssl", "setpriv"):
        if not shutil.which(tool):
            return f"{tool} is missing: apt install {'util-linux' if tool == 'setpriv' else tool}"
    return cli_test.missing(program)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    arguments, rest = parser.parse_known_args()
    if reason := missing(arguments.nettoll):
        print(f"skipped: {reason}")
        return cli_test.SKIPPED
    cli_test.CliTest.source = os.path.abspath(arguments.nettoll)
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
