package fuzz

// Target is one search: the name of its native target, its body and its seeds.
type Target struct {
	Name  string
	Body  func(t T, data []byte)
	Seeds func() [][]byte
	// Sample is the answer that the body makes of data and has judged; of a
	// batch the one that tells most.
	Sample func(data []byte) Sample
}

// Targets lists all of them.
func Targets() []Target {
	return []Target{
		{"FuzzEnvelope", Envelope, EnvelopeSeeds, jsonSample},
		{"FuzzStream", Stream, StreamSeeds, func(data []byte) Sample { s, _ := plannedStream(data); return s }},
		{"FuzzContentType", ContentType, ContentTypeSeeds, typed},
		{"FuzzRetryAfter", RetryAfter, RetryAfterSeeds, refused},
		{"FuzzCoding", Coding, CodingSeeds, codedAnswer},
		{"FuzzAnswer", Answer, AnswerSeeds, ParseSample},
		{"FuzzChoices", Choices, ChoicesSeeds, func(data []byte) Sample { _, c := chosen(data); return SampleOf(c) }},
		{"FuzzBatch", Batch, BatchSeeds, batched},
	}
}
