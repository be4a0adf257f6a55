"""The command line: one module per command or group of commands below ``commands``."""

import gc
import os

# Commands create many objects and little garbage: collecting less often saves 1–2 % of the CPU
# time of `stats` and `check` on LitBank and GUM.
gc.set_threshold(100_000, 50, 50)
# Scoring uses no linear algebra: on two cores, starting the threads of OpenBLAS with NumPy takes
# 50 ms of CPU time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
