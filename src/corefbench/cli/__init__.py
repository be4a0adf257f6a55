"""The commands, one file each; and, before they are loaded, what makes them start quickly."""

import gc
import os

# Start-up makes many objects and few of them are garbage: looking for it less often saves time.
gc.set_threshold(100_000, 50, 50)
# One thread for linear algebra that is not used: starting the others costs 0.1 s of processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
