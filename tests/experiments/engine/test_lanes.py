"""The operations of eight lanes mean the same on every processor: with AVX-512, with AVX2 alone, and with neither."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

SCRIPT = """
import sys
import numpy as np
from bufalu.experiments.engine import vectors
from bufalu.experiments.engine.compiled import compiled
from bufalu.experiments.engine.lanes import (
    above, bits, equal, every, every_whole, flags, higher, less, load, load_wholes, lower, pick, same, store, store_wholes,
)

@compiled
def operations(x, y, m, n, doubles, wholes, number, out):
    a, b, c, d = load(x, 0), load(y, 0), load_wholes(m, 0), load_wholes(n, 0)
    out[0], out[1] = bits(above(a, b)), bits(equal(a, b))
    out[2], out[3] = bits(same(c, d)), bits(less(c, d))
    out[4], out[5] = bits(~above(a, b) & flags(number)), bits(same(c, d) | flags(number))
    out[6], out[7] = bits(~(less(c, d) | ~equal(a, b))), bits(flags(number))
    store(doubles, 0, pick(above(a, b) & ~same(c, d), a, b))
    store(doubles, 8, pick(flags(number), higher(a, b), lower(a, b)))
    store_wholes(wholes, 0, pick(less(c, d), c, every_whole(-5)))

def number_of(flags):
    return sum(1 << place for place, flag in enumerate(flags) if flag)

assert vectors.MASKS is (vectors.BITS if sys.argv[1] == "512" else vectors.WORDS), sys.argv
assert vectors.AVX2 == (sys.argv[1] == "2"), sys.argv
draw = np.random.default_rng(7)
for number in range(200):
    x, y = draw.integers(-2, 3, (2, 8)) / 2
    m, n = draw.choice([0, 1, 2, 7, 2**62, 2**63 - 1], (2, 8))
    x[draw.integers(8)] = draw.choice([np.inf, 0.0, -0.0, np.nan])
    set_ = np.array([number >> place & 1 for place in range(8)], bool)
    doubles, wholes, out = np.zeros(16), np.zeros(8, np.int64), np.zeros(8, np.int64)
    operations(x, y, m, n, doubles, wholes, number & 255, out)
    assert out.tolist() == [
        *map(number_of, (x > y, x == y, m == n, m < n, ~(x > y) & set_, (m == n) | set_, ~((m < n) | ~(x == y)), set_))
    ]
    wanted = [np.where((x > y) & ~(m == n), x, y), np.where(set_, np.where(x > y, x, y), np.where(x < y, x, y))]
    assert np.array_equal(doubles, np.concatenate(wanted), equal_nan=True)
    assert wholes.tolist() == np.where(m < n, m, -5).tolist()
"""

TARGETS = [
    ("2", "haswell", "+avx2,+fma,-avx512f,-avx512vl"),
    ("0", "generic", ""),
    ("512", "skylake-avx512", "+avx512f,+avx512vl,+avx512dq,+avx512bw,+avx2,+fma"),
]


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the targets are those of x86")
@pytest.mark.parametrize(("kind", "name", "features"), TARGETS)
def test_operations_mean_the_same_on_every_processor(tmp_path, kind, name, features):
    pytest.importorskip("numba")
    from bufalu.experiments.engine.vectors import vector_features

    (tmp_path / "script.py").write_text(SCRIPT)
    if f"+avx{kind}".replace("avx0", "sse2").replace("avx512", "avx512f") not in vector_features():
        pytest.skip("this processor cannot run what is compiled for that one")
    target = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "script.py", kind]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, **target, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
