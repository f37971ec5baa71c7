package jsonspan

import (
	"strings"
	"testing"
)

// shape writes a value's spans as text, so that they can be compared.
func shape(text []byte, v Value) string {
	switch v.Kind {
	case '{', '[':
		var parts []string
		for _, i := range v.Items {
			part := shape(text, i.Value)
			if i.NameEnd > 0 {
				part = i.Name(text) + "=" + part
			}
			parts = append(parts, part)
		}
		return string(v.Kind) + strings.Join(parts, " ") + string(text[v.End-1])
	}
	return string(text[v.Start:v.End])
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"object", `{"a":1,"b":[true,false,null,"x"],"c":{}}`, `{a=1 b=[true false null "x"] c={}}`},
		{"white space", " \r\n{ \"a\" :\t-1.5e+3 , \"a\":[ ] } ", `{a=-1.5e+3 a=[]}`},
		{"escapes", `["\"\\","\u005d]","a\/b"]`, `["\"\\" "\u005d]" "a\/b"]`},
		{"escaped name", `{"\u0061b":0}`, `{ab=0}`},
		{"mark", "\xEF\xBB\xBF[1]", `[1]`},
		{"text", `"x"`, `"x"`},
		{"number", `12`, `12`},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, ok := Parse([]byte(test.text))
			if got := shape([]byte(test.text), v); !ok || got != test.want {
				t.Errorf("got %s, %v, want %s", got, ok, test.want)
			}
		})
	}
	for _, text := range []string{"", "{", `{"a"}`, "1 2", "[1,]", strings.Repeat("[", 1002) + strings.Repeat("]", 1002)} {
		if v, ok := Parse([]byte(text)); ok {
			t.Errorf("%.20q: got %v, want that it is refused", text, v)
		}
	}
}

func TestApply(t *testing.T) {
	text := []byte(`{"a":"one","b":2}`)
	v, _ := Parse(text)
	got := string(Apply(text, []Edit{
		{v.Items[0].Value.Start, v.Items[0].Value.End, []byte(`"x"`)},
		{v.Items[1].Start(), v.Items[1].Value.End, nil},
	}))
	if want := `{"a":"x",}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
