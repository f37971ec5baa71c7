package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// oneOfFlags refuses a command line that sets more than one of these flags.
func oneOfFlags(cmd *cobra.Command, names ...string) error {
	var given []string
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) < 2 {
		return nil
	}
	last := len(given) - 1
	return fmt.Errorf("%s and %s: give one of them", strings.Join(given[:last], ", "), given[last])
}
