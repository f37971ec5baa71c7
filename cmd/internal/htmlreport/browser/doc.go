// Package browser holds the tests of the report page, and of the page of a scenario
// server, in a headless Chromium. It is a module of its own, so that the driver of
// the browser is none of what the command depends on.
package browser
