package capture

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

var (
	// curlData is what curl -v prints in place of the bytes that it sends and receives.
	curlData = regexp.MustCompile(`^[{}] \[\d+ bytes data\]\r?\n?$`)
	// curlTotal is the head of the progress meter, and curlMeter one state of it;
	// the meter overwrites itself with carriage returns, and what comes next may
	// stand directly after it.
	curlTotal = regexp.MustCompile(`^(  % Total .*|  +Dload  Upload .*)$`)
	curlMeter = regexp.MustCompile(`\r? *\d+ +[\d.]+[kMGTP]? +\d+ +[\d.]+[kMGTP]? +\d+ +[\d.]+[kMGTP]? +[\d.]+[kMGTP]? +[\d.]+[kMGTP]? +[-:\dd ]+:[-:\dd ]+ +[\d.]+[kMGTP]?\r?`)
	// curlInfo is what curl says after a body, in the middle of a line where the
	// body has no line end.
	curlInfo  = regexp.MustCompile(`\* (?:Connection #\d+ to host .+ left intact|[Cc]losing connection.*|[Ss]hutting down connection.*|transfer closed with .*|Recv failure: .*|Operation timed out .*|HTTP/[23] stream .*|Excess found .*|end of response with .*|we are done reading .*|Found bundle for host.*|Re-?using existing .*|Hostname .* was found in DNS cache.*|Issue another request to this URL.*|Ignoring the response-body.*)\r?\n?$`)
	curlFault = regexp.MustCompile(`curl: \((\d+)\) (.*?)\r?\n?$`)
)

// curlEnds are the exit codes of curl as ends of an exchange.
var curlEnds = map[int]classifier.Ended{
	5: classifier.EndedConnect, 6: classifier.EndedConnect, 7: classifier.EndedConnect, 97: classifier.EndedConnect,
	28: classifier.EndedDeadline,
	35: classifier.EndedTLS, 51: classifier.EndedTLS, 53: classifier.EndedTLS, 58: classifier.EndedTLS, 59: classifier.EndedTLS,
	60: classifier.EndedTLS, 66: classifier.EndedTLS, 77: classifier.EndedTLS, 82: classifier.EndedTLS, 83: classifier.EndedTLS, 90: classifier.EndedTLS, 91: classifier.EndedTLS,
	16: classifier.EndedReset, 18: classifier.EndedReset, 52: classifier.EndedReset, 55: classifier.EndedReset, 56: classifier.EndedReset, 92: classifier.EndedReset,
	42: classifier.EndedCancelled,
	63: classifier.EndedSizeLimit,
}

// curlReader takes apart what curl -v prints. Both streams of curl stand in one
// text: lines marked by what they are, and between them, or after all of them,
// the bodies as they came.
type curlReader struct {
	in        Input
	exchanges []*curlExchange
	body      []byte // of all answers
}

type curlExchange struct {
	line      int
	request   message
	answer    *message
	from      int // where in body its own may begin
	inRequest bool
	inAnswer  bool
	interim   bool
	fault     string
	ended     classifier.Ended
	failed    bool
}

func (in Input) curl(data []byte, yield yielder) error {
	c := &curlReader{in: in}
	data = bytes.TrimPrefix(data, byteOrderMark)
	line := 0
	for rest := data; len(rest) > 0; {
		line++
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			end = len(rest)
		}
		c.take(rest[:end], line)
		rest = rest[end:]
	}
	if printed := bytes.TrimLeft(c.body, "\r\n"); !c.answered() && bytes.HasPrefix(printed, []byte("HTTP/")) {
		return c.printed(printed, yield)
	}
	if len(c.exchanges) == 0 {
		return &Fault{Place{in.Name, "line 1"}, fmt.Errorf("holds no line of curl -v that begins a request (> POST …) or an answer (< HTTP/1.1 200 OK)")}
	}
	return c.yield(yield)
}

// answered tells whether an answer's head was among the lines that curl -v marks.
func (c *curlReader) answered() bool {
	return slices.ContainsFunc(c.exchanges, func(x *curlExchange) bool { return x.answer != nil })
}

// printed yields what curl -i prints, where curl's complaint, which is of the
// last of the answers, stands before it.
func (c *curlReader) printed(text []byte, yield yielder) error {
	var last *Exchange
	err := c.in.http(bufio.NewReader(bytes.NewReader(text)), func(x Exchange, err error) error {
		if err != nil {
			return yield(x, err)
		}
		previous := last
		if last = &x; previous == nil {
			return nil
		}
		return yield(*previous, nil)
	})
	if err != nil || last == nil {
		return err
	}
	if x := c.last(); x != nil && x.failed && last.Answer != nil {
		last.Answer.Ended = x.ended
	}
	return yield(*last, nil)
}

// complained takes the line away with which curl ends a body that it could not
// read to the end, and tells how it ended.
func complained(body []byte) (rest []byte, ended classifier.Ended, ok bool) {
	from := max(0, len(body)-512)
	m := curlFault.FindSubmatchIndex(body[from:])
	if m == nil {
		return body, 0, false
	}
	code, _ := strconv.Atoi(string(body[from+m[2] : from+m[3]]))
	if ended, ok = curlEnds[code]; !ok {
		return body, 0, false
	}
	return body[:from+m[0]], ended, true
}

// take reads one line, its end included.
func (c *curlReader) take(line []byte, number int) {
	for m := curlMeter.FindIndex(line); m != nil && (m[0] == 0 || line[m[0]] == '\r'); m = curlMeter.FindIndex(line) {
		rest := line[m[1]:]
		if line = line[:m[0]]; len(line) > 0 {
			c.take(line, number)
		}
		if line = rest; len(bytes.TrimRight(line, "\r\n")) == 0 {
			return
		}
	}
	text := string(bytes.TrimRight(line, "\r\n"))
	x := c.last()
	switch {
	case curlTotal.MatchString(text), curlData.Match(line):
	case strings.HasPrefix(text, "* "):
		c.info(text)
	case text == ">" || strings.HasPrefix(text, "> "):
		c.request(strings.TrimPrefix(text[1:], " "), number)
	case text == "<" || strings.HasPrefix(text, "< "):
		c.answer(strings.TrimPrefix(text[1:], " "), number)
	case curlFault.MatchString(text) && strings.HasPrefix(text, "curl: "):
		c.complaint(text, number)
	case x == nil:
		c.body = append(c.body, line...)
	default:
		if m := curlInfo.FindIndex(line); m != nil {
			c.info(string(line[m[0]:]))
			line = line[:m[0]]
		} else if m := curlFault.FindIndex(line); m != nil && bytes.HasPrefix(line[m[0]:], []byte("curl: (")) {
			c.complaint(string(line[m[0]:]), number)
			line = line[:m[0]]
		}
		c.body = append(c.body, line...)
	}
}

func (c *curlReader) last() *curlExchange {
	if len(c.exchanges) == 0 {
		return nil
	}
	return c.exchanges[len(c.exchanges)-1]
}

// request takes a line of a request's head.
func (c *curlReader) request(text string, number int) {
	x := c.last()
	if m := requestLine.FindStringSubmatch(text); m != nil && (x == nil || !x.inRequest) {
		x = &curlExchange{line: number, inRequest: true, request: message{method: m[1], target: m[2], headers: corpus.Headers{}}}
		c.exchanges = append(c.exchanges, x)
		return
	}
	if x == nil || !x.inRequest {
		return
	}
	if text == "" {
		x.inRequest = false
		return
	}
	field(&x.request.headers, text)
}

// answer takes a line of an answer's head.
func (c *curlReader) answer(text string, number int) {
	x := c.last()
	if m := statusLine.FindStringSubmatch(text); m != nil {
		if x == nil || x.answer != nil && !x.interim {
			x = &curlExchange{line: number}
			c.exchanges = append(c.exchanges, x)
		}
		x.answer = &message{headers: corpus.Headers{}, phrase: m[2]}
		x.answer.status, _ = strconv.Atoi(m[1])
		x.interim = x.answer.status >= 100 && x.answer.status < 200 && x.answer.status != 101
		x.inRequest, x.inAnswer = false, true
		x.from = len(c.body)
		return
	}
	if x == nil || x.answer == nil || !x.inAnswer {
		return
	}
	if text == "" {
		x.inAnswer = false
		return
	}
	field(&x.answer.headers, text)
}

func field(headers *corpus.Headers, text string) {
	if name, value, ok := strings.Cut(text, ":"); ok && token(name) {
		*headers = append(*headers, corpus.Header{Name: name, Value: strings.Trim(value, " \t")})
	}
}

// info takes what curl says of the connection.
func (c *curlReader) info(text string) {
	x := c.last()
	if x == nil {
		return
	}
	for _, sign := range []struct {
		word  string
		ended classifier.Ended
	}{
		{"* transfer closed with", classifier.EndedReset}, {"* Recv failure:", classifier.EndedReset}, {"* Empty reply from server", classifier.EndedReset},
		{"* Operation timed out", classifier.EndedDeadline}, {"was not closed cleanly", classifier.EndedReset},
	} {
		if strings.Contains(text, sign.word) {
			x.failed, x.ended = true, sign.ended
		}
	}
}

// complaint takes the line with which curl tells why it failed.
func (c *curlReader) complaint(text string, number int) {
	m := curlFault.FindStringSubmatch(text)
	code, _ := strconv.Atoi(m[1])
	ended, known := curlEnds[code]
	if !known {
		c.in.Note("%s: line %d: %s", c.in.Name, number, strings.TrimSpace(text))
		return
	}
	x := c.last()
	if x == nil || x.failed && x.fault != "" || x.answer != nil && ended == classifier.EndedConnect {
		x = &curlExchange{line: number}
		c.exchanges = append(c.exchanges, x)
	}
	x.failed, x.ended, x.fault = true, ended, text
}

// yield gives each answer its body, and yields the exchanges.
func (c *curlReader) yield(yield yielder) error {
	c.bodies()
	number := 0
	for _, x := range c.exchanges {
		if x.request.method == "CONNECT" || x.answer != nil && tunnel.MatchString(x.answer.phrase) && len(c.exchanges) > 1 {
			c.in.Note("%s: line %d: a proxy's answer to CONNECT is passed over", c.in.Name, x.line)
			continue
		}
		number++
		out := Exchange{ID: strconv.Itoa(number), From: Place{c.in.Name, fmt.Sprintf("line %d", x.line)}}
		if x.answer == nil || x.interim {
			out.NoAnswer = classifier.EndedReset
			if x.failed {
				out.NoAnswer = x.ended
			}
		} else {
			out.Answer = &Answer{Status: x.answer.status, Headers: x.answer.headers, Body: x.answer.body, Ended: x.answer.ended}
		}
		if x.request.method != "" {
			target := x.request.target
			if host := x.request.headers.Get("host"); host != "" && strings.HasPrefix(target, "/") {
				target = "http://" + host + target
			}
			// curl -v does not print what it sends.
			out.Request = &Request{Method: x.request.method, URL: target, Headers: x.request.headers, BodyUnknown: x.request.method == "POST"}
			c.in.tell(&out)
		}
		if out.RPC.Kind == Unknown {
			c.in.assume(&out)
		}
		if err := yield(out, nil); err != nil {
			return err
		}
	}
	return nil
}

// bodies divides the text that is body among the answers: by where it stands, or,
// where curl wrote its two streams at different times, by Content-Length in order.
func (c *curlReader) bodies() {
	var answered []*curlExchange
	for _, x := range c.exchanges {
		if x.answer != nil && !x.interim {
			answered = append(answered, x)
		}
	}
	fits := true
	for i, x := range answered {
		end := len(c.body)
		if i+1 < len(answered) {
			end = answered[i+1].from
		}
		x.answer.body = c.body[x.from:end:end]
		n, ok := x.length()
		if ok && n < len(x.answer.body) && bytes.HasPrefix(x.answer.body[n:], []byte("* ")) {
			// What curl says next stands directly after a body with no line end.
			x.answer.body = x.answer.body[:n:n]
		}
		if ok && n != len(x.answer.body) {
			fits = false
		}
	}
	if !fits {
		at := 0
		for i, x := range answered {
			n, ok := x.length()
			if !ok && i+1 < len(answered) {
				n = 0
				c.in.Note("%s: line %d: the answer has no Content-Length and its body stands apart, so it cannot be told from the next; taken for empty", c.in.Name, x.line)
			} else if !ok {
				n = len(c.body) - at
			}
			have := min(n, len(c.body)-at)
			x.answer.body = c.body[at : at+have : at+have]
			at += have
			if have < n {
				x.failed, x.ended = true, classifier.EndedReset
				c.in.Note("%s: line %d: %d bytes of the %d that Content-Length announces: the body was cut", c.in.Name, x.line, have, n)
			}
		}
	}
	for _, x := range answered {
		if x.failed {
			x.answer.ended = x.ended
		}
	}
}

// length is the Content-Length of an answer that may have a body.
func (x *curlExchange) length() (int, bool) {
	if x.answer.status == 204 || x.answer.status == 304 || x.request.method == "HEAD" {
		return 0, true
	}
	lines := x.answer.lines("Content-Length")
	if len(lines) == 0 {
		return 0, false
	}
	n, err := strconv.Atoi(lines[0])
	return n, err == nil && n >= 0
}
