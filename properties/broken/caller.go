package broken

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/callers"
	"github.com/replyproof/replyproof/properties/loopback"
)

// caller is the sound caller with at most one quirk.
type caller struct {
	line    *callers.Line
	url     string
	client  *http.Client
	quirk   callerQuirk
	lastID  int
	version string
	token   int
	dead    bool
	kept    json.RawMessage // the requestState of the call before
}

func newCallerAt(line *callers.Line, url string, transport http.RoundTripper, quirk callerQuirk) *caller {
	c := &caller{line: line, url: url, quirk: quirk, version: loopback.Modern, client: &http.Client{Transport: transport}}
	c.client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) == 10 || r.Method != http.MethodPost && quirk != redirectToGet {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return c
}

// progress is one call under way.
type progress struct {
	callers.ToolCall
	id, attempt, retries, rounds int
	changed                      bool
	state                        json.RawMessage
	responses                    map[string]json.RawMessage
	first                        *classifier.Verdict
}

func (c *caller) call(ctx context.Context, asked callers.ToolCall) callers.Told {
	if c.dead {
		return callers.Told{Saw: "NO_FINAL_RESPONSE"}
	}
	p := &progress{ToolCall: asked, state: c.kept}
	if c.quirk == idOfText {
		c.lastID = 0
	}
	for {
		p.attempt++
		if c.quirk != sameID || p.attempt == 1 {
			c.lastID++
			p.id = c.lastID
		}
		v := c.post(ctx, p)
		if p.first == nil {
			p.first = &v
		}
		advice := c.advise(v, p)
		if !c.prepare(ctx, p, v, advice) || c.line.Sleep(ctx, advice.Wait+advice.Jitter/2) != nil {
			return c.told(v, p)
		}
	}
}

// post sends the call once.
func (c *caller) post(ctx context.Context, p *progress) classifier.Verdict {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(c.body(p)))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", c.version)
	r.Header.Set("Authorization", "Bearer synthetic-"+strconv.Itoa(c.token))
	response, err := c.client.Do(r)
	if err != nil {
		c.dead = c.quirk == diesAfterReset
		return classifier.ClassifyNoAnswer(classifier.NoAnswerFromError(err))
	}
	if c.quirk != soundCaller {
		c.misread(ctx, response)
	}
	v := classifier.Read(ctx, classifier.Call{ID: classifier.IntID(int64(p.id))}, response)
	if c.quirk == diesAfterMalformed && v.Outcome == classifier.MalformedJSON {
		c.dead = true
	}
	return v
}

// misread is what the quirks of reading do to a response.
func (c *caller) misread(ctx context.Context, response *http.Response) {
	switch {
	case c.quirk == success503 && response.StatusCode == 503 && response.Header.Get("Content-Type") != "":
		response.StatusCode = 200
	case c.quirk == hangsOnAccepted && response.StatusCode == 202:
		<-ctx.Done()
	case c.quirk == panicsWithoutType && response.Header.Get("Content-Type") == "":
		_ = response.Header["Content-Type"][0]
	case c.quirk == notificationIsResponse && response.Header.Get("Content-Type") == "text/event-stream":
		body, err := io.ReadAll(response.Body)
		if event, _, more := bytes.Cut(body, []byte("\n\n")); more && bytes.Contains(event, []byte(`"method"`)) {
			body = bytes.Replace(event, []byte(`"method"`), []byte(`"id":1,"result"`), 1)
			body = append(body, "\n\n"...)
		}
		rest := io.Reader(bytes.NewReader(body))
		if err != nil {
			rest = io.MultiReader(rest, strings.NewReader("cut"))
			response.ContentLength = int64(len(body)) + 99
		}
		response.Body = io.NopCloser(rest)
	}
}

// body is the request.
func (c *caller) body(p *progress) []byte {
	params := map[string]any{"name": p.Name, "arguments": p.Arguments}
	if c.quirk == countsAttemptsInArguments {
		params["arguments"] = map[string]int{"attempt": p.attempt}
	}
	if p.state != nil {
		params["requestState"] = p.state
	}
	if p.responses != nil {
		params["inputResponses"] = p.responses
	}
	message := map[string]any{"jsonrpc": "2.0", "id": p.id, "method": "tools/call", "params": params}
	if c.quirk == versionNumber {
		message["jsonrpc"] = 2
	}
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	return text
}

// advise is the advice on a verdict, as the quirks have it.
func (c *caller) advise(v classifier.Verdict, p *progress) classifier.Advice {
	policy := classifier.DefaultPolicy()
	facts := classifier.Facts{Safety: p.Safety, Attempt: p.attempt, Rounds: p.rounds, Received: c.line.Now(),
		InputMethods: []string{}, Policy: &policy}
	if p.Input != nil {
		facts.InputMethods = []string{"elicitation/create"}
	}
	if !p.Deadline.IsZero() {
		facts.Timed, facts.TimeLeft = true, p.Deadline.Sub(facts.Received)
	}
	if c.quirk != soundCaller {
		c.misjudge(&v, &facts)
	}
	if c.quirk == countsPerRound {
		facts.Attempt = p.retries + 1
	}
	a := classifier.Advise(v, facts)
	switch {
	case c.quirk == noBackoff && v.RetryAfter == "":
		a.Wait, a.Jitter = 0, 0
	case c.quirk == sameBackoff && v.RetryAfter == "" && a.Wait > 200*time.Millisecond:
		a.Wait, a.Jitter = 200*time.Millisecond, 0
	}
	return a
}

// misjudge changes a verdict, or what is known of the call, in the way of a quirk.
func (c *caller) misjudge(v *classifier.Verdict, f *classifier.Facts) {
	again := func(wrong bool) {
		if wrong {
			*v, f.Safety = classifier.Verdict{Outcome: classifier.HTTPError, Status: 503, Answered: true}, classifier.SafeCall
		}
	}
	lost := v.Outcome == classifier.NoFinalResponse && v.Answered
	stream := v.ContentType == "text/event-stream"
	switch c.quirk {
	case retriesUnsafe503:
		again(v.Status == 503)
	case retriesUnsafe429:
		if v.Status == 429 {
			f.Safety = classifier.SafeCall
		}
	case retriesTimeout:
		again(v.Reason == classifier.ReasonDeadline)
	case retriesCutStream:
		again(lost && stream && f.Attempt == 1)
	case retriesCutBody:
		again(lost && !stream && v.Status == 200)
	case retriesRPCError:
		again(v.Outcome == classifier.JSONRPCError && v.Error.Number == -32603)
	case retriesThrice:
		f.Policy.Retries = 3
	case retriesForEver:
		f.Policy.Retries, f.Policy.Base = 1000, 0
	case ignoresRetryAfter:
		v.RetryAfter = ""
	case ignoresRetryDate:
		v.Date, f.Received = "", time.Time{}
	case waitsAnHour:
		f.Policy.LongestWait = math.MaxInt64
	case ignoresDeadline:
		f.Timed = false
	case resendsAfterSuccess:
		again(v.Outcome == classifier.ToolSuccess && f.Attempt == 1)
	case retriesToolError:
		again(v.Outcome == classifier.ToolError)
	case retriesMalformed:
		again(v.Outcome == classifier.MalformedJSON)
	case retriesUnchangedVersion:
		again(v.Error.Number == -32022)
	case retriesUnchanged401:
		again(v.Status == 401)
	case retriesParams:
		again(v.Outcome == classifier.JSONRPCError && v.Error.Number == -32602)
	case answersForeign:
		f.InputMethods = nil
	case endlessRounds:
		f.Policy.InputRounds = 1000
	}
}

// prepare makes the call ready to be sent again; ok is false if it is over.
func (c *caller) prepare(ctx context.Context, p *progress, v classifier.Verdict, a classifier.Advice) (ok bool) {
	switch a.Action {
	case classifier.WaitAndRetry:
		p.retries++
		if c.quirk == losesInputsOnRetry {
			p.state, p.responses = nil, nil
		}
		return true
	case classifier.AnswerInputs:
		p.rounds++
		if c.quirk == countsPerRound {
			p.retries = 0
		}
		return c.answer(p, a)
	case classifier.AfterChange:
		return c.change(ctx, p, v, a.Change, a.Wait)
	}
	return c.quirk == answersWithout && v.Outcome == classifier.InputRequired && p.attempt == 1
}

// answer puts the inputs that were asked for, and the state, into the call.
func (c *caller) answer(p *progress, a classifier.Advice) bool {
	if a.RequestState != nil || c.quirk != keepsStaleState {
		p.state = bytes.Clone(a.RequestState)
	}
	if c.quirk == keepsStateForNextCall {
		c.kept = p.state
	}
	p.state = c.damaged(p.state)
	p.responses = nil
	if a.InputResponses || c.quirk == emptyResponsesForState {
		p.responses = map[string]json.RawMessage{}
	}
	for _, key := range a.InputKeys {
		answer := json.RawMessage(`{}`)
		if p.Input != nil {
			answer, _ = p.Input(key, "elicitation/create")
		}
		if c.quirk == lowersKeys {
			key = strings.ToLower(key)
		}
		p.responses[key] = answer
		if c.quirk == answersFirstOnly {
			break
		}
	}
	return true
}

// damaged is a requestState as the quirks send it.
func (c *caller) damaged(state json.RawMessage) json.RawMessage {
	var text string
	if state == nil || json.Unmarshal(state, &text) != nil {
		return state
	}
	var value any
	switch c.quirk {
	case dropsState:
		return nil
	case trimsState:
		text = strings.TrimSpace(text)
	case recodesState:
	case unescapesState:
		if json.Unmarshal([]byte(text), &value) != nil {
			return state
		}
		anew, _ := json.Marshal(value)
		text = string(anew)
	default:
		return state
	}
	state, _ = json.Marshal(text)
	return state
}

// change changes what a refusal named, once for a call.
func (c *caller) change(ctx context.Context, p *progress, v classifier.Verdict, what classifier.Change, wait time.Duration) bool {
	if p.changed || wait > time.Minute {
		return false
	}
	p.changed = true
	switch what {
	case classifier.ChangeVersion:
		var data struct {
			Supported []string `json:"supported"`
		}
		if json.Unmarshal(v.Error.Data, &data) != nil || len(data.Supported) == 0 || data.Supported[0] == c.version {
			return false
		}
		c.version = data.Supported[0]
		return true
	case classifier.ChangeHeaders:
		c.lastID++
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, c.lastID)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, strings.NewReader(body))
		if err != nil {
			return false
		}
		response, err := c.client.Do(r)
		if err != nil {
			return false
		}
		defer response.Body.Close()
		return response.StatusCode == http.StatusOK
	case classifier.ChangeAuthorisation:
		c.token++
		return true
	}
	return false
}

func (c *caller) told(v classifier.Verdict, p *progress) callers.Told {
	if c.quirk == toldFirstFailure {
		v = *p.first
	}
	return callers.Told{Saw: v.Outcome.String(), Code: string(v.Error.Code)}
}
