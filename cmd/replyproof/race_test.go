//go:build race

package main

// underRace is how much more memory a process takes under the race detector.
const underRace = 3
