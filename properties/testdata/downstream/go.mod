module example.com/downstream

go 1.26.0

require (
	github.com/leanovate/gopter v0.2.11
	github.com/replyproof/replyproof v0.0.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/andybalholm/brotli v1.3.0 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
)

replace github.com/replyproof/replyproof => ../../..
