package generators_test

import (
	"fmt"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/generators"
)

// A recipe is kept as text; rendering it gives the answer and its verdict.
func Example() {
	c := generators.Default()
	r, err := c.Parse("rpc-error +status=400 +number=exponent")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer := c.Render(r)
	fmt.Println(*answer.Status, string(answer.Body))
	fmt.Println(answer.Expect.Outcome, answer.Expect.Code, answer.AlsoAcceptable)
	// Output:
	// 400 {"jsonrpc":"2.0","id":1e0,"error":{"code":-32602e0,"message":"synthetic invalid params"}}
	// HTTP_ERROR -32602e0 [JSONRPC_ERROR]
}

// A fault of your own is generated, enumerated and documented like the others.
func ExampleCatalogue_With() {
	c := generators.Default().With(generators.Fault{
		Name: "teapot", Layer: classifier.Transport, Rule: "1",
		Doc: "a 418 over the body as it is", Effect: "HTTP_ERROR",
		Parts: generators.PartStatus, Needs: generators.NeedAnswer,
		Variants: []generators.Variant{{Edit: func(p *generators.Plan) { p.Status = 418 }}},
	})
	answer := c.FaultCase("teapot")
	fmt.Println(answer.ID, *answer.Status, answer.Expect.Outcome)
	// Output: fault/teapot 418 HTTP_ERROR
}

// A failing recipe is shrunk to the plainest that still fails.
func ExampleCatalogue_Shrink() {
	c := generators.Default()
	r, err := c.Parse("tool-error +json-trailing=html +content=two +order=reversed +sse=mixed")
	if err != nil {
		fmt.Println(err)
		return
	}
	least := c.Shrink(r, func(s generators.Recipe) bool {
		return c.Render(s).Expect.Reason == "json-trailing"
	})
	fmt.Println(c.Format(least))
	// Output: success +json-trailing=garbage
}
