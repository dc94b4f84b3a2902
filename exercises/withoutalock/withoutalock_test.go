package withoutalock_test

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/withoutalock"
	"fencingtokens/exercises/withoutalock/stub"
	"fencingtokens/fencing/live/sqlite"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Settlement)(1))
	prove.Golden(t, "passed", of(Settlement)(1))
	for _, w := range catalogue {
		if w.name == "looks, then inserts" || w.name == "the settlement and the balance in two transactions" || w.name == "the constraint's refusal is a failure" {
			prove.Golden(t, w.name, of(withoutalock.Answer{Constraint: w.constraint, Settle: w.settle})(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestSettlement(t *testing.T) {
	prove.Cell(t, withoutalock.Check, stub.Settlement, Settlement)
}

func TestOtherRightAnswersPass(t *testing.T) {
	right := in(compared(look), insert)
	prove.OthersPass(t, of, 10, map[string]withoutalock.Answer{
		"a version, and no constraint": {Settle: right},
		"a version, tried again on a conflict": {Settle: func(db *sql.DB, j job) error {
			for range 5 {
				if err := right(db, j); !errors.Is(err, errConflict) {
					return err
				}
			}
			return errConflict
		}},
		"a primary key, and the error asked": {Constraint: "PRIMARY KEY (account, period)", Settle: func(db *sql.DB, j job) error {
			err := in(insert, add)(db, j)
			if sqlite.IsDuplicate(err) {
				return nil
			}
			return err
		}},
		"an id made of the job": {Constraint: "PRIMARY KEY (id)",
			Settle: in(under(func(j job) string { return j.Account + "/" + j.Period }), add)},
		"a look that spares the work, and a constraint": {Constraint: unique, Settle: in(look, insertOrNothing, add)},
	})
}

func TestASeedRepeatsARun(t *testing.T) {
	wrong := of(withoutalock.Answer{Settle: in(insert, add)})
	first, _ := wrong(3).First()
	again, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, first.Events, again.Events)
	assert.NotEqual(t, first.Events, other.Events)
}
