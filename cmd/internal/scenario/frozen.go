package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/loopback"
)

// chooseCase plays a case of the corpus to every call, and what follows in it to
// the calls that follow.
func chooseCase(id string, settings []byte) (*Choice, error) {
	c, ok := corpus.ByID(id)
	if !ok {
		var ids []string
		for _, c := range corpus.All() {
			ids = append(ids, c.ID)
		}
		err := fmt.Errorf("no case %q in the corpus", clip(id))
		if near := explanation.Closest(id, ids); len(near) > 0 {
			err = fmt.Errorf("%w; did you mean case:%s?", err, strings.Join(near, " or case:"))
		}
		return nil, err
	}
	if err := unset(settings); err != nil {
		return nil, fmt.Errorf("case:%s: %w", id, err)
	}
	if c.Notification {
		return nil, fmt.Errorf("case:%s is the answer to a notification, and it is calls that are answered", id)
	}
	for _, x := range c.Exchanges() {
		if err := loopback.Playable(x); err != nil {
			return nil, fmt.Errorf("case:%s cannot be played: %w", id, err)
		}
	}
	if _, err := loopback.Retarget(c, classifier.StringID("another id")); err != nil {
		if _, err = loopback.Retarget(c, classifier.IntID(4)); err != nil {
			return nil, fmt.Errorf("case:%s cannot be played to a client: %w", id, err)
		}
	}
	return &Choice{Name: "case:" + id, Doc: c.Why, begin: frozen("case:"+id, loopback.Frozen(c))}, nil
}

// chooseRecipe plays the case of a recipe to every call.
func chooseRecipe(text string, settings []byte) (*Choice, error) {
	catalogue := generators.Default()
	recipe, err := catalogue.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("recipe: %w", err)
	}
	text = catalogue.Format(recipe)
	if err := unset(settings); err != nil {
		return nil, fmt.Errorf("recipe:%s: %w", text, err)
	}
	made, err := catalogue.RenderFor(recipe, classifier.IntID(4))
	if err == nil && made.Notification {
		err = errors.New("it is the answer to a notification, and it is calls that are answered")
	}
	if err == nil {
		err = loopback.Playable(made)
	}
	if err != nil {
		return nil, fmt.Errorf("recipe:%s cannot be played: %w", text, err)
	}
	scene := func(id classifier.ID) (corpus.Case, error) { return catalogue.RenderFor(recipe, id) }
	return &Choice{Name: "recipe:" + text, Doc: "Every call gets the case of this recipe.", begin: frozen("recipe:"+text, scene)}, nil
}

// Faults is the recipe of a success with faults, given as names with commas
// between, such as status=503,id-absent.
func Faults(names string) string {
	text := "success"
	for name := range strings.SplitSeq(names, ",") {
		text += " +" + strings.TrimPrefix(strings.TrimSpace(name), "+")
	}
	return text
}

// unset refuses settings where there are none.
func unset(settings []byte) error {
	if text := string(bytes.TrimSpace(settings)); text != "" && text != "{}" {
		return fmt.Errorf("got settings %s, and there are none", clip(text))
	}
	return nil
}

// frozen answers the calls of a session with a scene, and then with what follows in it.
func frozen(name string, scene loopback.Scene) func() *play {
	return always(&play{offers: anyTool, call: func(q *query) *reply {
		c, err := scene(q.id)
		if n := min(q.calls-1, len(c.Then)); err == nil && n > 0 {
			c, err = loopback.Retarget(c.Then[n-1], q.id)
			name := fmt.Sprintf("%s, answer %d", name, n+1)
			return played(q, c, err, name)
		}
		return played(q, c, err, name)
	}})
}

func played(q *query, c corpus.Case, err error, name string) *reply {
	if err != nil {
		why := fmt.Sprintf("%s cannot be played to a call with the id %s: %v", name, q.id, err)
		return q.fault(500, -32603, why, "").saying(why)
	}
	c.Then = nil
	if c.Status == nil && c.Ended == nil {
		c.Ended = new(classifier.EndedConnect)
	}
	return (&reply{answer: c}).saying(name)
}
