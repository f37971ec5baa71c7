package capture

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// enter goes to the array that stands at a path of members.
func enter(d *json.Decoder, budget *budgetReader, limit int64, path ...string) error {
	for _, name := range path {
		if err := expect(d, '{'); err != nil {
			return err
		}
		for {
			budget.left = limit
			if !d.More() {
				return fmt.Errorf("there is no member %s", strings.Join(path, "."))
			}
			key, err := d.Token()
			if err != nil {
				return err
			}
			if key == name {
				break
			}
			var passed json.RawMessage
			if err := d.Decode(&passed); err != nil {
				return err
			}
		}
	}
	return expect(d, '[')
}

func expect(d *json.Decoder, want json.Delim) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("%v stands where %s should", token, want)
	}
	return nil
}

// leave goes to the end of the objects around the array that [enter] went to,
// the innermost first. A member that was passed already must not come again: it
// would not be read.
func leave(d *json.Decoder, budget *budgetReader, limit int64, names ...string) error {
	for _, name := range names {
		for {
			budget.left = limit
			if !d.More() {
				break
			}
			key, err := d.Token()
			if err != nil {
				return err
			}
			if key == name {
				return fmt.Errorf("there is a second member %s, which is not read", name)
			}
			var passed json.RawMessage
			if err := d.Decode(&passed); err != nil {
				return err
			}
		}
		if err := expect(d, '}'); err != nil {
			return err
		}
	}
	return nil
}

// pastWhite tells how many bytes of JSON's white space r begins with, and
// whether more follows.
func pastWhite(r io.Reader) (white int64, more bool, err error) {
	for b := bufio.NewReader(r); ; white++ {
		switch c, err := b.ReadByte(); {
		case errors.Is(err, io.EOF):
			return white, false, nil
		case err != nil:
			return white, false, err
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			return white, true, nil
		}
	}
}
