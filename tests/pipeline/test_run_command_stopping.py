"""Ctrl-C and SIGTERM: everything that was read is answered and written, whatever the command waits for."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.pipeline.fire import COMMAND, PIPED, contents, graph, write_files

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path)
    return tmp_path


class Command:
    """The command, running."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments, "--json"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    @property
    def input(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    @property
    def errors(self) -> IO[bytes]:
        assert self.process.stderr is not None
        return self.process.stderr

    def ended(self) -> tuple[int, list[bytes], dict[str, object]]:
        """The exit code, the results that were not read yet, and the summary."""
        rest, err = self.output.read().splitlines(), self.errors.read().decode()
        code = self.process.wait(60)
        assert "Traceback" not in err, err
        return code, rest, json.loads(err.splitlines()[-1])

    def ended_by(self, number: int) -> int:
        """The exit code after a signal.

        One that comes just before a system call begins does not interrupt it: as people do, try again.
        """
        for _ in range(60):
            self.process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.process.wait(1)
        raise AssertionError("the command does not end")


@contextlib.contextmanager
def running(folder: Path, *arguments: str) -> Iterator[Command]:
    command = Command(folder, *arguments)
    try:
        yield command
    finally:
        command.process.kill()
        command.process.wait()
        with contextlib.suppress(BrokenPipeError):
            command.input.close()
        command.output.close()
        command.errors.close()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_while_it_waits_for_standard_input(folder: Path, number: int, code: int) -> None:
    with running(folder, *PIPED) as command:
        command.input.write(graph(1) + graph(2) + graph(3) + graph(4)[:-30])
        command.input.flush()
        assert b"/insertions/1" in command.output.readline()  # written although more may come
        command.process.send_signal(number)
        found, rest, summary = command.ended()
    assert found == code
    assert summary["elements"] == {"input": 3}  # what was cut in two is no element
    assert [line for line in rest if b"/insertions/3" in line]
    assert summary["stopped_by"] == signal.Signals(number).name


def test_while_it_follows_a_file(folder: Path) -> None:
    """Such a run has no end but this one: exit code 0."""
    growing = folder / "growing.trig"
    growing.write_bytes(graph(1) + graph(2))
    with running(folder, "fire.lars", "--stream", "growing.trig", "--follow", *PIPED[5:]) as command:
        assert b"/insertions/1" in command.output.readline()
        with growing.open("ab") as file:
            file.write(graph(3) + graph(4))
        assert b"/insertions/2" in command.output.readline()
        command.process.send_signal(signal.SIGTERM)
        code, rest, summary = command.ended()
    assert code == 0
    assert summary["elements"] == {"growing": 4}
    assert len(rest) == 2


def test_while_a_named_pipe_has_no_writer(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with running(
        folder, "fire.lars", "--stream", "pipe", "--format", "trig", *PIPED[5:], "--log-every", "0.1"
    ) as command:
        assert json.loads(command.errors.readline())["event"] == "progress"
        command.process.send_signal(signal.SIGINT)
        code, rest, summary = command.ended()
    assert (code, rest, summary["elements"]) == (130, [], {})


def test_a_named_pipe_that_ends(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with running(folder, "fire.lars", "--stream", "pipe", "--format", "trig", *PIPED[5:]) as command:
        with open(folder / "pipe", "wb") as pipe:
            pipe.write(graph(1) + graph(2))
        code, rest, _ = command.ended()
    assert (code, len(rest)) == (0, 2)


def test_in_the_middle_of_work(folder: Path) -> None:
    """Every element that was read has its answer in the file; the rest of the input is left alone."""
    with running(folder, *PIPED, "--sink", "file:out.trig", "--log-every", "0.02") as command:

        def feed() -> None:
            number = 0
            with contextlib.suppress(BrokenPipeError, ValueError):
                while True:
                    number += 1
                    command.input.write(graph(number))

        writer = threading.Thread(target=feed, daemon=True)
        writer.start()
        while json.loads(command.errors.readline())["elements"] < 100:
            pass
        command.process.send_signal(signal.SIGINT)
        code, _, summary = command.ended()
        writer.join(60)
    assert code == 130
    assert isinstance(summary["elements"], dict)
    assert len(contents((folder / "out.trig").read_bytes())) == summary["elements"]["input"] >= 100


@pytest.fixture
def silent() -> Iterator[tuple[socket.socket, str]]:
    """A store that takes connections and need not say anything; it does not end what waits for it."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server, f"sparql:http://127.0.0.1:{server.getsockname()[1]}/update"


def read_request(connection: socket.socket) -> None:
    """One whole HTTP request."""
    with connection.makefile("rb", buffering=0) as file:
        length = 0
        while (line := file.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        while length > 0:
            length -= len(file.read(length))


def test_before_anything_was_read_it_ends_at_once(folder: Path, silent: tuple[socket.socket, str]) -> None:
    server, sink = silent
    folder.joinpath("out.trig").write_text("# of the run before\n")
    with running(folder, *PIPED, "--sink", "file:out.trig", "--sink", sink) as command:
        connection, _ = server.accept()
        with connection:
            connection.recv(1)  # the store is asked whether it takes results
            assert command.ended_by(signal.SIGTERM) in (143, -signal.SIGTERM)
    assert folder.joinpath("out.trig").read_text() == "# of the run before\n"


def test_the_second_ends_it_at_once(folder: Path, silent: tuple[socket.socket, str]) -> None:
    server, sink = silent
    with running(folder, *PIPED, "--sink", sink) as command:
        connection, _ = server.accept()
        with connection:
            read_request(connection)
            connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            command.input.write(graph(1) + graph(2))
            command.input.flush()
            assert connection.recv(1)  # the results come, and nobody answers
            command.process.send_signal(signal.SIGINT)
            assert command.ended_by(signal.SIGTERM) == -signal.SIGTERM


def test_signals_that_are_ignored_stay_ignored(folder: Path) -> None:
    with running(folder, *PIPED, "--log-every", "0.05") as plain:
        plain.input.close()
        assert plain.ended()[0] == 0
    arguments = ["run", *PIPED, "--json", "--log-every", "0.05"]
    script = "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    script += f"from laser_rdf.cli import main; sys.exit(main({arguments!r}))"
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    process.stderr.readline()
    process.send_signal(signal.SIGHUP)
    out, err = process.communicate(graph(1), timeout=60)
    assert process.returncode == 0
    assert b"/insertions/1" in out
    assert json.loads(err.splitlines()[-1])["stopped_by"] is None


def test_results_are_written_in_time_although_none_follow(folder: Path) -> None:
    """A batch is written when it has waited long enough, also while input without results comes."""
    out = folder / "out.nq"
    folder.joinpath("once.lars").write_text(
        "PREFIX ex: <http://example.org/>\nex:First(R) :- ex:temp(R, V), V < 67.\n"
    )
    arguments = ["once.lars", *PIPED[1:], "--sink", "file:out.nq", "--log-every", "0.05"]
    with running(folder, *arguments) as command:
        number = 0
        while not (out.exists() and out.read_bytes()):
            number += 1
            command.input.write(graph(number))
            command.input.flush()
            command.errors.readline()
        command.input.close()
        code, _, summary = command.ended()
    assert code == 0
    assert summary["answers"] == {"once": 1}


def test_a_store_that_goes_away(folder: Path, silent: tuple[socket.socket, str]) -> None:
    """What cannot be written is an error also while nothing comes in."""
    server, sink = silent
    with running(folder, *PIPED, "--sink", sink) as command:
        connection, _ = server.accept()
        with connection:
            read_request(connection)
            connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        server.close()
        command.input.write(graph(1) + graph(2))
        command.input.flush()
        code, _, error = command.ended()
    assert code == 1
    assert str(error["message"]).startswith("cannot reach the store at ")
