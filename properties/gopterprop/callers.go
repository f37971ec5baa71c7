package gopterprop

import (
	"reflect"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/generators/goptergen"
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
	return gopter.NewGenResult(sequence(parameters), func(v any) gopter.Shrink {
		return goptergen.Offer(callers.Plainer(v.(callers.Sequence)))
	})
}

// calls generates the commands.
func calls(parameters *gopter.GenParameters) *gopter.GenResult {
	return &gopter.GenResult{
		Result:     commands.Command(call{sequence(parameters)}),
		ResultType: reflect.TypeFor[commands.Command](),
		Shrinker: func(v any) gopter.Shrink {
			return goptergen.Offer(callers.Plainer(v.(call).sequence)).Map(func(s callers.Sequence) call { return call{s} })
		},
	}
}

// sequence is made of one number of gopter's generator.
func sequence(parameters *gopter.GenParameters) callers.Sequence {
	return callers.Build(generators.NewPlain(parameters.Rng.Uint64()))
}

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
