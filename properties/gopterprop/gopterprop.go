// Package gopterprop holds the properties of package properties as values of
// github.com/leanovate/gopter. Failing recipes are shrunk as recipes.
//
//	func TestJudge(t *testing.T) {
//		parameters := gopter.DefaultTestParameters()
//		parameters.MinSuccessfulTests = 20000
//		gopterprop.Properties(parameters, mine.Judge).TestingRun(t)
//	}
//
// gopter's default of 100 tests is far too few for rare faults.
package gopterprop

import (
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/generators/goptergen"
	"github.com/replyproof/replyproof/properties"
)

// attempts is how many recipes are made for a test until the property has
// something to say of one.
const attempts = 24

// maxSeed bounds the seeds of a property's choices.
const maxSeed = 1 << 16

// Properties are all properties, or those that the options choose. Bad options
// are one property that fails. Options that say how properties.CheckClassifier
// searches have no meaning here: that is for the parameters to say.
func Properties(parameters *gopter.TestParameters, fn properties.Judge, options ...properties.Option) *gopter.Properties {
	all := gopter.NewProperties(parameters)
	setup, err := properties.NewSetup(fn, options...)
	if err != nil {
		all.Property("options", failed(err))
		return all
	}
	for _, p := range setup.Properties {
		all.Property(p.Name, property(setup, p))
	}
	return all
}

// Prop is one property. Bad options make it fail.
func Prop(p properties.Property, fn properties.Judge, options ...properties.Option) gopter.Prop {
	setup, err := properties.NewSetup(fn, options...)
	if err != nil {
		return failed(err)
	}
	return property(setup, p)
}

func failed(err error) gopter.Prop {
	return func(*gopter.GenParameters) *gopter.PropResult {
		return &gopter.PropResult{Status: gopter.PropError, Error: err}
	}
}

func property(setup *properties.Setup, p properties.Property) gopter.Prop {
	return prop.ForAll(func(r generators.Recipe, seed uint64) string {
		if failure, _ := setup.Try(p, r, seed); failure != nil {
			return failure.Error()
		}
		return ""
	}, telling(setup, p), gen.UInt64Range(0, maxSeed))
}

// telling generates recipes of which the property has something to say, as far
// as it finds one.
func telling(setup *properties.Setup, p properties.Property) gopter.Gen {
	recipes := goptergen.Recipes(setup.Catalogue)
	shrinker := goptergen.PlainestShrinker(setup.Catalogue)
	return func(parameters *gopter.GenParameters) *gopter.GenResult {
		for tries := 1; ; tries++ {
			result := recipes(parameters)
			result.Shrinker = shrinker
			r, ok := result.Result.(generators.Recipe)
			if !ok || tries == attempts || p.Name == properties.ByConstruction {
				return result
			}
			if _, skipped := setup.Try(p, r, 0); !skipped {
				return result
			}
		}
	}
}
