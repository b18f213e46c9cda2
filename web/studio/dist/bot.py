# A bot in Python: it accepts every challenge and plays the middle one of the legal moves.
import json, os, threading, urllib.request

def ask(path, body=None):
    headers = {"Authorization": "Bearer " + os.environ["OXO_TOKEN"], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(os.environ["OXO_URL"] + "/api/v1" + path, data, headers), timeout=30)

def lines(path):
    return (json.loads(line) for line in ask(path) if line.strip())  # an empty line says: still here

def play(id, seat):
    for game in lines(f"/sessions/{id}/stream"):
        if game["legal"] and game["turn"] == seat:
            ask(f"/sessions/{id}/move", {"move": game["legal"][len(game["legal"]) // 2], "ply": game["ply"]})

for event in lines("/bots/stream"):
    if event["type"] == "challenge" and event["session"]["maker"] != event["seat"]:
        ask(f"/sessions/{event['session']['id']}/accept", {})
    if event["type"] == "game_start": threading.Thread(target=play, args=(event["session"]["id"], event["seat"])).start()
