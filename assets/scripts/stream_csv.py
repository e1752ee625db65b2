"""Streams a CSV file into the window as a driver of a real robot would: python stream_csv.py reach.csv panda"""

import csv
import sys
import time
from pathlib import Path

import armature

with Path(sys.argv[1]).open() as file, armature.show(sys.argv[2]) as view:
    began = time.monotonic()
    for row in csv.DictReader(file):
        time.sleep(max(0.0, began + float(row["t"]) - time.monotonic()))
        view.q = [float(row[f"q.{name}"]) for name in view.robot.joint_names]
