package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

const rootLong = `replyproof knows, for every answer that a server, a proxy or a network can give
to an MCP tool call, which verdict is right: which layer failed, whether the
result is final, and whether the call may be sent again.

Exit status: 0 as expected, 1 deviations, or failures of a run, 2 usage or an
input that could not be read, 3 adapter broken. Results go to standard output,
everything else to standard error. A table that goes to a file or a pipe has one
line a row, however wide: less -S shows it, and --json gives it to machines.`

const rootExample = `  curl -sSi https://example.com/mcp … | replyproof classify --from http
  replyproof check --adapter "python3 my_client.py"
  replyproof explain id-mismatch`

// newRoot is the whole command line.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "replyproof",
		Short:         "Judge answers to MCP tool calls, and whoever judges them",
		Long:          rootLong,
		Example:       rootExample,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),

		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return refuseBlank(cmd) },
	}
	root.SetVersionTemplate("replyproof {{.Version}}\n")
	root.PersistentFlags().Bool("json", false, "write JSON for machines")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%s; see %s --help", firstLine(err), cmd.CommandPath())
	})
	root.AddCommand(
		newClassify(), newCheck(), newReport(), newGenerate(), newFaults(), newExplain(), newCorpus(), newNightly(), newServe(), newRecord(), newJudgeInput(),
	)
	return root
}

// refuseBlank refuses a flag that is given without a value: in a script that is
// a variable which was never set, and to run as if the flag were not there would
// do something else than was meant, such as judge another subject.
func refuseBlank(cmd *cobra.Command) error {
	for _, f := range collect(cmd.Flags().Visit) {
		values := []string{f.Value.String()}
		if several, ok := f.Value.(interface{ GetSlice() []string }); ok {
			if values = several.GetSlice(); len(values) == 0 {
				values = []string{""}
			}
		}
		for _, v := range values {
			if strings.TrimSpace(v) == "" {
				return fmt.Errorf("--%s: its value is empty; give one, or leave the flag out", f.Name)
			}
		}
	}
	return nil
}

// collect lists what visit goes through.
func collect[T any](visit func(func(T))) (all []T) {
	visit(func(one T) { all = append(all, one) })
	return all
}

// group is a command that only holds others.
func group(use, short string, children ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(children...)
	return cmd
}

func wantsJSON(cmd *cobra.Command) bool {
	yes, _ := cmd.Flags().GetBool("json")
	return yes
}

// screen is the terminal, or what stands in for it, that cmd writes to.
func screen(cmd *cobra.Command) *terminal.Screen {
	return terminal.New(cmd.OutOrStdout(), cmd.ErrOrStderr())
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// version is the module's version as the build recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	return info.Main.Version
}
