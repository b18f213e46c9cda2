package web

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"oxo/lab/reproduce"
)

// ItemsReply lists the printed claims that can be put to the test.
type ItemsReply struct {
	Items []reproduce.Facts `json:"items"`
}

// claims puts printed claims to the test.
type claims struct{ *base }

// reproducing registers the operations on printed claims.
func (s *claims) reproducing() {
	huma.Register(s.api, huma.Operation{OperationID: "list-items", Method: http.MethodGet, Path: root + "/reproduce",
		Summary: "List the printed claims that can be put to the test"},
		func(context.Context, *struct{}) (*reply[ItemsReply], error) {
			return &reply[ItemsReply]{ItemsReply{reproduce.List()}}, nil
		})
	huma.Register(s.api, huma.Operation{OperationID: "reproduce-item", Method: http.MethodPost, Path: root + "/reproduce/{item}",
		Summary:     "Put a printed claim to the test",
		Description: "What is printed, what comes out as published, what once mended, and an honest measure. Items that take long are refused.",
		Errors:      []int{http.StatusUnprocessableEntity, http.StatusTooManyRequests}},
		func(ctx context.Context, in *struct {
			Item string `path:"item" maxLength:"60"`
		}) (*reply[reproduce.Result], error) {
			var r *reproduce.Result
			err := s.compute(ctx, 2*s.longest, false, func(ctx context.Context) (err error) {
				r, err = reproduce.Run(ctx, s.opened.lab, in.Item, false)
				return err
			})
			if err != nil {
				return nil, refused("item", in.Item, err)
			}
			return &reply[reproduce.Result]{*r}, nil
		})
}
