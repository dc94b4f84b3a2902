// Package interview is the preparation for an interview in lesson 13: a quiz on
// the seven questions that people ask most, a ladder of follow-ups with the
// points of a good answer, and a timed mock interview that draws from it.
//
//	interview.Questions()                         // the quiz
//	interview.Check(interview.Answers{Lease: "b"}) // and what it says to answers
//	interview.Ladder()                            // every follow-up
//	interview.Mock(1, 5)                          // five of them, drawn by seed 1
//
// The wrong options of the quiz are misconceptions that people really have. The
// points of an answer are what a good one says, in any words.
package interview
