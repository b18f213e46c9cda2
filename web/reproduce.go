package web

import (
	"context"
	"net/http"

	"oxo/lab/reproduce"
	"oxo/web/service"
)

// ItemsReply lists the printed claims that can be put to the test.
type ItemsReply struct {
	Items []reproduce.Facts `json:"items"`
}

// Reproduced is a claim that was put to the test. A column that it has not is left out.
type Reproduced struct {
	reproduce.Facts
	Printed   *reproduce.Column `json:"printed" doc:"the figures of the document"`
	Published *reproduce.Column `json:"published,omitempty" doc:"what comes out as published, with the author's slip"`
	Mended    *reproduce.Column `json:"mended,omitempty" doc:"what comes out without the slip"`
	Measured  *reproduce.Column `json:"measured,omitempty" doc:"what an honest measure says"`
	Why       string            `json:"why,omitempty" doc:"what the slip is, or why a figure does not come out"`
}

// claims puts printed claims to the test.
type claims struct{ *service.Base }

// registerReproduction registers the operations on printed claims. The same item gives the same
// figures as on the command line.
// An item that would take long is a problem of the field.
func (s *claims) registerReproduction() {
	service.Register(s.Base, service.Operation(http.MethodGet, "/reproduce", "list-items",
		"List the printed claims that can be put to the test", ""),
		func(context.Context, *struct{}) (*ItemsReply, error) {
			return &ItemsReply{reproduce.ListItems()}, nil
		})
	service.Register(s.Base, service.Operation(http.MethodPost, "/reproduce/{item}", "reproduce-item",
		"Put a printed claim to the test", "What is printed, what comes out as published, what once mended, and an "+
			"honest measure. Items that take long are refused.", 422, 429),
		func(ctx context.Context, in *struct {
			Item string `path:"item" maxLength:"60"`
		}) (*Reproduced, error) {
			r, err := service.Computed(ctx, s.Base, 2*s.Longest, false,
				func(ctx context.Context) (*reproduce.Result, error) {
					return reproduce.Run(ctx, s.Games.Lab, in.Item, false)
				})
			if err != nil {
				return nil, service.PathProblem("item", in.Item, err)
			}
			return new(Reproduced(*r)), nil
		})
}
