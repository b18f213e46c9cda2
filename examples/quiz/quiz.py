"""The Ruby quiz's network tic-tac-toe: a server and a player, by its published message alone
(ruby-talk 123327, 11 December 2004). Python's standard library is all that is needed.

  quiz.py serve             has two players that connect play one game, and prints how it ended
  quiz.py play PORT [MOVE]  plays on the server at 127.0.0.1:PORT: the moves given, as row,column,
                            then the first free squares; with the move "leave" it goes away
"""
import socket
import sys

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


class Lines:
    """A connection that speaks in lines, in which white space means nothing."""

    def __init__(self, conn):
        self.conn, self.file = conn, conn.makefile("r", newline="\n")

    def send(self, text):
        self.conn.sendall((text + "\n").encode())

    def receive(self):
        """The next line without white space; None where the other side has disconnected."""
        for line in self.file:
            if line := "".join(line.split()):
                return line
        return None


def winner(board):
    for line in LINES:
        a, b, c = (board[int(i)] for i in line)
        if a == b == c != "_":
            return a
    return None


def grouped(board):
    return " ".join(board[i : i + 3] for i in (0, 3, 6))


def serve():
    listener = socket.create_server(("127.0.0.1", 0))
    print("port", listener.getsockname()[1], flush=True)
    players = []
    for mark in "XO":
        conn, _ = listener.accept()
        p = Lines(conn)
        p.send("Tic-tac-toe in Python")
        p.send(mark + " 3x3")
        if p.receive() is None:
            sys.exit("a player left before it said hello")
        players.append(p)
    board = "_" * 9
    for p in players:
        p.send(grouped(board))
    for ply in range(9):
        own, other = players[ply % 2], players[1 - ply % 2]
        while True:
            own.send("move")
            line = own.receive()
            if line is None:
                other.send("win")
                return print("left", flush=True)
            row, _, column = line.partition(",")
            if row in {"0", "1", "2"} and column in {"0", "1", "2"} and board[3 * int(row) + int(column)] == "_":
                break
        i = 3 * int(row) + int(column)
        board = board[:i] + "XO"[ply % 2] + board[i + 1 :]
        for p in players:
            p.send(grouped(board))
        if winner(board):
            own.send("win")
            other.send("lose")
            return print(winner(board), flush=True)
    print("draw", flush=True)


def play(port, moves):
    server = Lines(socket.create_connection(("127.0.0.1", port)))
    hello, offer = server.receive(), server.receive()
    mark, size = offer[0], offer[1:]
    print("hello", hello, mark, size, flush=True)
    server.send("  a player in Python\t")
    states, asked, board = 0, 0, ""
    while True:
        line = server.receive()
        if line == "move":
            asked += 1
            free = board.index("_")
            move = moves.pop(0) if moves else f"{free // 3},{free % 3}"
            if move == "leave":
                break
            server.send(" " + move.replace(",", " , ") + "\r")
        elif line is None or line in {"win", "lose"}:
            # no word for a draw is defined: the server only disconnects
            end = line or ("draw" if "_" not in board else "gone")
            print(end, states, "states", asked, "asked", flush=True)
            break
        else:
            states, board = states + 1, line


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve()
    else:
        play(int(sys.argv[2]), sys.argv[3:])
