package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
	"github.com/replyproof/replyproof/fuzz"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/runner"
)

// decoders are the codings that judges know besides their own.
var decoders = fuzz.Decoders()

// The environment of the fuzz target.
const (
	envKills = "POWER_KILLS" // file to which kills are appended
	envBegan = "POWER_BEGAN" // when the search began, in milliseconds
)

// kill is one judge that an input has shown to be broken.
type kill struct {
	Judge string        `json:"judge"`
	Cases int           `json:"cases"`
	After time.Duration `json:"after"`
	Input []byte        `json:"input"`
}

// wholeRun stands in the place of a judge's name in the line that tells how long
// a run was that came to its end.
const wholeRun = ""

// hunt puts one input after the other before all judges that are still alive.
// The engine restarts its worker now and then, so that a hunt goes on where the
// file of kills says.
type hunt struct {
	alive []broken.Judge
	sound model.Judge
	cases int
	began time.Time
	file  string
}

func newHunt(file string, began time.Time) (*hunt, error) {
	h := &hunt{sound: model.Judge{Decoders: decoders}, began: began, file: file}
	kills, err := readKills(file)
	if err != nil {
		return nil, err
	}
	for _, j := range broken.AllWith(decoders) {
		k, dead := kills[j.Name]
		h.cases = max(h.cases, k.Cases)
		if !dead {
			h.alive = append(h.alive, j)
		}
	}
	return h, nil
}

// input puts an input, read as a whole answer, before the judges. There is no
// case that could tell what else a third party may say: whoever says otherwise
// than the sound judge is killed.
func (h *hunt) input(data []byte) error {
	h.cases++
	s := fuzz.ParseSample(data)
	sound := verdict(h.sound.Classify, h.sound.Notification, h.sound.NoAnswer, s)
	for i := 0; i < len(h.alive); i++ {
		j := &h.alive[i]
		v := verdict(j.Classify, j.Notification, j.NoAnswer, s)
		if v.Outcome == sound.Outcome && runner.SameCode(string(sound.Error.Code), string(v.Error.Code)) {
			continue
		}
		if err := book(h.file, kill{j.Name, h.cases, time.Since(h.began), data}); err != nil {
			return err
		}
		h.alive = append(h.alive[:i], h.alive[i+1:]...)
		i--
	}
	return nil
}

func verdict(call func(classifier.Call, classifier.Answer) classifier.Verdict, note func(classifier.Answer) classifier.Verdict,
	none func(classifier.Ended) classifier.Verdict, s fuzz.Sample) classifier.Verdict {
	switch {
	case s.NoAnswer:
		return none(s.Answer.Ended)
	case s.Notification:
		return note(s.Answer)
	}
	return call(s.Call, s.Answer)
}

// book appends a kill to the file.
func book(file string, k kill) error {
	line, err := json.Marshal(k)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// readKills reads the file of kills, which need not be there.
func readKills(file string) (map[string]kill, error) {
	kills := map[string]kill{}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return kills, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var k kill
		if err := json.Unmarshal(lines.Bytes(), &k); err != nil {
			return nil, fmt.Errorf("read kills %s: %w", file, err)
		}
		if _, ok := kills[k.Judge]; !ok {
			kills[k.Judge] = k
		}
	}
	return kills, lines.Err()
}

// plainSeeds are the answers that the byte fuzzer begins with: each base as
// JSON and as a stream, with nothing out of the ordinary.
func plainSeeds() [][]byte {
	c := generators.Default()
	var all [][]byte
	for _, base := range generators.Bases() {
		for _, framing := range []string{"", " +sse=lf"} {
			if r, err := c.Parse(base + framing); err == nil {
				all = append(all, []byte(fuzz.SampleOf(c.Render(r)).String()))
			}
		}
	}
	return all
}

// byteFuzzer builds the fuzz target of this package, runs it with an empty cache
// and takes down what it killed.
func (p *power) byteFuzzer() error {
	folder, err := os.MkdirTemp("", "power")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	kills := p.kills
	if kills == "" {
		kills = filepath.Join(folder, "kills")
	}
	if p.fuzz > 0 {
		if err := os.RemoveAll(kills); err != nil {
			return err
		}
		if err := p.fuzzInto(folder, kills); err != nil {
			return err
		}
	}
	known, err := readKills(kills)
	if err != nil {
		return err
	}
	p.fuzz = known[wholeRun].After
	for _, r := range p.rows {
		if k, ok := known[r.Name]; ok {
			r.byBytes = found{k.Cases, k.After, true}
		}
	}
	return nil
}

func (p *power) fuzzInto(folder, kills string) error {
	kills, err := filepath.Abs(kills)
	if err != nil {
		return err
	}
	binary := filepath.Join(folder, "power.test")
	if out, err := exec.Command("go", "test", "-c", "-fuzz=^FuzzJudges$", "-o", binary, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c: %w\n%s", err, out)
	}
	command := exec.Command(binary, "-test.run=^$", "-test.fuzz=^FuzzJudges$", "-test.fuzzcachedir="+filepath.Join(folder, "cache"),
		"-test.fuzztime="+p.fuzz.String(), "-test.fuzzminimizetime=1x", "-test.parallel=1")
	command.Dir = folder
	command.Env = append(os.Environ(), envKills+"="+kills, envBegan+"="+strconv.FormatInt(time.Now().UnixMilli(), 10))
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("fuzz: %w\n%s", err, out)
	}
	return book(kills, kill{Judge: wholeRun, After: p.fuzz})
}
