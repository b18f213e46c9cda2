"""Learns 3x3 tic-tac-toe by games with itself: learn.py FILE [SEED [GAMES]], then oxo exam dense:FILE."""
import json, sys
import numpy as np

file, seed, games = (sys.argv[1:] + ["1", "30000"][len(sys.argv) - 2:])[:3]
lines = np.array([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)])
r = np.random.default_rng(int(seed))
W1, b1, W2, b2 = r.normal(0, 0.3, (64, 18)), np.zeros(64), r.normal(0, 0.1, 64), np.zeros(1)
for game in range(int(games)):
    board, last = np.zeros(18), None  # own marks and then the other side's
    while True:
        moves = np.flatnonzero(board[:9] + board[9:] == 0)
        boards = board + np.eye(18)[moves]  # after each move
        won = boards[:, lines].all(axis=2).any(axis=1)
        over = won | (len(moves) == 1)
        hidden = np.tanh(boards @ W1.T + b1)
        v = np.where(over, won, hidden @ W2 + b2)  # the truth where the game is over
        if last is not None:  # what the other side thought of its move becomes the best reply's worth
            before, h, thought = last
            error = 0.02 * (1 - game / int(games)) * (-v.max() - thought)
            back = error * W2 * (1 - h * h)
            W2 += error * h; b2 += error; W1 += np.outer(back, before); b1 += back
        i = r.integers(len(v)) if r.random() < 0.3 else v.argmax()
        if over[i]:
            break
        last, board = (boards[i], hidden[i], v[i]), np.roll(boards[i], 9)
with open(file, "wb") as f:
    f.write(json.dumps({"game": "mnk:3,3,3", "layers": [18, 64, 1], "activation": "tanh"}).encode() + b"\n")
    f.write(b"".join(a.astype("<f4").tobytes() for a in (W1, b1, W2, b2)))
