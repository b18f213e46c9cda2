package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"oxo/cluster"
	"oxo/lab"
)

// submission is what every verb that is submitted takes.
type submission struct {
	nats          natsFlags
	priority, out string
	detach        bool
	seed          uint64
}

// submitVerb has a verb for every kind of job, with the flags of the verb that
// does the same on this machine.
func (a *app) submitVerb() *cobra.Command {
	var s submission
	c := &cobra.Command{
		Use:   "submit VERB",
		Short: "give a job to a cluster and wait for its result",
		Long: "give a job to a cluster and wait for its result: " + jobNames() + ".\n" +
			"Its flags are those of the verb itself. Ctrl-C leaves the job to the cluster; oxo jobs watches and cancels it.",
		Example: "  oxo submit tournament perfect heuristic rows random --games 10000\n" +
			"  oxo submit train menace --against perfect --games 500 --runs 400 --out folder\n" +
			"  oxo submit prove mnk:5,5,4 --detach",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("submit: VERB is missing; there are " + jobNames())
			}
			return fmt.Errorf("submit: no job is called %q; there are %s", args[0], jobNames())
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	f := c.PersistentFlags()
	s.nats.flags(f, usualNATS)
	f.StringVar(&s.priority, "priority", "", "high, normal or low (default low for proofs and solutions, else normal)")
	f.StringVar(&s.out, "out", "", "the folder for the files of the result")
	f.BoolVar(&s.detach, "detach", false, "print the job's name and do not wait")
	f.Uint64Var(&s.seed, "seed", 1, "what all draws of the job come from")
	c.AddCommand(a.submitTrain(&s), a.submitContest(&s, "match", 100), a.submitContest(&s, "tournament", 20),
		a.submitProve(&s), a.submitSolve(&s), a.submitTune(&s), a.submitJob(&s))
	return c
}

func jobNames() string {
	text := ""
	for i, v := range lab.Verbs() {
		if i > 0 {
			text += ", "
		}
		text += v.Name
	}
	return text
}

// submit gives the job to the cluster and waits for it.
func (a *app) submit(c *cobra.Command, s *submission, verb, game string, args any) error {
	data, err := json.Marshal(args)
	if err != nil {
		return err
	}
	return a.submitWhole(c, s, lab.Job{Verb: verb, Game: game, Args: data, Seed: s.seed})
}

func (a *app) submitWhole(c *cobra.Command, s *submission, j lab.Job) error {
	ctx := c.Context()
	k, err := s.nats.connect(ctx, func(o *cluster.Options) {
		o.Lab = lab.Lab{Kinds: a.lab.Kinds, ReadFile: os.ReadFile, Commands: true, Elsewhere: true}
	})
	if err != nil {
		return fmt.Errorf("submit: %w", err)
	}
	defer k.Close()
	r, err := k.Submit(ctx, j, s.priority)
	if err != nil {
		return err
	}
	if s.detach {
		if a.json {
			return a.printJSON(r)
		}
		a.printf("%s\n", r.ID)
		return nil
	}
	over, err := a.watch(ctx, k, r.ID)
	if err != nil {
		if ctx.Err() != nil {
			fmt.Fprintf(a.errs, "oxo: the job goes on; watch it with: oxo jobs watch %s\n", r.ID)
		}
		return err
	}
	if err := verdict(over); err != nil {
		return err
	}
	return a.result(ctx, k, over, s.out)
}

func (a *app) submitTrain(s *submission) *cobra.Command {
	args := lab.TrainArgs{}
	var game, resume string
	c := &cobra.Command{
		Use: "train LEARNER", Short: "train learners, a part a run: a curve with its band, and brains", Args: learnerUnless(&resume),
		RunE: func(c *cobra.Command, words []string) error {
			if resume == "" {
				args.Learner = words[0]
			} else {
				data, _, err := goOn(c, resume, &game)
				if err != nil {
					return err
				}
				args.Resume = data
			}
			return a.submit(c, s, "train", game, args)
		},
	}
	f := c.Flags()
	f.StringVar(&game, "game", "ttt", "the game to learn")
	f.StringVar(&args.Against, "against", "itself", "who to play against")
	f.IntVar(&args.Games, "games", 1000, "how many games each run plays")
	f.StringVar(&args.Start, "start", "", "how games begin: "+generatorNames())
	f.StringVar(&args.Seats, "seats", "", "the learner's seat: alternate, first or second (default alternate)")
	f.IntVar(&args.ExamEvery, "exam-every", 0, "measure after every so many games (default 40 times)")
	f.IntVar(&args.Runs, "runs", 1, "train so many learners, seeds counting up")
	f.StringVar(&resume, "resume", "", "a brain to go on from")
	return c
}

func (a *app) submitContest(s *submission, verb string, games int) *cobra.Command {
	args := lab.TournamentArgs{}
	var game, list, sprt string
	var margin time.Duration
	c := &cobra.Command{
		Use: verb + " PLAYER…", Short: "play players against one another, a part a range of pairs of games",
		Args: func(_ *cobra.Command, words []string) error {
			if len(words) < 2 {
				return fmt.Errorf("submit %s: at least two players are needed", verb)
			}
			return nil
		},
		RunE: func(c *cobra.Command, words []string) error {
			args.Players, args.Margin = words, margin.String()
			if list != "" {
				data, err := os.ReadFile(list)
				if err != nil {
					return err
				}
				args.OpeningList = string(data)
			}
			if sprt != "" {
				t, err := parseSPRT(sprt)
				if err != nil {
					return err
				}
				args.SPRT = &lab.SPRTArgs{Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta}
			}
			return a.submit(c, s, verb, game, args)
		},
	}
	if verb == "match" {
		c.Use = "match A B"
		c.Flags().StringVar(&sprt, "sprt", "", "stop as soon as elo0 or elo1 is accepted: elo0,elo1[,alpha,beta]")
	} else {
		c.Flags().BoolVar(&args.Gauntlet, "gauntlet", false, "only the first player meets the others")
	}
	f := c.Flags()
	f.StringVar(&game, "game", "ttt", "the game to play")
	f.IntVar(&args.Games, "games", games, "games between each two players; seats are swapped, so an even number")
	f.IntVar(&args.Openings, "openings", 0, "plies given before the players go on")
	f.StringVar(&list, "opening-file", "", "a file of openings, one a line")
	f.StringVar(&args.TimeControl, "time-control", "", "clocks, such as 100ms/move, 1m, or 1m+1s (default none)")
	f.DurationVar(&margin, "margin", 50*time.Millisecond, "how far a clock may be overstepped")
	f.BoolVar(&args.Adjudicate, "adjudicate", false, "end a game as soon as its value is known")
	f.IntVar(&args.Chunk, "chunk", 0, "games a part, even (default about a hundred parts)")
	return c
}

func (a *app) submitProve(s *submission) *cobra.Command {
	args := lab.ProveArgs{}
	var memory string
	var limit time.Duration
	c := &cobra.Command{
		Use: "prove GAME", Short: "prove a position's value; the certificate is proof.cert", Args: exactly("GAME"),
		RunE: func(c *cobra.Command, words []string) error {
			var err error
			if args.Memory, err = parseBytes(memory); err != nil {
				return fmt.Errorf("submit prove: --memory %w", err)
			}
			if limit > 0 {
				args.Time = limit.String()
			}
			return a.submit(c, s, "prove", words[0], args)
		},
	}
	f := c.Flags()
	f.StringVar(&args.Position, "position", "", "the position to prove; without it the start")
	f.DurationVar(&limit, "time", 0, "give each part up after this long (default never)")
	f.StringVar(&memory, "memory", "256MB", "about how much memory a part may use, such as 1GB")
	f.BoolVar(&args.Split, "split", true, "in rounds, as parts: searches below different open positions that share what they find")
	f.IntVar(&args.Searches, "searches", 0, "with --split, searches of each round after the first (default 2)")
	f.Uint64Var(&args.Nodes, "nodes", 0, "give up after so many positions (default never)")
	f.BoolVar(&args.All, "all", false, "never leave out a move of the side that is to win")
	return c
}

func (a *app) submitSolve(s *submission) *cobra.Command {
	args := lab.SolveArgs{}
	var t tierFlags
	c := &cobra.Command{
		Use: "solve GAME", Short: "find a position's exact value; the file of --strong is solution.oxo", Args: exactly("GAME"),
		RunE: func(c *cobra.Command, words []string) error {
			if err := t.read(c, &args); err != nil {
				return fmt.Errorf("submit solve: --memory %w", err)
			}
			if !c.Flags().Changed("tiers") && a.byTiers(words[0], &args) {
				fmt.Fprintln(a.errs, "oxo: solved by tiers, so that all workers have a share; --tiers=false has one of them do it all")
			}
			return a.submit(c, s, "solve", words[0], args)
		},
	}
	t.flags(c)
	c.Flags().Lookup("tiers").Usage = "solve the whole game by numbers of marks, a slice of them a part (default with --strong, where the game has tiers)"
	f := c.Flags()
	f.StringVar(&args.Position, "position", "", "the position to solve; without it the start")
	f.BoolVar(&args.Strong, "strong", false, "make a file of every position's value")
	f.IntVar(&args.Limit, "limit", 0, "give up beyond this many positions (default what fits 4 GB)")
	return c
}

// byTiers makes a strong solution one by tiers, where that can be.
func (a *app) byTiers(game string, args *lab.SolveArgs) bool {
	if !args.Strong || args.Position != "" || args.Limit != 0 {
		return false
	}
	tiered := *args
	tiered.Tiers = true
	data, err := json.Marshal(tiered)
	if err != nil {
		return false
	}
	if _, err := (&lab.Lab{Kinds: a.lab.Kinds}).Work(lab.Job{Verb: "solve", Game: game, Args: data}); err != nil {
		return false // the job without tiers says what is wrong, if anything is
	}
	*args = tiered
	return true
}

// submitJob takes a job as it is written.
func (a *app) submitJob(s *submission) *cobra.Command {
	return &cobra.Command{
		Use: "job FILE", Short: "submit a job as JSON: verb, game, args, seed", Args: exactly("FILE"),
		RunE: func(c *cobra.Command, words []string) error {
			data, err := os.ReadFile(words[0])
			if err != nil {
				return err
			}
			var j lab.Job
			if err := json.Unmarshal(data, &j); err != nil {
				return fmt.Errorf("%s: %w", words[0], err)
			}
			return a.submitWhole(c, s, j)
		},
	}
}
