package classifier

import "fmt"

// Action is what may be done about a call.
type Action uint8

const (
	// Never is not to send the call again.
	Never Action = iota + 1
	// Ask is to leave it to a person, or to what the caller knows itself.
	Ask
	// AfterChange is to send it again only once something has changed.
	AfterChange
	// AnswerInputs is to gather inputs and send the call again with them.
	AnswerInputs
	// WaitAndRetry is to send it again after a wait, without asking.
	WaitAndRetry

	actionEnd
)

var actionNames = [actionEnd]string{Never: "never", Ask: "ask", AfterChange: "after-change", AnswerInputs: "answer-inputs", WaitAndRetry: "wait-and-retry"}

// String is the action's word, such as wait-and-retry.
func (a Action) String() string {
	if a == 0 || a >= actionEnd {
		return fmt.Sprintf("Action(%d)", uint8(a))
	}
	return actionNames[a]
}

// MarshalText writes the word; an action that is none is an error.
func (a Action) MarshalText() ([]byte, error) {
	if a == 0 || a >= actionEnd {
		return nil, fmt.Errorf("classifier: marshal action %d: not an action", uint8(a))
	}
	return []byte(a.String()), nil
}

// UnmarshalText reads a word, spelled exactly.
func (a *Action) UnmarshalText(text []byte) error {
	for i := Never; i < actionEnd; i++ {
		if actionNames[i] == string(text) {
			*a = i
			return nil
		}
	}
	return fmt.Errorf("classifier: unknown action %.40q; the actions are never, ask, after-change, answer-inputs, wait-and-retry", text)
}

// Change is what must change before a call is sent again.
type Change uint8

const (
	// ChangeRequest is the request itself: its address, form or the code that makes it.
	ChangeRequest Change = iota + 1
	// ChangeMethod is the method, which the server does not have.
	ChangeMethod
	// ChangeArguments is the arguments of the call.
	ChangeArguments
	// ChangeHeaders is the HTTP header fields, and the tool list that they are made from.
	ChangeHeaders
	// ChangeCapabilities is the capabilities that the client declares.
	ChangeCapabilities
	// ChangeVersion is the protocol version.
	ChangeVersion
	// ChangeAuthorisation is the credentials.
	ChangeAuthorisation
	// ChangeLimit is the reader's size limit, or what the call asks for.
	ChangeLimit

	changeEnd
)

var changeNames = [changeEnd]string{
	ChangeRequest: "request", ChangeMethod: "method", ChangeArguments: "arguments", ChangeHeaders: "headers",
	ChangeCapabilities: "capabilities", ChangeVersion: "version", ChangeAuthorisation: "authorisation", ChangeLimit: "limit",
}

// String is the word for what must change, "" for the zero value.
func (c Change) String() string {
	if c >= changeEnd {
		return fmt.Sprintf("Change(%d)", uint8(c))
	}
	return changeNames[c]
}

// MarshalText writes the word, nothing for the zero value.
func (c Change) MarshalText() ([]byte, error) {
	if c >= changeEnd {
		return nil, fmt.Errorf("classifier: marshal change %d: not a change", uint8(c))
	}
	return []byte(c.String()), nil
}

// ToModel tells whether an answer is for the language model: a tool's own
// result or error should go there, a protocol error may, the rest is not for it.
type ToModel uint8

const (
	// ModelNo is for the client alone.
	ModelNo ToModel = iota
	// ModelMay may be given to the model.
	ModelMay
	// ModelShould should be given to the model.
	ModelShould

	toModelEnd
)

var toModelNames = [toModelEnd]string{ModelNo: "no", ModelMay: "may", ModelShould: "should"}

// String is the word of the record: no, may or should.
func (m ToModel) String() string {
	if m >= toModelEnd {
		return fmt.Sprintf("ToModel(%d)", uint8(m))
	}
	return toModelNames[m]
}

// MarshalText writes the word; a value that is none is an error.
func (m ToModel) MarshalText() ([]byte, error) {
	if m >= toModelEnd {
		return nil, fmt.Errorf("classifier: marshal to-model %d: not a word of it", uint8(m))
	}
	return []byte(m.String()), nil
}

// UnmarshalText reads a word, spelled exactly.
func (m *ToModel) UnmarshalText(text []byte) error {
	for i := ModelNo; i < toModelEnd; i++ {
		if toModelNames[i] == string(text) {
			*m = i
			return nil
		}
	}
	return fmt.Errorf("classifier: unknown word %.40q; the words are no, may, should", text)
}
