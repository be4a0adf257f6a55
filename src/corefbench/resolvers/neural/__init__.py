"""End-to-end neural resolver: encoder, mention and antecedent scorers, training."""

import os

# Virtual machines may announce AMX and then refuse its instructions, which kills the process.
# oneDNN reads this when it first multiplies; AVX-512 with VNNI and BF16 stays in use.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")
