package fuzz

// Target is one search: the name of its native target, its body and its seeds.
type Target struct {
	Name  string
	Body  func(t T, data []byte)
	Seeds func() [][]byte
}

// Targets lists all of them.
func Targets() []Target {
	return []Target{
		{"FuzzEnvelope", Envelope, EnvelopeSeeds},
		{"FuzzStream", Stream, StreamSeeds},
		{"FuzzContentType", ContentType, ContentTypeSeeds},
		{"FuzzRetryAfter", RetryAfter, RetryAfterSeeds},
		{"FuzzCoding", Coding, CodingSeeds},
		{"FuzzAnswer", Answer, AnswerSeeds},
		{"FuzzChoices", Choices, ChoicesSeeds},
		{"FuzzBatch", Batch, BatchSeeds},
	}
}
