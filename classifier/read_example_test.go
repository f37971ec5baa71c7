package classifier_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// A live response is read as far as its verdict needs, and no further.
func ExampleRead() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params"}}`+"\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done() // the stream stays open
	}))
	defer server.Close()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	resp, err := http.Post(server.URL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`))
	if err != nil {
		fmt.Println(classifier.ClassifyNoAnswer(classifier.NoAnswerFromError(err)).Reason)
		return
	}
	v := classifier.Read(ctx, classifier.Call{ID: classifier.IntID(1)}, resp, classifier.ReadIdleTimeout(10*time.Second))
	fmt.Println(v.Outcome, v.Error.Number, v.Ended)
	// Output: JSONRPC_ERROR -32602 settled-early
}

// Nothing is sent again unasked while side effects are unknown.
func ExampleAdvise() {
	v := classifier.Classify(classifier.Call{ID: classifier.IntID(1)},
		classifier.Answer{Status: 503, Header: http.Header{"Retry-After": {"2"}}})

	unknown := classifier.Advise(v, classifier.Facts{Attempt: 1})
	fmt.Println(unknown.Action, unknown.Wait)

	safe := classifier.Advise(v, classifier.Facts{Attempt: 1, Safety: classifier.SafeCall})
	fmt.Println(safe.Action, safe.Wait, safe.Jitter)
	// Output:
	// ask 2s
	// wait-and-retry 2s 200ms
}
