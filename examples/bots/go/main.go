// A bot in Go: it accepts every challenge and plays the middle one of the legal
// moves. OXO_URL and OXO_TOKEN say where and as whom.
package main

import (
	"context"
	"log"
	"os"

	"oxo/web/client"
)

func middle(_ context.Context, g client.GameState) (string, error) {
	return g.Legal[len(g.Legal)/2], nil
}

func main() {
	bot := client.Bot{Client: client.Client{URL: os.Getenv("OXO_URL"), Token: os.Getenv("OXO_TOKEN")}, Choose: middle}
	log.Fatal(bot.Run(context.Background()))
}
