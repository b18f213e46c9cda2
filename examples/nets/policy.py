"""Speaks oxo's protocol policy: every line `position P moves M …` is answered by moves with weights."""
import sys

for line in sys.stdin:
    words = line.split()
    if words[0] == "quit":
        break
    if words[0] == "game":
        print("ready", flush=True)
    elif words[0] == "position":
        moves = words[words.index("moves") + 1:]
        weight = {"b2": 9, "a1": 3, "a3": 3, "c1": 3, "c3": 3}
        print(*[f"{m}={weight.get(m, 1)}" for m in moves], flush=True)
