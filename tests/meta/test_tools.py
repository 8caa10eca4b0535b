"""`.ci/tools`: it takes what is there, installs without a password, or says the one command that helps."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INSTALLS = 'if [ "$1" = install ]; then printf "#!/bin/sh\\n" > "$HERE/bin/coqc"; chmod +x "$HERE/bin/coqc"; fi'
HELPS = "This helps: sudo apt-get install coq\n"


@pytest.fixture
def tools(tmp_path: Path):
    """Runs the script with these commands, and hardly any others, on the path."""
    programs = tmp_path / "bin"
    programs.mkdir()

    def command(name: str, text: str) -> None:
        (programs / name).write_text(f'#!/bin/bash\necho {name} "$@" >> {tmp_path}/calls\n{text}\n')
        (programs / name).chmod(0o755)

    def run(*arguments: str, in_ci: str = "", **commands: str) -> tuple[str, str, str]:
        (programs / "chmod").symlink_to("/bin/chmod")
        for name, text in commands.items():
            command(name.replace("_", "-"), text)
        environment = {"PATH": str(programs), "HERE": str(tmp_path), "CI": in_ci}
        script = ["/bin/bash", str(ROOT / ".ci" / "tools"), *(arguments or ("coq",))]
        done = subprocess.run(script, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert len(done.stderr.splitlines()) <= 2
        calls = tmp_path / "calls"
        return done.stdout.strip(), done.stderr, calls.read_text() if calls.exists() else ""

    return run


def test_a_coqc_on_the_path_is_enough(tools) -> None:
    assert tools(coqc="", apt_get="exit 1", brew="exit 1") == ("", "", "")


def test_root_installs_with_apt(tools) -> None:
    out, said, calls = tools(id="echo 0", apt_get=INSTALLS)
    assert out == "" and "apt-get install -y --no-install-recommends coq" in calls
    assert "update" not in calls
    assert "installing coq" in said and said.count("\n") == 1


def test_nobody_else_asks_apt(tools) -> None:
    _, said, calls = tools(id="echo 1000", apt_get=INSTALLS, sudo='"$@"')
    assert "apt-get" not in calls and "sudo" not in calls
    assert "NOT RUN" in said and said.endswith(HELPS) and said.count("\n") == 1


def test_in_ci_sudo_may_be_asked_if_it_wants_no_password(tools) -> None:
    _, said, calls = tools(id="echo 1000", apt_get=INSTALLS, sudo='shift; "$@"', in_ci="true")
    assert "sudo -n apt-get install" in calls
    assert HELPS not in said


def test_a_sudo_that_wants_a_password_is_said(tools) -> None:
    _, said, calls = tools(id="echo 1000", apt_get=INSTALLS, sudo="exit 1", in_ci="true")
    assert "\napt-get" not in calls
    assert said.endswith(HELPS)


def test_an_apt_that_fails_is_said(tools) -> None:
    _, said, calls = tools(id="echo 0", apt_get='[ "$1" = update ]')
    assert calls.count("apt-get install") == 2 and "apt-get update" in calls
    assert "not installed" in said and said.endswith(HELPS)


def test_homebrew_needs_no_password(tools) -> None:
    _, said, calls = tools(id="echo 501", brew=INSTALLS)
    assert "brew install coq" in calls and "not installed" not in said


def test_a_homebrew_that_fails_is_said(tools) -> None:
    _, said, _ = tools(id="echo 501", brew="exit 1")
    assert said.endswith("This helps: brew install coq\n")


def test_without_a_way_to_install_it_is_said(tools) -> None:
    _, said, _ = tools(id="echo 1000")
    assert said.endswith(HELPS) and said.count("\n") == 1


def test_only_what_is_missing_is_installed_and_named(tools) -> None:
    _, said, calls = tools("coq", "chromium", "nodejs", id="echo 0", google_chrome="", apt_get=INSTALLS)
    assert "chromium" not in calls
    assert said.splitlines()[0] == "tools: installing coq nodejs with apt-get (once; a few minutes)"
    assert said.endswith("This helps: sudo apt-get install nodejs\n")


def test_an_opam_switch_that_has_it_is_used(tools, tmp_path: Path) -> None:
    folder = tmp_path / "switch" / "bin"
    folder.mkdir(parents=True)
    (folder / "coqc").write_text("#!/bin/sh\n")
    (folder / "coqc").chmod(0o755)
    opam = f'if [ "$1" = switch ]; then echo empty; echo mine; elif [ "$3" = --switch=mine ]; then echo {folder}; fi'
    out, said, calls = tools(id="echo 0", opam=opam, apt_get=INSTALLS)
    assert out == str(folder)
    assert "the opam switch mine" in said
    assert "apt-get" not in calls


@pytest.mark.parametrize("asked", ["yes", "no"])
def test_make_audit_asks_for_coq_unless_told_not_to(asked: str, tmp_path: Path) -> None:
    """The recipe of the Makefile, with the tools and the audit replaced by programs that say they ran."""
    for name, text in {
        ".ci/tools": 'echo "asked for $*" >&2; echo /a/folder',
        ".venv/bin/bufalu": 'echo "$1 $PATH"',
    }.items():
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/bash\n{text}\n")
        program.chmod(0o755)
    # Inside another make it would say which directory it enters.
    make = ["make", "--no-print-directory", "-f", str(ROOT / "Makefile")]
    make += ["--assume-old=.venv/.audit", f"COQ={asked}", "audit"]
    for name in (".venv/.audit", "pyproject.toml", "bufalu/pins.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    done = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ("asked for coq" in done.stderr) == (asked == "yes")
    assert done.stdout.startswith("audit /a/folder:" if asked == "yes" else "audit /")
    assert ("/a/folder" in done.stdout) == (asked == "yes")
