package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"oxo/lab"
	webjobs "oxo/web/jobs"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// Limits of the games that people bring.
const (
	// The bytes are those of the request's body, in which the text is escaped as JSON.
	gameFileBytes   = 512 << 10
	maxGameFiles    = 500
	listedGameFiles = 200 // the latest
	kindGame        = "game"
	gameFileEnd     = ".json"
)

// GameFileRequest brings a game of one's own.
type GameFileRequest struct {
	File string `json:"file" minLength:"2" maxLength:"500000" doc:"the text of the file: JSON with squares and winning sets, or an explicit tree"`
}

// GameFile is a game that somebody brought.
// It is also the document that the store keeps beside the file.
type GameFile struct {
	Spec  string `json:"spec" doc:"by which it can be played here"`
	Title string `json:"title"`
}

// GameFileList lists games that people brought.
type GameFileList struct {
	Files []GameFile `json:"files"`
}

// gameFiles keeps games that people bring.
// Anybody here can play them, and nobody can take them away but the operator.
type gameFiles struct{ uploads }

// register registers the operations about games that people bring.
func (s *gameFiles) register() {
	op := func(method, id, summary, description string) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: service.Root + "/games/files", Summary: summary,
			Description:  description,
			MaxBodyBytes: gameFileBytes, Errors: []int{400, 413, 422, 429, 503}, Tags: []string{"games"}}
	}
	add := op(http.MethodPost, "add-game", "Bring a game of your own",
		"Its squares are drawn by its layout. The same file has the same spec again.")
	add.Middlewares = huma.Middlewares{s.LimitCreation}
	service.Register(s.Base, add, s.addGameFile)
	service.Register(s.Base, op(http.MethodGet, "list-game-files", "List the games that people brought",
		"The latest first, 200 at most."),
		func(ctx context.Context, _ *struct{}) (*GameFileList, error) {
			docs, err := s.Store.Files(ctx, kindGame, listedGameFiles)
			files, err := service.ReadDocs[GameFile](s.Base, docs, err)
			return &GameFileList{files}, err
		})
}

// unnamed is what can't be part of a file's name.
var unnamed = regexp.MustCompile(`[^a-z0-9]+`)

// gameFileName names a file after its game and its content. The same file has the same name, so that
// bringing it twice keeps it once.
// It consists of small letters, digits and dashes, and ends in gameFileEnd.
func gameFileName(title string, data []byte) string {
	sum := sha256.Sum256(data)
	name := strings.Trim(unnamed.ReplaceAllString(strings.ToLower(title), "-"), "-")
	return strings.TrimPrefix(name[:min(len(name), 40)]+"-"+hex.EncodeToString(sum[:4])+gameFileEnd, "-")
}

// addGameFile keeps a game that somebody brings, if it can be opened. It is opened within a time and a
// slot, as the symmetries of a board can take long to find.
// One that is kept already is answered as it is kept, whoever brings it.
func (s *gameFiles) addGameFile(ctx context.Context, in *struct{ Body GameFileRequest }) (*GameFile, error) {
	data := []byte(in.Body.File)
	k, err := s.Games.Lab.KindOfFile(data)
	if err != nil {
		return nil, service.FieldProblem("file", nil, err)
	}
	// Nothing is read but the file itself, under whatever name.
	brought := k.Name + ":brought"
	only := s.Games.Lab.Bare()
	only.ReadFile = func(string) ([]byte, error) { return data, nil }
	g, err := service.Computed(ctx, s.Base, s.Longest, false,
		func(ctx context.Context) (lab.Game, error) { return only.GameWithin(ctx, brought) })
	switch {
	case service.IsProblem(err):
		return nil, err
	case err != nil:
		return nil, service.FieldProblem("file", nil,
			errors.New(strings.TrimPrefix(err.Error(), fmt.Sprintf("game %q: ", brought))))
	}
	f := GameFile{Title: g.Info().Title}
	name := gameFileName(f.Title, data)
	f.Spec = k.Name + ":" + name
	if known, err := s.findStoredOrCheckQuota(ctx, kindGame, name, maxGameFiles, &f); known || err != nil {
		return &f, err
	}
	return &f, s.storeFile(kindGame, name, f, data)
}

// readStoredFile reads what a spec can name here: a game that somebody brought, or a brain. Both are in the
// store; no files are opened. Errors of the store are logged and told without detail.
// A file that looks like a game is never looked for among the brains.
// It is the ReadFile of the server's labs, called while a spec is opened.
func (s *Server) readStoredFile(path string) ([]byte, error) {
	if s.Store == nil {
		return nil, errors.New("files can't be opened here")
	}
	data, err := []byte(nil), error(nil)
	if strings.HasSuffix(path, gameFileEnd) {
		_, data, err = s.Store.File(context.Background(), kindGame, path)
		if errors.Is(err, s.Errs.NotFound) {
			return nil, fmt.Errorf("nobody has brought a file %q to this server", path)
		}
	} else if data, err = s.scheduler.ReadBrain(context.Background(), path); errors.Is(err, webjobs.ErrNoBrain) {
		return nil, fmt.Errorf("there is neither a game nor a brain %q on this server", path)
	}
	if err != nil {
		s.Log.Error("store", "reason", err)
		return nil, errors.New("the server can't reach its store")
	}
	return data, nil
}
