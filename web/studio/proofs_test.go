package studio_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"oxo/lab"
)

// TestProofs opens a proof from the list, has it checked, loses against it and
// brings one of its own, on both sizes.
func TestProofs(t *testing.T) {
	server := newServer(t)
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, server, d, "#/proofs")
			b.says(".proof", "Nobody loses")
			b.says(".proof:nth-child(1)", "Proved: 23 positions, 254 bytes")
			const listed = `[...document.querySelectorAll(".proof")].map(e => e.querySelector("b").textContent)`
			b.until("the sides are called as in their game", listed+`.some((name, i) => name.startsWith("Connect Four") && document.querySelectorAll(".proof .verdict")[i].textContent === "Red wins within 41 plies.")`)
			b.press("Nobody wins")
			b.says("[role=search] [role=status]", "6 proofs")
			b.write("[type=search]", "  TORUS")
			b.says("[role=search] [role=status]", "1 proof")
			b.until("it is the only one", listed+`.join() === "4×4 on a torus, 4 in a row"`)
			b.until("the link has it", `location.search.includes("shows=draw") && location.search.includes("TORUS")`)
			b.sound("proofs-found")
			b.write("[type=search]", "chess")
			b.says("[role=search] [role=status]", "0 proofs")
			b.write("[type=search]", "")
			b.press("All")
			b.sound("proofs")
			if d.width < 860 { // it is not among the first few
				eval[bool](b, `(window.acted = true, document.querySelector("#more > summary").click(), true)`)
			}
			const six = `[...document.querySelectorAll(".proof")].find(e => e.textContent.includes("6×6"))`
			eval[bool](b, `(`+six+`.scrollIntoView(), true)`)
			b.until("its picture is of the move that it begins with", six+`.querySelectorAll(".picture .sign.x").length === 1`)
			if signs := eval[int](b, `document.querySelectorAll(".proof .picture .sign").length - document.querySelectorAll(".proof .picture:has(.sign)").length`); signs != 0 {
				t.Errorf("pictures have %d marks more, which their proofs say nothing of", signs)
			}
			b.click("the proof of 6×6", six)
			b.says("h1", "6×6, 4 in a row: X wins.")
			b.says(".statusline", "it claims that X wins. Your turn, as O.")
			b.press("Check it here")
			b.says(".checked", "It holds: X wins. 52 positions and 1,648 replies were checked")
			b.sound("proof-checked")
			for _, reply := range []string{"a1", "a2", "a3", "f1", "f2", "b1", "c1", "e1", "f6"} {
				b.until("the proof has answered",
					`document.querySelector(".ended") || document.querySelectorAll(".cell[aria-disabled=false]").length > 0`)
				if eval[bool](b, `Boolean(document.querySelector(".ended"))`) {
					break
				}
				if eval[bool](b, square(reply)+`.getAttribute("aria-disabled") === "false"`) {
					b.play(reply)
					b.holds(reply, "O")
				}
			}
			b.says(".statusline", "As the proof claims.")
			b.sound("proof-lost")
			b.press("Take back")
			b.says(".statusline", "Your turn, as O.")
		})
	}
}

// TestProofAtStart says what settles 4×4 without a search: a sum, and no replies.
func TestProofAtStart(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "proofs?id=mnk-4-4-4")
	b.says(".claims", "By the theorem of Erdős and Selfridge O stops all lines: each weighs 2 to the power of −n")
	b.says(".claims", "the weights with the most that a first move adds to them come to 13/16, less than 1.")
	b.says(".side-part", "no reply needs to be played")
	b.press("Check it here")
	b.says(".checked", "It holds: X does not lose, O does not lose. The start was checked in ")
	if text := eval[string](b, `document.querySelector(".side-part").textContent`); strings.Contains(text, "Searched") || strings.Contains(text, "every legal reply") {
		t.Errorf("it speaks of a search: %s", text)
	}
	b.play("b2")
	b.says(".statusline", "The proof plays d4, the square that takes most from the other side's lines; "+
		"it claims that O does not lose.")
	b.sound("proof-at-start")
}

// TestProofsByKeyboard walks through a proof of a draw without a mouse, on
// both sides of it.
func TestProofsByKeyboard(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/proofs?id=ttt-misere")
	b.says(".statusline", "The proof plays b2, as its strategy says; it claims that X does not lose. Your turn, as O.")
	b.focus(button("It plays O"))
	b.keys(kb.Enter)
	b.says(".statusline", "You play X and begin; it claims that O does not lose.")
	b.focus(`document.querySelector('.cell[tabindex="0"]')`)
	b.keys(kb.Enter)
	b.holds("a3", "X")
	b.says(".walked", "the proof:")
	b.until("the answer is announced",
		`[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("The proof plays "))`)
	b.focus(button("Start again"))
	b.keys(kb.Enter)
	b.holds("a3", "empty")
	b.focus(button("Check it here"))
	b.keys(kb.Enter)
	b.says(".checked", "It holds: X does not lose, O does not lose.")
	b.sound("proof-draw")
	b.open("#/proofs?id=ttt")
	b.says(".claims", "X does not lose: strategy stealing shows it")
}

// TestBringProof brings files: one that is a proof, and one that is none.
func TestBringProof(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/proofs")
	b.expectRefusals()
	b.says(".bring", "Bring a proof")
	bad := filepath.Join(t.TempDir(), "bad.proof")
	if err := os.WriteFile(bad, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.upload(`input[type="file"]`, bad)
	b.says(".failure", "not a certificate")
	b.sound("proof-refused")
	good, err := filepath.Abs("../../lab/internal/opened/proofs/mnk-5-5-4.proof")
	if err != nil {
		t.Fatal(err)
	}
	b.upload(`input[type="file"]`, good)
	b.says("h1", "5×5, 4 in a row: Nobody loses")
	b.says(".side-part", "No moves yet. You begin.")
	b.press("All proofs")
	b.says(".proof", "brought here")
	b.open("#/proofs?id=nothing")
	b.says(".failure", "There is no proof")
}

// proofFile proves something of a game and returns the path of the certificate.
func proofFile(t *testing.T, spec string, o lab.ProveOptions) string {
	t.Helper()
	g, err := (&lab.Lab{}).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	proofs, err := g.Proving()
	if err != nil {
		t.Fatal(err)
	}
	r, err := proofs.Prove(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := r.Proof.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "made.proof")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBoundedProof plays against claims about some plies: when they are over the claim was kept, and play ends.
func TestBoundedProof(t *testing.T) {
	for _, c := range []struct {
		claim, says, over string
		replies           []string
	}{
		{"first>8", "it claims that Red does not win within 8 plies.",
			"The 8 plies of the claim are over, and it was kept: Red does not win within 8 plies.",
			[]string{"a1", "c2", "b1", "c3"}},
		{"first>4", "it claims that Red does not win within 4 plies.",
			"The 4 plies of the claim are over, and it was kept: Red does not win within 4 plies.",
			[]string{"a1", "b1"}},
		{"first>3", "it claims that Red does not win within 3 plies.",
			"The 3 plies of the claim are over, and it was kept: Red does not win within 3 plies.",
			[]string{"a1", "b1"}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			b := newTab(t, newServer(t), desktop, "#/proofs")
			b.upload(`input[type="file"]`, proofFile(t, "mnk:4,4,3+gravity", lab.ProveOptions{Claim: c.claim}))
			b.says(".statusline", "You play Red and begin; "+c.says)
			for _, reply := range c.replies {
				b.until("the proof has answered", `document.querySelectorAll(".cell[aria-disabled=false]").length > 0`)
				b.click("the column of "+reply, square(reply))
				if reply == "a1" {
					b.says(".statusline", c.says+" Your turn, as Red.")
				}
			}
			b.says(".statusline", c.over)
			b.until("play has ended", `document.querySelectorAll(".cell[aria-disabled=false]").length === 0`)
			b.sound("proof-" + c.claim[6:])
			b.press("Take back")
			b.says(".statusline", "Your turn, as Red.")
		})
	}
}

// TestStatedProof opens a proof by strategy stealing: it says so, and nobody can play against it.
func TestStatedProof(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/proofs")
	b.upload(`input[type="file"]`, proofFile(t, "mnk:8,8,5", lab.ProveOptions{Nodes: 1}))
	b.says("h1", "X does not lose.")
	b.says(".claims", "X does not lose: strategy stealing shows it, as an extra mark never hurts.")
	b.says(".facts", "Strategy stealing")
	b.until("the method is certain", `!document.querySelector(".facts").textContent.includes("if oxo found it")`)
	b.until("there is no board, no error and no command that does not end",
		`!document.querySelector(".cell, .failure, [role=alert]") && !document.body.textContent.includes("oxo prove mnk:8,8,5")`)
	b.press("Check it here")
	b.says(".checked", "It holds: X does not lose.")
	b.sound("proof-stolen")
}

// TestWalkedMoves: the numbers of the moves are seen whole where they have two digits.
func TestWalkedMoves(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/proofs?id=mnk-7-6-4-gravity")
	for _, reply := range []string{"d2", "d4", "d6", "c2", "e2"} {
		b.until("the proof has answered", `document.querySelectorAll(".cell[aria-disabled=false]").length > 0`)
		b.click("the column of "+reply, square(reply))
		b.says(".walked", reply+" you")
	}
	b.says(".walked", "b1 the proof")
	b.until("the numbers have room", `(() => { const list = document.querySelector(".walked"), style = getComputedStyle(list);
		return list.children.length >= 10 && parseFloat(style.paddingInlineStart) >= 2 * parseFloat(style.fontSize); })()`)
	b.shot("proof-walked")
}

// upload chooses a file in a field.
func (b *tab) upload(selector, path string) {
	b.Helper()
	b.until("there is "+selector, "document.querySelector("+quote(selector)+")")
	eval[bool](b, "window.acted = true")
	b.run(chromedp.SetUploadFiles(selector, []string{path}))
}
