package gopterprop

import (
	"reflect"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/callers"
)

// Callers is a property of callers: on one connection they are put through
// sequence after sequence, by gopter's commands. Failing runs are shrunk, the
// calls and then the sequences in them. Bad options make it fail; options that say
// how callers.Check searches have no meaning.
//
//	properties.Property("calls", gopterprop.Callers(mine.NewCaller))
func Callers(maker callers.Maker, options ...callers.Option) gopter.Prop {
	setup, err := callers.NewSetup(maker, options...)
	if err != nil {
		return failed(err)
	}
	return commands.Prop(&commands.ProtoCommands{
		NewSystemUnderTestFunc:     func(commands.State) commands.SystemUnderTest { return setup.NewSession() },
		DestroySystemUnderTestFunc: func(s commands.SystemUnderTest) { s.(*callers.Session).Close() },
		InitialStateGen:            gen.Const(0),
		GenCommandFunc:             func(commands.State) gopter.Gen { return calls },
	})
}

// Sequences generates sequences of answers that shrink.
func Sequences(parameters *gopter.GenParameters) *gopter.GenResult {
	return gopter.NewGenResult(callers.Build(choices{parameters}), func(v any) gopter.Shrink {
		return plainer(v.(callers.Sequence), func(s callers.Sequence) any { return s })
	})
}

// calls generates the commands.
func calls(parameters *gopter.GenParameters) *gopter.GenResult {
	return &gopter.GenResult{
		Result:     commands.Command(call{callers.Build(choices{parameters})}),
		ResultType: reflect.TypeFor[commands.Command](),
		Shrinker: func(v any) gopter.Shrink {
			return plainer(v.(call).sequence, func(s callers.Sequence) any { return commands.Command(call{s}) })
		},
	}
}

// plainer are the sequences that are one step plainer, made into something.
func plainer(s callers.Sequence, as func(callers.Sequence) any) gopter.Shrink {
	var all []callers.Sequence
	for p := range callers.Plainer(s) {
		all = append(all, p)
	}
	return func() (any, bool) {
		if len(all) == 0 {
			return nil, false
		}
		next := as(all[0])
		all = all[1:]
		return next, true
	}
}

// choices are the choices of gopter's generator.
type choices struct{ *gopter.GenParameters }

// N is a choice below n.
func (c choices) N(n int) int { return c.Rng.Intn(n) }

var _ generators.Source = choices{}

// call is one command: a call that gets the answers of a sequence.
type call struct{ sequence callers.Sequence }

// Run makes the call.
func (c call) Run(s commands.SystemUnderTest) commands.Result {
	return s.(*callers.Session).Play(c.sequence)
}

// NextState counts the calls.
func (call) NextState(s commands.State) commands.State { return s.(int) + 1 }

// PreCondition is that the caller is there.
func (call) PreCondition(commands.State) bool { return true }

// PostCondition is that no property failed.
func (call) PostCondition(_ commands.State, result commands.Result) *gopter.PropResult {
	if failure := result.(*callers.Failure); failure != nil {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{failure.Error()}}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

// String is the text of the sequence.
func (c call) String() string { return c.sequence.String() }
