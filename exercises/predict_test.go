package exercises_test

import (
	"time"

	"fencingtokens/exercises"
	"fencingtokens/fencing"
)

// In a lesson the strings are constants of a cell above the run.
func ExamplePredict() {
	trace := fencing.GCPause().Run()
	write := trace.Attempts()[1]
	exercises.Predict("client 1 writes at", "16s", write.At)
	exercises.Predict("client 1 writes at", "", write.At)
	exercises.Predict("is it accepted?", "no", write.Accepted)
	exercises.Predict("its token", "33", write.Token)
	// Output:
	// client 1 writes at: you said 16 s, and so it was
	// client 1 writes at: 16 s (you predicted nothing)
	// is it accepted?: you said no, and it was yes: what did you not expect?
	// its token: you said 33, and so it was
}

func ExamplePredict_whatCanBeSaid() {
	for _, said := range []string{"11", " 11 s ", "11s", "11.5 s", "later"} {
		exercises.Predict("the lease ends at", said, 11*time.Second)
	}
	exercises.Predict("who wrote last", "CLIENT 2 ", "client 2")
	exercises.Predict("how many writes are accepted", "two", 2)
	// Output:
	// the lease ends at: you said 11 s, and so it was
	// the lease ends at: you said 11 s, and so it was
	// the lease ends at: you said 11 s, and so it was
	// the lease ends at: you said 11.5 s, and it was 11 s: what did you not expect?
	// the lease ends at: you said "later", and it was 11 s (say it as in "11 s", and run both cells again)
	// who wrote last: you said client 2, and so it was
	// how many writes are accepted: you said "two", and it was 2 (say it as in "2", and run both cells again)
}
