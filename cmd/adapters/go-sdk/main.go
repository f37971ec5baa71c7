// Command go-sdk puts the client of the official Go SDK,
// github.com/modelcontextprotocol/go-sdk, behind replyproof's adapter protocol:
//
//	replyproof check --adapter 'cmd/adapters/bin/go-sdk'              # protocol version 2026-07-28
//	replyproof check --adapter 'cmd/adapters/bin/go-sdk 2025-11-25'   # or an earlier one
//
// It is meant to be copied for another client in Go. This file speaks the
// protocol, JSON lines on standard input and output, and can stay as it is; all
// that is the client's own stands in client.go. Standard output is for the
// protocol alone: whatever the client logs must go to standard error.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"os"
	"time"
)

// ask is a line that comes in: the start, or one call to make.
type ask struct {
	Cmd        string         `json:"cmd"`
	DeadlineMS int            `json:"deadline_ms"`
	Seq        int            `json:"seq"`
	URL        string         `json:"url"`
	Tool       string         `json:"tool"`
	Arguments  map[string]any `json:"arguments"`
}

// ready answers the start.
type ready struct {
	Ready           bool     `json:"ready"`
	Name            string   `json:"name"`
	Version         string   `json:"version"`
	Kind            string   `json:"kind"`
	ProtocolVersion string   `json:"protocol_version"`
	Tells           []string `json:"tells"`
}

// verdict answers a call: what the client made of it.
type verdict struct {
	Seq    int    `json:"seq"`
	Saw    string `json:"saw,omitempty"`
	Code   *int64 `json:"code,omitempty"`
	Status int    `json:"status,omitempty"`
	Text   string `json:"text,omitempty"`
	Alive  *bool  `json:"alive,omitempty"`
}

func main() {
	version := "2026-07-28"
	if len(os.Args) > 1 {
		version = os.Args[1]
	}
	client := newClient(version)
	defer client.close()
	lines, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		var a ask
		if err == nil {
			err = json.Unmarshal(line, &a)
		}
		if err != nil {
			log.Fatalf("read a line of the protocol: %v", err)
		}
		if a.Cmd == "start" {
			// A call gets a part of the time, so that the client can say that it
			// was too long, and the connection be looked at.
			client.timeout = time.Duration(a.DeadlineMS) * time.Millisecond * 6 / 10
			err = out.Encode(ready{
				Ready: true, Name: name, Version: moduleVersion(), Kind: "client", ProtocolVersion: version, Tells: tells,
			})
		} else {
			v := client.call(a)
			v.Seq = a.Seq
			err = out.Encode(v)
		}
		if err != nil {
			log.Fatalf("write a line of the protocol: %v", err)
		}
	}
}
