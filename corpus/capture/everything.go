package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const everythingPackage = "@modelcontextprotocol/server-everything"

// everything is the npm reference server on loopback, its sessions in two of the
// legacy revisions. The server knows no later one and streams every answer to a call.
type everything struct {
	stream, older *peer
	node          *exec.Cmd
	gone          chan error
	source        string
}

// startEverything starts the server that npm ci has put under folder; close stops it, and so does the end of ctx.
func startEverything(ctx context.Context, folder string) (*everything, error) {
	installed := filepath.Join(folder, "node_modules", filepath.FromSlash(everythingPackage))
	e := &everything{gone: make(chan error, 1)}
	var err error
	if e.source, err = everythingSource(folder, installed); err != nil {
		return nil, err
	}
	e.node = exec.CommandContext(ctx, "node", "--import", "./loopback.mjs", filepath.Join("node_modules", filepath.FromSlash(everythingPackage), "dist", "index.js"), "streamableHttp")
	e.node.Dir = folder
	e.node.Env = append(os.Environ(), "PORT=0")
	out, err := e.node.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", everythingPackage, err)
	}
	if err := e.node.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", everythingPackage, err)
	}
	port := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if p, ok := strings.CutPrefix(lines.Text(), "capture: port "); ok {
				port <- p
			}
		}
		io.Copy(io.Discard, out) //nolint:errcheck // only to keep the pipe empty
		e.gone <- e.node.Wait()
	}()
	select {
	case p := <-port:
		e.stream = &peer{addr: "127.0.0.1:" + p, path: "/mcp", version: legacy}
		e.older = &peer{addr: "127.0.0.1:" + p, path: "/mcp", version: "2025-06-18"}
	case err := <-e.gone:
		return nil, fmt.Errorf("start %s: ended before it listened: %v", everythingPackage, err)
	case <-time.After(patience):
		e.close()
		return nil, fmt.Errorf("start %s: not listening after %s", everythingPackage, patience)
	}
	for _, p := range []*peer{e.stream, e.older} {
		if err := p.open(); err != nil {
			e.close()
			return nil, fmt.Errorf("%s, %s: %w", everythingPackage, p.version, err)
		}
	}
	return e, nil
}

// close ends the server's process and waits for it.
func (e *everything) close() {
	e.node.Process.Kill() //nolint:errcheck // it may have ended by itself
	<-e.gone
}

// everythingSource names the server and its SDK in the versions installed.
func everythingSource(folder, installed string) (string, error) {
	server, err := packageVersion(installed)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s is not installed under %s: run npm ci there", everythingPackage, folder)
	}
	if err != nil {
		return "", err
	}
	sdk, err := packageVersion(filepath.Join(folder, "node_modules", "@modelcontextprotocol", "sdk"))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s on @modelcontextprotocol/sdk %s", everythingPackage, server, sdk), nil
}

func packageVersion(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", fmt.Errorf("read package version: %w", err)
	}
	var pkg struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &pkg); err != nil || pkg.Version == "" {
		return "", fmt.Errorf("read package version: no version in %s: %v", folder, err)
	}
	return pkg.Version, nil
}
