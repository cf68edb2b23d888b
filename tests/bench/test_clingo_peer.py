"""What goes through clingo gives the engine's answers."""

from __future__ import annotations

import pytest

from laser_rdf import Engine, Program
from laser_rdf.bench import clingo_peer
from laser_rdf.bench.clingo_peer import ClingoPeer, require_clingo
from laser_rdf.bench.workloads import EXPERIMENTS
from laser_rdf.errors import UsageError


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in ("rules-50", "rules-100")])
@pytest.mark.parametrize("window", [0, 3])
def test_peer_equals_engine(name: str, window: int) -> None:
    pytest.importorskip("clingo")
    experiment = EXPERIMENTS[name]
    engine = Engine(Program.parse(experiment.program(window)))
    peer = ClingoPeer(name, window)
    for t, facts in experiment.stream(12, 8, 7):
        peer.step(t, facts)
        assert sorted(peer.facts()) == sorted(engine.step(t, facts).holds()), t


def test_a_missing_peer_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(clingo_peer, "import_module", missing)
    with pytest.raises(UsageError, match=r"pip install laser-rdf\[bench\]"):
        require_clingo()
