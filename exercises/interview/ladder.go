package interview

// followUp is a question that an interviewer asks next, with the points of a
// good answer and the lesson that shows them.
type followUp struct {
	topic   string
	ask     string
	points  []string
	lesson  string
	further bool // asked when the others went well
}

// The topics, in the order of the ladder.
const (
	topicLease   = "lease and belief"
	topicFence   = "fence and storage"
	topicService = "lock service"
	topicDesign  = "design"
)

// ladder is the twenty follow-ups, and those that press further.
func ladder() []followUp {
	return []followUp{
		{topic: topicLease, ask: "Why can a lock with a time-out not exclude?", lesson: "02-gc-pause", points: []string{
			"From outside, slow looks like dead: the service must end the lease of both.",
			"The slow holder goes on where it stood, and acts.",
			"Without a time-out a crash would block the lock for ever.",
		}},
		{topic: topicFence, ask: "What exactly does fencing promise?", lesson: "06-fencing-tokens", points: []string{
			"Once the storage has accepted token n for a key, it accepts nothing lower for that key.",
			"It does not keep two clients from believing that they hold the lock.",
			"It gives neither exactly once nor atomicity over several keys.",
		}},
		{topic: topicFence, ask: "Who checks the token?", lesson: "06-fencing-tokens", points: []string{
			"The storage: it is the only place that all writes reach.",
			"Comparing and storing are one step.",
			"It remembers the fence durably, as long as the data, through restart and deletion.",
		}},
		{topic: topicFence, ask: "Does the storage reject what is lower, lower or equal, or not equal?", lesson: "06-fencing-tokens", points: []string{
			"Lower is rejected, equal passes: the holder writes more than once with one token.",
			"Not equal locks out every later holder.",
			"Gaps are normal: not every grant leads to a write.",
		}},
		{topic: topicFence, ask: "The old holder’s write arrives before the new holder’s first. What happens?", lesson: "07-the-hole", points: []string{
			"It is accepted: the fence is still the old one. It is late, but not stale.",
			"If the new holder has read already, its next write loses that update.",
			"Cure: the new holder claims first, which raises the fence and reads in one step.",
		}},
		{topic: topicLease, ask: "Why not check the lease right before the write?", lesson: "03-check-then-write", points: []string{
			"The pause can fall between the check and the write.",
			"The message can be held up after it was sent.",
			"A check makes the window narrower and never closes it.",
		}},
		{topic: topicLease, ask: "And if the holder renews every second?", lesson: "05-renewing-more-often", points: []string{
			"Whoever stands still renews nothing.",
			"It guards against losing a lease to a lost message, and allows a shorter one.",
			"A renewer in a thread of its own may keep a stuck worker’s lock for ever.",
		}},
		{topic: topicLease, ask: "How long should the lease be?", lesson: "08-efficiency-or-correctness", points: []string{
			"At least the pauses that you see (p99.9), round trips, one or two more tries, drift.",
			"At most as long as everybody may wait after a crash.",
			"It is sized for the take-over and never for safety.",
		}},
		{topic: topicLease, ask: "When does the client’s own deadline start?", lesson: "05-renewing-more-often", points: []string{
			"Before it sends the request, not when the reply comes.",
			"On a monotonic clock, less a margin for drift.",
			"After waiting in a queue: renew at once, and count from that send.",
		}},
		{topic: topicService, ask: "The Redis server fails over. What can happen?", lesson: "09-redlock", points: []string{
			"Replication is asynchronous: the copy may not know of the last grant.",
			"Two clients hold the lock, and nobody paused.",
			"If the copy counts tokens, both may even carry the same one.",
		}},
		{topic: topicService, ask: "Redlock: for or against?", lesson: "09-redlock", points: []string{
			"For efficiency it is more than needed, for correctness it lacks a token.",
			"Its elapsed-time check catches delays before it; a pause after it, or on the way to the resource, is caught by nothing.",
			"It trusts clocks: a jump, or a node that forgets, gives the lock out twice.",
			"The other side: a storage that can reject tokens is already linearizable, and a unique value with compare-and-set guards it too.",
		}},
		{topic: topicService, ask: "Which number of ZooKeeper, and which of etcd, is the token?", lesson: "06-fencing-tokens", points: []string{
			"ZooKeeper: the czxid of your own lock node, read at acquire.",
			"etcd: the create revision of your lock key.",
			"Not a data version, lease id or mod revision: they are not ordered by grants, or they move while you hold.",
		}},
		{topic: topicDesign, ask: "The storage cannot check tokens. What now?", lesson: "10-without-a-lock", points: []string{
			"Put something in front that can: all writes go through one place that compares.",
			"Or keep the decision in a database row that can, and apply it outside with an idempotency key.",
			"A lock-delay makes it rarer and proves nothing.",
			"Else say plainly that the lock is for efficiency.",
		}},
		{topic: topicDesign, ask: "One job changes two resources. What now?", lesson: "07-the-hole", points: []string{
			"A fence for each: claim both, in one fixed order, before the first write.",
			"Fencing makes them not atomic: a crash between the two writes leaves half.",
			"One fenced commit record, from which both are applied, cures that.",
		}},
		{topic: topicService, ask: "The lock service is restored from a backup. What now?", lesson: "09-redlock", points: []string{
			"Its counter goes back, and numbers are given out a second time.",
			"The storages’ fences are higher: every new holder is rejected, or worse, equals an old one.",
			"Start above every fence, or put a generation in front of the number.",
		}},
		{topic: topicService, ask: "What is a safe unlock?", lesson: "01-acquire-renew-release", points: []string{
			"Compare and delete in one step, by the value or token of this grant.",
			"A plain delete frees the next holder’s lock.",
			"If its outcome is unknown, let the lease run out; a retry must be conditional too.",
		}},
		{topic: topicService, ask: "Should the lock be re-entrant?", lesson: "01-acquire-renew-release", points: []string{
			"Better pass the lease on than take the lock again.",
			"If the same owner takes it again, it is the same grant and the same token, or the inner release frees the outer one.",
			"Owner is a grant, not a client’s name.",
		}},
		{topic: topicDesign, ask: "How does this compare with leader election?", lesson: "07-the-hole", points: []string{
			"The same problem: a leader that was replaced does not know it.",
			"The term or epoch is the token.",
			"Followers reject a lower term, and a new leader raises it before it acts, which is claiming first.",
		}},
		{topic: topicDesign, ask: "Is the lock needed at all?", lesson: "10-without-a-lock", points: []string{
			"First a unique constraint, a conditional write, one owner per partition.",
			"A lock for long work that only one should do, or that costs much twice.",
			"An effect outside needs an idempotency key in any case.",
		}},
		{topic: topicDesign, ask: "How do you test it?", lesson: "11-find-the-failure", points: []string{
			"Simulate: pauses, delays, drops, crashes and clock jumps at every point.",
			"Check that accepted tokens never go down for a key, and that no update is lost.",
			"Replay the smallest failure; on the real thing, SIGSTOP the holder.",
		}},

		{further: true, topic: topicDesign, ask: "A lease is lost in the middle of work. What does the worker do?", lesson: "07-the-hole", points: []string{
			"It starts nothing new; cancelling recalls nothing that was sent.",
			"What was sent and not answered is unknown, neither done nor undone.",
			"It cleans nothing up with its old token; the successor resumes from what is committed.",
		}},
		{further: true, topic: topicDesign, ask: "The payout service takes no tokens. What now?", lesson: "10-without-a-lock", points: []string{
			"Record the payout in an outbox, in the same transaction as the fenced write.",
			"Send it with an idempotency key that belongs to the payout, not to the try.",
			"After a crash it is sent again with the same key.",
		}},
		{further: true, topic: topicDesign, ask: "There are millions of accounts. One lock each?", lesson: "10-without-a-lock", points: []string{
			"Partitions: one owner for many accounts, one lease each partition.",
			"The partition’s token guards all its rows; the fence still stands by each row or partition.",
			"Moving a partition is a new grant with a higher token.",
		}},
		{further: true, topic: topicService, ask: "The lock service is down. What do the workers do?", lesson: "05-renewing-more-often", points: []string{
			"Go on until their own deadline, and start no write after it.",
			"Then stop: availability is given up, the data is not.",
			"Writes already fenced stay right whether or not the service is there.",
		}},
		{further: true, topic: topicFence, ask: "How do you add the fence column while old writers still run?", lesson: "06-fencing-tokens", points: []string{
			"Add it as NOT NULL with a default of 0, so that no comparison meets NULL.",
			"Old writers pass no condition and go round the fence: until the last is gone it promises nothing.",
			"First make all writers send tokens, then let the storage refuse writes without one.",
		}},
		{further: true, topic: topicFence, ask: "The database fails over asynchronously. What of the fence?", lesson: "07-the-hole", points: []string{
			"The copy may not know the last fence: it went back, and stale writes pass.",
			"The fence must be as durable and as consistent as the data that it guards.",
			"Synchronous replication, or a new grant and a claim after every failover.",
		}},
		{further: true, topic: topicFence, ask: "What about stale reads?", lesson: "07-the-hole", points: []string{
			"A fence on writes stops no read by an old holder.",
			"A read that leads to an effect must be part of a fenced step, or claim.",
			"Reads from a replica may lag behind the fence as well.",
		}},
		{further: true, topic: topicLease, ask: "Why may a system like Spanner rely on leases?", lesson: "05-renewing-more-often", points: []string{
			"It bounds how far clocks drift, takes machines out whose clocks are worse, and waits out the uncertainty.",
			"Its effects stay inside the system, which checks at commit.",
			"A write to somebody else’s storage would have the same gap as ours.",
		}},
		{further: true, topic: topicFence, ask: "Is a version column not a fence?", lesson: "10-without-a-lock", points: []string{
			"It finds conflicts: somebody has written since I read.",
			"It does not know owners: an old holder that reads again passes.",
			"For one read-modify-write that is enough; for work over several writes it is not.",
		}},
		{further: true, topic: topicService, ask: "Why consensus behind the lock service?", lesson: "07-the-hole", points: []string{
			"Fail over to a copy that lags: the counter goes back, and two clients hold the same token.",
			"A grant must be known to a majority before it is told, and survive any failover: that is what Raft and its like do.",
			"It makes tokens unique and rising. It does not stop a late holder: the storage’s check does.",
		}},
	}
}

// mistake is an answer that interviewers hear often.
type mistake struct{ answer, why, lesson string }

func mistakes() []mistake {
	return []mistake{
		{"Set-if-absent with a time to live, and done.", "That is a lease. Its holder may be too late, and nothing at the storage stops it.", "02-gc-pause"},
		{"A time to live of twice the job.", "It outlasts the usual job, and no pause in general; after a crash everybody waits that long.", "08-efficiency-or-correctness"},
		{"A watchdog renews it.", "It stands still with its process. If it does not, it keeps a stuck worker’s lock.", "05-renewing-more-often"},
		{"Five Redis nodes, so it is consistent.", "A majority of clocks is no consensus, and there is no token.", "09-redlock"},
		{"Add fencing.", "Right, and half an answer: who remembers the highest token, where, and in one step with what?", "06-fencing-tokens"},
		{"A timestamp as the token.", "Clocks jump, and two grants may carry the same time.", "06-fencing-tokens"},
		{"Delete the lock in `finally`.", "The lease may have ended and another may hold it: that frees somebody else’s lock.", "01-acquire-renew-release"},
		{"All machines run NTP.", "NTP makes clocks jump, and does nothing against pauses and late messages.", "09-redlock"},
	}
}
