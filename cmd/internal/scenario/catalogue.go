package scenario

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

type pages struct {
	Tools int  `json:"tools" doc:"how many tools there are"`
	Size  int  `json:"pageSize" doc:"how many are on a page"`
	Loop  bool `json:"loop" doc:"whether the last page leads back to the first"`
}

type badSchema struct {
	Schema json.RawMessage `json:"schema" doc:"inputSchema of the tool"`
	Beside bool            `json:"besideAGoodTool" doc:"whether there is a tool with a right schema as well"`
}

type mutation struct {
	Calls  int `json:"afterCalls" doc:"the tools change after so many calls of the session"`
	Notify int `json:"notifyAfterMs" doc:"a stream of changes says so this long after it was opened, and the tools have changed by then"`
}

type unavailable struct {
	Code    int    `json:"code" doc:"code of the error"`
	Message string `json:"message" doc:"message of the error"`
}

var catalogueScenarios = []Scenario{
	define("catalog.empty", "No tools at all.", none{}, func(none) (func() *play, error) {
		return always(&play{list: listOf(""), offers: offering()}), nil
	}),
	define("catalog.pagination", "Ten thousand tools, in pages.", pages{10_000, 500, false}, paged),
	define("catalog.loop", "Pages of tools that never end: the last leads back to the first.", pages{30, 10, true}, paged),
	define("catalog.bad_schema", "A tool whose inputSchema is none.",
		badSchema{json.RawMessage(`{"type":"array","items":7}`), true}, func(s badSchema) (func() *play, error) {
			tools := `{"name":"bad_schema","description":"Has a bad inputSchema.","inputSchema":` + string(s.Schema) + `}`
			offers := offering("bad_schema")
			if s.Beside {
				tools += "," + plainTool
				offers = offering("bad_schema", Tool)
			}
			return always(&play{list: listOf(tools), offers: offers}), nil
		}),
	define("catalog.mutation", "The tools change, and whoever listens is told.", mutation{1, 300}, mutating),
	define("catalog.facet_unavailable", "tools/list fails, and calls go well.",
		unavailable{-32603, "The tools cannot be listed now"}, func(s unavailable) (func() *play, error) {
			return always(&play{list: func(q *query) *reply { return q.fault(200, s.Code, s.Message, "") }}), nil
		}),
}

// offering offers tools with these names.
func offering(names ...string) func(*query) bool {
	return func(q *query) bool { return slices.Contains(names, q.Params.Name) }
}

// tool is the text of a tool.
func tool(name, description, properties string) string {
	return `{"name":` + quoted(name) + `,"description":` + quoted(description) + `,"inputSchema":{"type":"object","properties":{` + properties + `}}}`
}

var plainTool = tool(Tool, "Does what the chosen scenario says.", `"message":{"type":"string"}`)

// listOf answers tools/list with these tools.
func listOf(tools string) func(*query) *reply {
	return func(q *query) *reply { return q.tools(tools, "") }
}

// tools is a list of tools, with a cursor where there are more.
func (q *query) tools(tools, cursor string) *reply {
	fresh, next := "", ""
	if q.modern {
		fresh = `"ttlMs":0,"cacheScope":"private"`
	}
	if cursor != "" {
		next = `"nextCursor":` + quoted(cursor)
	}
	return q.result(join(`"tools":[`+tools+`]`, next, fresh))
}

// paged lists tools in pages. A cursor tells nothing that a client could count on.
func paged(s pages) (func() *play, error) {
	err := between("tools", s.Tools, 1, 1_000_000)
	if err == nil {
		err = between("pageSize", s.Size, 1, 10_000)
	}
	numbered := func(n int) string { return fmt.Sprintf("tool_%05d", n) }
	offers := func(q *query) bool {
		n, err := strconv.Atoi(strings.TrimPrefix(q.Params.Name, "tool_"))
		return q.Params.Name == Tool || err == nil && n > 0 && n < s.Tools && q.Params.Name == numbered(n)
	}
	return always(&play{offers: offers, list: func(q *query) *reply {
		from := 0
		if q.Params.Cursor != nil {
			text, err := base64.RawURLEncoding.DecodeString(*q.Params.Cursor)
			if err == nil {
				from, err = strconv.Atoi(strings.TrimPrefix(string(text), "from "))
			}
			if err != nil || from < 0 || from >= s.Tools {
				return q.fault(400, -32602, "cursor is not one that this server gave", "")
			}
		}
		to := min(from+s.Size, s.Tools)
		var b strings.Builder
		for n := from; n < to; n++ {
			if n == 0 {
				b.WriteString(plainTool)
				continue
			}
			b.WriteString("," + tool(numbered(n), "Is one of many.", ""))
		}
		next := ""
		switch {
		case to < s.Tools:
			next = base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "from %d", to))
		case s.Loop:
			next = base64.RawURLEncoding.EncodeToString([]byte("from 0"))
		}
		return q.tools(strings.TrimPrefix(b.String(), ","), next).saying(fmt.Sprintf("tools %d to %d of %d", from, to-1, s.Tools))
	}}), err
}

func mutating(s mutation) (func() *play, error) {
	err := between("afterCalls", s.Calls, 0, 1_000_000)
	if err == nil {
		err = between("notifyAfterMs", s.Notify, 0, longest)
	}
	notify := time.Duration(s.Notify) * time.Millisecond
	return func() *play {
		var listened time.Time
		changed := func(calls int) bool {
			return calls >= s.Calls || !listened.IsZero() && time.Since(listened) >= notify
		}
		return &play{
			offers: func(q *query) bool {
				other := "goes_away"
				if changed(q.calls - 1) { // those before this one
					other = "came_later"
				}
				return q.Params.Name == Tool || q.Params.Name == other
			},
			list: func(q *query) *reply {
				if changed(q.calls) {
					return q.tools(plainTool+","+tool("came_later", "Was not there at first.", ""), "").saying("the tools have changed")
				}
				return q.tools(plainTool+","+tool("goes_away", "Will not be there any more.", ""), "")
			},
			listen: func(q *query) *reply {
				if listened.IsZero() {
					listened = time.Now()
				}
				subscription, begin := "", comment
				if q.modern {
					subscription = `"_meta":{"io.modelcontextprotocol/subscriptionId":` + q.rawID() + `}`
					begin = event(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` +
						subscription + `,"notifications":{"toolsListChanged":true}}}`)
				}
				changed := event(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{` + subscription + `}}`)
				r := status(200, begin+changed, asStream)
				r.answer.ChunkSplits, r.answer.Ended = []int{len(begin)}, new(classifier.EndedDeadline)
				r.pace, r.beat, r.every = notify, comment, 15*time.Second
				return r.saying("a stream of changes")
			},
		}
	}, err
}
