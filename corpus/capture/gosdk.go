package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const goSDKModule = "github.com/modelcontextprotocol/go-sdk"

// goSDKSource names the official Go SDK in the version that is built in.
func goSDKSource() (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", errors.New("go sdk: no build information")
	}
	for _, dep := range info.Deps {
		if dep.Path == goSDKModule {
			return "server of " + goSDKModule + " " + dep.Version, nil
		}
	}
	return "", fmt.Errorf("go sdk: %s is not among the dependencies of this binary", goSDKModule)
}

type noInput struct{}

type weather struct {
	Temperature int    `json:"temperature"`
	Conditions  string `json:"conditions"`
}

type city struct {
	City string `json:"city" jsonschema:"where"`
}

// newGoSDKServer is a server with one tool for each kind of answer.
func newGoSDKServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "capture", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "greet"}, func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Grüße, 世界 <&> \u2028 🙂"}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, noInput) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("the disk is full")
	})
	mcp.AddTool(s, &mcp.Tool{Name: "weather"}, func(_ context.Context, _ *mcp.CallToolRequest, in city) (*mcp.CallToolResult, weather, error) {
		return nil, weather{Temperature: 21, Conditions: "clear over " + in.City}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "steps"}, func(ctx context.Context, req *mcp.CallToolRequest, _ noInput) (*mcp.CallToolResult, any, error) {
		for i := 1; i <= 2; i++ {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(), Progress: float64(i), Total: 2,
			}); err != nil {
				return nil, nil, err
			}
		}
		if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "two steps taken"}); err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "stall"}, func(ctx context.Context, req *mcp.CallToolRequest, _ noInput) (*mcp.CallToolResult, any, error) {
		if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: req.Params.GetProgressToken(), Progress: 1, Total: 2,
		}); err != nil {
			return nil, nil, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(patience):
			return nil, nil, errors.New("nobody broke the connection")
		}
	})
	s.AddTool(&mcp.Tool{Name: "confirm", InputSchema: object{"type": "object"}}, confirm)
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: object{"type": "object"}}, ask)
	s.AddTool(&mcp.Tool{Name: "gallery", InputSchema: object{"type": "object"}}, gallery)
	return s
}

var question = &mcp.ElicitParams{Message: "Go on?", RequestedSchema: object{
	"type": "object", "properties": object{"go": object{"type": "boolean"}},
}}

// confirm asks for input with a result, as 2026-07-28 has it.
func confirm(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{"go-on": question},
		RequestState:  "state/é",
	}, nil
}

// ask asks for input with a request of the server's inside the stream, as earlier revisions have it.
func ask(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	got, err := req.Session.Elicit(ctx, question)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "answered: " + got.Action}}}, nil
}

// gallery answers with one content item of each type.
func gallery(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.TextContent{Text: "text", Annotations: &mcp.Annotations{Priority: 0.5}},
		&mcp.ImageContent{Data: []byte{0x89, 'P', 'N', 'G'}, MIMEType: "image/png"},
		&mcp.AudioContent{Data: []byte("RIFF"), MIMEType: "audio/wav"},
		&mcp.ResourceLink{URI: "file:///a", Name: "a"},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b", Text: "b"}},
	}}, nil
}

// goSDK is the official Go SDK's server on loopback, once for each way of answering.
type goSDK struct {
	modernJSON, modernStream, legacyJSON, legacyStream, resumable *peer
	servers                                                       []*http.Server
}

// startGoSDK starts the servers; close stops them.
func startGoSDK() (*goSDK, error) {
	g := &goSDK{}
	for _, s := range []struct {
		at      **peer
		version string
		opts    mcp.StreamableHTTPOptions
	}{
		{&g.modernJSON, modern, mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}},
		{&g.modernStream, modern, mcp.StreamableHTTPOptions{Stateless: true}},
		{&g.legacyJSON, legacy, mcp.StreamableHTTPOptions{JSONResponse: true}},
		{&g.legacyStream, legacy, mcp.StreamableHTTPOptions{}},
		{&g.resumable, legacy, mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)}},
	} {
		p, err := g.start(s.version, &s.opts)
		if err != nil {
			g.close()
			return nil, fmt.Errorf("go sdk, %s: %w", s.version, err)
		}
		*s.at = p
	}
	return g, nil
}

func (g *goSDK) start(version string, opts *mcp.StreamableHTTPOptions) (*peer, error) {
	mcpServer := newGoSDKServer()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{
		Handler:           mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return mcpServer }, opts),
		ReadHeaderTimeout: patience,
	}
	g.servers = append(g.servers, server)
	go server.Serve(listener) //nolint:errcheck // always http.ErrServerClosed after close
	p := &peer{addr: listener.Addr().String(), path: "/mcp", version: version}
	if version == legacy {
		if err := p.open(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// close breaks every connection and stops every server.
func (g *goSDK) close() {
	for _, s := range g.servers {
		s.Close()
	}
}
