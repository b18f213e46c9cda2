package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestReproduce: the claims are listed, one is put to the test, and one that there
// is not is refused, as is one that takes long.
func TestReproduce(t *testing.T) {
	x := newTester(t)
	var list struct {
		Items []struct {
			ID   string
			Long bool
		}
	}
	x.answered(200, "GET", "/api/v1/reproduce", nil, &list)
	if len(list.Items) < 60 {
		t.Errorf("%d items", len(list.Items))
	}
	var r struct {
		Printed, Published, Measured *struct{ Figures []struct{ Value float64 } }
		Citation                     string
	}
	x.answered(200, "POST", "/api/v1/reproduce/quiz-boxes", nil, &r)
	if r.Printed == nil || r.Measured == nil || r.Published != nil || r.Printed.Figures[0].Value != 304 ||
		r.Measured.Figures[0].Value != 304 || r.Citation == "" {
		t.Errorf("quiz-boxes: %+v", r)
	}
	refused := []string{"none"}
	for _, i := range list.Items {
		if i.Long {
			refused = append(refused, i.ID)
		}
	}
	if len(refused) < 2 {
		t.Error("no item is long")
	}
	for _, id := range refused {
		if w := x.ask(http.MethodPost, "/api/v1/reproduce/"+id, nil); w.Code != http.StatusUnprocessableEntity ||
			!strings.Contains(w.Body.String(), id) || !strings.Contains(w.Body.String(), `"path.item"`) {
			t.Errorf("%s: %d %s", id, w.Code, w.Body)
		}
	}
}
