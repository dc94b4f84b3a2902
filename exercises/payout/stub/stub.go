// Package stub is the cell of the exercise as it is handed out.
package stub

import (
	"database/sql"

	"fencingtokens/exercises/payout"
)

// Payouts settles payouts and sends them to the bank.
var Payouts = payout.Answer{Settle: SettlePayout, Send: SendPayouts}

// SettlePayout is called by the holder of the account's lock, and again when
// nobody knows what became of the call.
func SettlePayout(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
	return payout.ErrNotAttempted // your transaction goes here
}

// SendPayouts is called again and again, by one worker or another.
func SendPayouts(db *sql.DB, bank payout.Bank) error {
	return payout.ErrNotAttempted // ask the bank for what is not sent
}
