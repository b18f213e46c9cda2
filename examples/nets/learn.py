"""Learns 3x3 tic-tac-toe by games with itself: learn.py FILE [SEED [GAMES]], then oxo exam dense:FILE."""
import json, sys
import numpy as np

FILE, SEED, GAMES = (sys.argv[1:] + ["1", "30000"][len(sys.argv) - 2:])[:3]
HIDDEN, STEP = 64, 0.02
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
r = np.random.default_rng(int(SEED))
W1, b1 = r.normal(0, 0.3, (HIDDEN, 18)), np.zeros(HIDDEN)
W2, b2 = r.normal(0, 0.1, (1, HIDDEN)), np.zeros(1)

def after(own, other):  # the boards after each move of the side to move, and which moves won
    moves = [s for s in range(9) if not own[s] and not other[s]]
    boards = np.array([np.r_[own, other] for _ in moves])
    boards[range(len(moves)), moves] = 1
    won = np.array([any(b[list(l)].all() for l in LINES) for b in boards])
    return boards, np.where(won, 1.0, 0.0), won | (len(moves) == 1)

def worth(boards, ends, over):  # what the side that moved thinks of them: the truth where the game is over
    hidden = np.tanh(boards @ W1.T + b1)
    return np.where(over, ends, (hidden @ W2.T + b2)[:, 0]), hidden

for game in range(int(GAMES)):
    own, other, last = np.zeros(9), np.zeros(9), None
    while True:
        boards, ends, over = after(own, other)
        v, hidden = worth(boards, ends, over)
        if last is not None:  # what the other side thought of its move becomes the best reply's worth
            board, h, thought = last
            error = STEP * (1 - game / int(GAMES)) * (-v.max() - thought)
            back = error * W2[0] * (1 - h * h)
            W2 += error * h; b2 += error; W1 += np.outer(back, board); b1 += back
        i = r.integers(len(v)) if r.random() < 0.3 else v.argmax()
        if over[i]:
            break
        last = boards[i], hidden[i], v[i]
        own, other = boards[i][9:], boards[i][:9]

with open(FILE, "wb") as f:
    f.write(json.dumps({"game": "mnk:3,3,3", "layers": [18, HIDDEN, 1], "activation": "tanh"}).encode() + b"\n")
    for a in (W1, b1, W2, b2):
        f.write(a.astype("<f4").tobytes())
