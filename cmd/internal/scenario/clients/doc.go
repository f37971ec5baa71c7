// Package clients runs real clients against each scenario of a scenario server:
// the Go SDK's, the TypeScript SDK's, and the MCP Inspector in its command-line
// mode. What each did stands in CLIENTS.md. It is a module of its own, so that the
// clients are none of what the command depends on.
package clients
