module github.com/replyproof/replyproof/ci/mutants

go 1.26.0
