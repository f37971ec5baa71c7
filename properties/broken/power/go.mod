module github.com/replyproof/replyproof/properties/broken/power

go 1.26.0

replace github.com/replyproof/replyproof => ../../..

require (
	github.com/jedib0t/go-pretty/v6 v6.9.2
	github.com/leanovate/gopter v0.2.11
	github.com/replyproof/replyproof v0.0.0-00010101000000-000000000000
	pgregory.net/rapid v1.3.0
)

require (
	github.com/andybalholm/brotli v1.3.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/mattn/go-runewidth v0.0.30 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.22.0 // indirect
)
