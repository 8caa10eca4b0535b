"""`.ci/coq`, which `make audit` runs: it takes what is there, installs without a password, or says what that costs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COST = "stand below their recorded verdict"
INSTALLS = 'mkdir -p "$HERE/bin"; printf "#!/bin/sh\\n" > "$HERE/bin/coqc"; chmod +x "$HERE/bin/coqc"'


@pytest.fixture
def setup(tmp_path: Path):
    """Runs the script with these commands, and hardly any others, on the path."""
    programs = tmp_path / "bin"
    programs.mkdir()

    def command(name: str, text: str) -> None:
        (programs / name).write_text(f'#!/bin/bash\necho {name} "$@" >> {tmp_path}/calls\n{text}\n')
        (programs / name).chmod(0o755)

    def run(*arguments: str, **commands: str) -> tuple[str, str, str]:
        for tool in ("mkdir", "chmod", "env", "bash"):
            found = next(Path(folder) / tool for folder in ("/usr/bin", "/bin") if (Path(folder) / tool).exists())
            (programs / tool).symlink_to(found)
        for name, text in commands.items():
            command(name.replace("_", "-"), text)
        environment = {"PATH": str(programs), "HERE": str(tmp_path)}
        done = subprocess.run(
            ["/bin/bash", str(ROOT / ".ci" / "coq"), *arguments], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert len(done.stderr.splitlines()) <= 2
        calls = tmp_path / "calls"
        return done.stdout.strip(), done.stderr, calls.read_text() if calls.exists() else ""

    return run


def test_a_coqc_on_the_path_is_enough(setup) -> None:
    assert setup(coqc="", apt_get="exit 1", brew="exit 1") == ("", "", "")


def test_it_can_be_told_not_to(setup) -> None:
    out, said, calls = setup("no", id="echo 0", apt_get=INSTALLS, brew=INSTALLS)
    assert (out, calls) == ("", "")
    assert COST in said and said.count("\n") == 1


def test_root_installs_with_apt(setup) -> None:
    out, said, calls = setup(id="echo 0", apt_get=INSTALLS)
    assert out == "" and "apt-get install -y --no-install-recommends coq" in calls
    assert COST not in said


def test_nobody_else_asks_apt(setup) -> None:
    _, said, calls = setup(id="echo 1000", apt_get=INSTALLS)
    assert "apt-get" not in calls
    assert "sudo apt-get install coq" in said and COST in said and said.count("\n") == 1


def test_an_apt_that_fails_is_said(setup) -> None:
    _, said, calls = setup(id="echo 0", apt_get="exit 100")
    assert "apt-get update" in calls
    assert "apt-get could not install it" in said and COST in said


def test_homebrew_needs_no_password(setup) -> None:
    _, said, calls = setup(id="echo 501", brew=INSTALLS)
    assert "brew install coq" in calls and COST not in said


def test_a_homebrew_that_fails_is_said(setup) -> None:
    _, said, _ = setup(id="echo 501", brew="exit 1")
    assert "Homebrew could not install it" in said and COST in said


def test_an_opam_switch_that_has_it_is_used(setup, tmp_path: Path) -> None:
    folder = tmp_path / "switch" / "bin"
    folder.mkdir(parents=True)
    (folder / "coqc").write_text("#!/bin/sh\n")
    (folder / "coqc").chmod(0o755)
    opam = f'if [ "$1" = switch ]; then echo empty; echo mine; elif [ "$3" = --switch=mine ]; then echo {folder}; fi'
    out, said, calls = setup(id="echo 0", opam=opam, apt_get=INSTALLS)
    assert out == str(folder)
    assert "the opam switch mine" in said
    assert "apt-get" not in calls


def test_make_audit_runs_it_and_hands_the_choice_on() -> None:
    shown = subprocess.run(
        ["make", "--dry-run", "--assume-old=.venv/.installed", "audit", "COQ=no"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert ".ci/coq no" in shown and "bufalu audit" in shown
