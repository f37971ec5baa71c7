package loopback

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What of a trace is told at most.
const (
	maxTraceLines = 60
	maxTraceText  = 400
)

// Trace tells what went over the wire, one line an event, in its order: when
// (since the case was booked), on which connection, and the bytes. It is made
// from the record when it is asked for, and bounded.
func (r Record) Trace() []string {
	type event struct {
		at   time.Duration
		text string
	}
	var events []event
	add := func(at time.Duration, conn int, text string) {
		events = append(events, event{at, fmt.Sprintf("%8.1f ms  #%d %s", float64(at.Microseconds())/1000, conn, text)})
	}
	for _, note := range r.Notes {
		add(note.At, note.Conn, "→ "+note.Text)
	}
	for _, post := range r.Posts {
		add(post.At, post.Conn, "→ POST "+post.Path+" "+tracedHeaders(post)+quoteShort(post.Body))
		if post.Script.Delay > 0 {
			add(post.At, post.Conn, "  (waits "+post.Script.Delay.String()+")")
		}
		at := post.At + post.Script.Delay
		all := post.Script.Writes
		out := all[:min(post.Writes, len(all))]
		for i, text := range out {
			if i == 8 && len(out) > 10 {
				add(at, post.Conn, fmt.Sprintf("← (%d more writes)", len(out)-i))
				break
			}
			add(at, post.Conn, "← "+quoteShort(text))
		}
		text := post.ending()
		if len(out) < len(all) {
			text += fmt.Sprintf(", after %d of %d writes", len(out), len(all))
		}
		add(max(post.End, at), post.Conn, "← ("+text+")")
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	if r.More > 0 {
		events = append(events, event{text: fmt.Sprintf("(%d more POSTs, answered alike)", r.More)})
	}
	var lines []string
	for i, e := range events {
		if i == maxTraceLines {
			lines = append(lines, fmt.Sprintf("(%d more lines)", len(events)-i))
			break
		}
		lines = append(lines, e.text)
	}
	return lines
}

// ending is what has become of the connection, or, where no more will be written
// to it, what is about to.
func (p *Post) ending() string {
	switch {
	case p.End > 0 && p.Err != nil:
		return p.Became.String() + ": " + p.Err.Error()
	case p.End > 0:
		return p.Became.String()
	case p.Writes < len(p.Script.Writes):
		return "still played"
	case p.Script.End == EndSilent:
		return p.Script.End.String() + ", and the client has not closed it"
	}
	return p.Script.End.String()
}

// tracedHeaders are the headers of a request that bear upon its answer.
func tracedHeaders(post Post) string {
	var b strings.Builder
	for _, name := range []string{"Accept", "Accept-Encoding", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Session-Id"} {
		if v := post.Header.Get(name); v != "" {
			fmt.Fprintf(&b, "%s: %s; ", name, v)
		}
	}
	if post.Header.Get("Authorization") != "" {
		b.WriteString("Authorization: …; ")
	}
	return b.String()
}

func quoteShort(text []byte) string {
	if len(text) <= maxTraceText {
		return strconv.Quote(string(text))
	}
	half := maxTraceText / 2
	return fmt.Sprintf("%q … %d bytes … %q", text[:half], len(text)-2*half, text[len(text)-half:])
}
