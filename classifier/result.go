package classifier

import "github.com/replyproof/replyproof/classifier/internal/scan"

// resultMembers are the members of a result that rule 9 reads.
type resultMembers struct {
	resultType, inputRequests, requestState scan.Value
	content, isError, structured, meta      scan.Kind
	twice                                   duplicate
	items                                   contentItems // of the last content, if it is an array
	metaAt                                  int
}

func (m *resultMembers) read(s *scan.Scanner) {
	for more := s.Object(); more; more = s.NextMember() {
		switch string(s.Name()) {
		case "resultType":
			m.twice.note(m.resultType.Kind, "resultType", s.NameStart())
			m.resultType = s.Value()
		case "content":
			if m.content != scan.None {
				m.twice.note(m.content, "content", s.NameStart())
				m.items = contentItems{}
			}
			m.content = s.Kind()
			if m.content == scan.Array {
				m.items.read(s)
			} else {
				s.Skip()
			}
		case "isError":
			m.twice.note(m.isError, "isError", s.NameStart())
			m.isError = s.Kind()
			s.Skip()
		case "structuredContent":
			m.twice.note(m.structured, "structuredContent", s.NameStart())
			m.structured = s.Kind()
			s.Skip()
		case "inputRequests":
			m.twice.note(m.inputRequests.Kind, "inputRequests", s.NameStart())
			m.inputRequests = s.Value()
		case "requestState":
			m.twice.note(m.requestState.Kind, "requestState", s.NameStart())
			m.requestState = s.Value()
		case "_meta":
			m.twice.note(m.meta, "_meta", s.NameStart())
			m.meta, m.metaAt = s.Kind(), s.Pos()
			s.Skip()
		default:
			s.Skip()
		}
	}
}

// contentItems is what is odd about the items of a content.
type contentItems struct {
	odd   bool // whether an item is not what its type requires
	item  int  // the first such
	itemA int  // where it begins

	null     string // the first optional member that is null, "" if none is
	nullItem int
	nullAt   int
}

func (c *contentItems) read(s *scan.Scanner) {
	n := 0
	for more := s.Array(); more; more = s.NextElement() {
		at := s.Pos()
		ok, null := false, ""
		if s.Kind() == scan.Object {
			var it item
			it.read(s)
			ok, null = it.ok(), it.null()
		} else {
			s.Skip()
		}
		if !ok && !c.odd {
			c.odd, c.item, c.itemA = true, n, at
		}
		if null != "" && c.null == "" {
			c.null, c.nullItem, c.nullAt = null, n, at
		}
		n++
	}
}

// itemType is the type of a content item.
type itemType uint8

const (
	itemUnknown itemType = iota
	itemText
	itemImage // and audio, which requires the same
	itemLink
	itemResource
)

// item holds the kinds of the members of a content item that its type or the
// finding null-optional looks at.
type item struct {
	kind                                               itemType
	text, data, mimeType, name, uri, resource          scan.Kind
	meta, annotations, title, description, size, icons scan.Kind
}

func (it *item) read(s *scan.Scanner) {
	for more := s.Object(); more; more = s.NextMember() {
		kind := s.Kind()
		switch string(s.Name()) {
		case "type":
			v := s.Pos()
			s.Skip()
			it.kind = itemUnknown
			if kind == scan.String && s.Good() {
				it.kind = itemTypeOf(s.Text(v))
			}
			continue
		case "text":
			it.text = kind
		case "data":
			it.data = kind
		case "mimeType":
			it.mimeType = kind
		case "name":
			it.name = kind
		case "uri":
			it.uri = kind
		case "resource":
			it.resource = kind
		case "_meta":
			it.meta = kind
		case "annotations":
			it.annotations = kind
		case "title":
			it.title = kind
		case "description":
			it.description = kind
		case "size":
			it.size = kind
		case "icons":
			it.icons = kind
		}
		s.Skip()
	}
}

func itemTypeOf(raw []byte) itemType {
	switch string(raw) {
	case `"text"`:
		return itemText
	case `"image"`, `"audio"`:
		return itemImage
	case `"resource_link"`:
		return itemLink
	case `"resource"`:
		return itemResource
	}
	for _, t := range escapedTypes {
		if scan.Equal(raw, t.name) {
			return t.kind
		}
	}
	return itemUnknown
}

var escapedTypes = []struct {
	name string
	kind itemType
}{{"text", itemText}, {"image", itemImage}, {"audio", itemImage}, {"resource_link", itemLink}, {"resource", itemResource}}

// ok tells whether the item has what its type requires.
func (it *item) ok() bool {
	switch it.kind {
	case itemText:
		return it.text == scan.String
	case itemImage:
		return it.data == scan.String && it.mimeType == scan.String
	case itemLink:
		return it.name == scan.String && it.uri == scan.String
	case itemResource:
		return it.resource == scan.Object
	}
	return false
}

// null is the name of an optional member that is null, "" if none is.
func (it *item) null() string {
	switch {
	case it.meta == scan.Null:
		return "_meta"
	case it.annotations == scan.Null:
		return "annotations"
	case it.kind != itemLink:
		return ""
	case it.title == scan.Null:
		return "title"
	case it.description == scan.Null:
		return "description"
	case it.mimeType == scan.Null:
		return "mimeType"
	case it.size == scan.Null:
		return "size"
	case it.icons == scan.Null:
		return "icons"
	}
	return ""
}
