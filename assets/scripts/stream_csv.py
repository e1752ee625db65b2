"""Stream the log of an arm into the window like the driver of a real arm: python stream_csv.py reach.csv panda"""

import sys
import time

import armature

log = armature.import_log(sys.argv[1], sys.argv[2])  # degrees=False, columns={…}: to correct a wrong guess
print(*log.remarks, sep="\n")
with armature.show(sys.argv[2]) as view:
    began = time.monotonic() - log.t[0]
    for t, q in zip(log.t, log.q):
        time.sleep(max(0.0, began + t - time.monotonic()))
        if (q == q).all():  # skip gaps of the log (NaN)
            view.q = q
