package loopback

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// maxPosts is how many POSTs of a play are kept; further ones are counted and
// answered alike.
const maxPosts = 32

// maxNotes is how many other requests of a play are kept.
const maxNotes = 32

// Play is a case that is booked with a server.
type Play struct {
	server *Server
	name   string
	scene  Scene
	begun  time.Time

	turns sync.Mutex // held while a POST takes its turn; taken before mu

	mu    sync.Mutex
	posts []*Post
	more  int
	notes []Note
	why   error // why the case could not be had
	over  bool
}

// Post is one POST of a play.
type Post struct {
	ID      classifier.ID
	At, End time.Duration // since the play was booked; End is 0 while it is played
	Conn    int           // number of the connection
	Path    string
	Header  http.Header
	Body    []byte
	// Case is the exchange that was played: with the request's id, and accepting
	// what this request leaves open, such as a coding that it did not offer.
	Case   corpus.Case
	Script Script
	// Writes is how many of the script's writes were begun, and of the beats after
	// them: whatever a client has seen is among them.
	Writes int
	// Wrote is when the last of them was begun, since the play was booked.
	Wrote time.Duration
	// Became is what became of the connection, which is not always what the script
	// says; it has a meaning once End is not 0.
	Became End
	Err    error // of writing it

	message Message
}

// Note is a request that is no call of a case.
type Note struct {
	At   time.Duration
	Conn int
	Text string // its method and path, and what it was
}

// Book takes a case in. It is played to each call that names it.
func (s *Server) Book(scene Scene) *Play {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names++
	p := &Play{server: s, name: "c" + strconv.FormatInt(int64(s.names), 36), scene: scene, begun: time.Now()}
	s.plays[p.name] = p
	s.watching = p
	// Late calls are booked with those that are still remembered.
	delete(s.plays, "c"+strconv.FormatInt(int64(s.names-maxPlays), 36))
	return p
}

// maxPlays is how many plays a server remembers.
const maxPlays = 1024

// Name is the play's own among those of its server, of letters and digits.
func (p *Play) Name() string { return p.name }

// Arguments are the arguments by which a call names the play.
func (p *Play) Arguments() map[string]any { return map[string]any{"case": p.name} }

// URL is one under which every tool call is this play's, whatever its tool and
// arguments.
func (p *Play) URL() string {
	return "http://127.0.0.1:" + strconv.Itoa(p.server.port) + "/case/" + p.name
}

// note takes down a request that is no call of a case.
func (s *Server) note(p *Conn, request *http.Request, what string) {
	s.take(p, request.Method+" "+request.URL.Path+" "+what)
}

// take takes down something that came and is no call of a case.
func (s *Server) take(p *Conn, text string) {
	s.mu.Lock()
	play := s.watching
	s.mu.Unlock()
	if play == nil {
		return
	}
	play.mu.Lock()
	defer play.mu.Unlock()
	if len(play.notes) < maxNotes {
		play.notes = append(play.notes, Note{time.Since(play.begun), p.Number, text})
	}
}

// post books a POST and gives what is played to it: the exchange whose turn it
// is, and once there are no more the last one again. What cannot be had is
// answered with an empty 503.
func (p *Play) post(conn int, request *http.Request, m *Message, id classifier.ID, body []byte) (*Post, Script) {
	p.turns.Lock()
	defer p.turns.Unlock()
	post := &Post{ID: id, At: time.Since(p.begun), Conn: conn, Path: request.URL.Path, Header: request.Header, Body: body, message: *m}
	whole, err := p.scene(id)
	p.mu.Lock()
	turn := len(p.posts) + p.more
	p.mu.Unlock()
	if err == nil && turn > 0 && len(whole.Then) > 0 {
		turn = min(turn, len(whole.Then))
		whole, err = Retarget(whole.Then[turn-1], id)
	}
	whole.Then = nil
	if err == nil {
		whole.RequestID = id
		post.Case = accepting(whole, request.Header)
		post.Script, err = Compose(post.Case, id)
	}
	if err != nil {
		post.Script = Script{Writes: [][]byte{[]byte("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")}}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil && p.why == nil {
		p.why = err
	}
	if p.over && turn > 0 { // a first one may be slow, and is no second
		p.server.late.Add(1)
	}
	if len(p.posts) < maxPosts {
		p.posts = append(p.posts, post)
	} else {
		p.more++
	}
	return post, post.Script
}

func (p *Play) writing(post *Post) {
	p.mu.Lock()
	post.Writes++
	post.Wrote = time.Since(p.begun)
	p.mu.Unlock()
}

func (p *Play) played(post *Post, became End, err error) {
	p.mu.Lock()
	post.End, post.Became, post.Err = time.Since(p.begun), became, err
	p.mu.Unlock()
}

// Record is what is known of a play by now.
type Record struct {
	Posts []Post
	More  int // POSTs beyond those that are kept
	Notes []Note
	Took  time.Duration // since it was booked
	// Unplayed is the reason why the case could not be had; "" if it could.
	Unplayed string
}

// Count is the number of POSTs.
func (r Record) Count() int { return len(r.Posts) + r.More }

// Version is the revision that the last call names in its header, or else in its
// _meta; "" if it names none.
func (r Record) Version() string {
	if len(r.Posts) == 0 {
		return ""
	}
	last := r.Posts[len(r.Posts)-1]
	if named := last.Header.Get("Mcp-Protocol-Version"); named != "" {
		return named
	}
	return last.message.Params.Meta.ProtocolVersion
}

// Unfinished tells whether the last call's answer was still being written when the
// record was made, though the client took what it got: one that does not read
// holds up its own answer.
func (r Record) Unfinished() bool {
	if len(r.Posts) == 0 {
		return false
	}
	last := r.Posts[len(r.Posts)-1]
	return last.End == 0 && last.Writes < len(last.Script.Writes) && last.Wrote > r.Took/2
}

// Record tells what has come of the play so far. Later POSTs still are booked.
func (p *Play) Record() Record {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := Record{More: p.more, Notes: append([]Note(nil), p.notes...), Took: time.Since(p.begun)}
	for _, post := range p.posts {
		r.Posts = append(r.Posts, *post)
	}
	if p.why != nil {
		r.Unplayed = strings.TrimPrefix(p.why.Error(), "generators: ") // for people, who know no packages
	}
	return r
}

// Release drops what is kept of the POSTs so far, but for their number. Later
// calls are still answered and counted.
func (p *Play) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.more += len(p.posts)
	p.posts, p.notes, p.over = nil, nil, true
}

// Late is how many POSTs have come for plays that had been released, and had been
// posted before.
func (s *Server) Late() int { return int(s.late.Load()) }

// Count is the number of POSTs so far.
func (p *Play) Count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.posts) + p.more
}
