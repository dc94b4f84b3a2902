package live

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live/sqlite"
)

// SQLite is a storage that needs nothing: SQLite itself, compiled in, in the
// memory of the storage's process.
func SQLite() Storage {
	return Storage{
		Name:        "SQLite",
		Open:        func(context.Context) (*sql.DB, error) { return sqlite.Open(sqlite.Memory) },
		Placeholder: func(n int) string { return fmt.Sprintf("?%d", n) },
	}
}

// store is the table of one run, and how its statements are written.
type store struct {
	db       *sql.DB
	table    string
	place    func(int) string
	fencing  bool
	check    fencing.Check
	checkGap time.Duration
}

// openStore makes the table. There is one row a key; the fence is a column of it,
// so that one statement can check it and write.
func openStore(ctx context.Context, s Storage, run string, config fencing.Config) (*store, error) {
	db, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	st := &store{db: db, table: tableOf(run), place: s.Placeholder, fencing: config.Fencing, check: config.Check, checkGap: config.CheckGap}
	_, err = db.ExecContext(ctx, `CREATE TABLE `+st.table+` (
		id TEXT PRIMARY KEY,
		body TEXT NOT NULL DEFAULT '',
		fence BIGINT NOT NULL DEFAULT 0,
		version BIGINT NOT NULL DEFAULT 0)`)
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("%s does not let this run make its table: %s", s.Name, Reason(err))
	}
	return st, nil
}

// drop takes the table away again.
func (st *store) drop(ctx context.Context) error {
	defer st.db.Close()
	if _, err := st.db.ExecContext(ctx, `DROP TABLE IF EXISTS `+st.table); err != nil {
		return fmt.Errorf("the run's table is still in the database (%s): drop %s", Reason(err), st.table)
	}
	return nil
}

// dropTable drops the table of a run whose storage cannot any more.
func dropTable(ctx context.Context, s Storage, run string) error {
	db, err := s.Open(ctx)
	if err != nil {
		return err
	}
	return (&store{db: db, table: tableOf(run)}).drop(ctx)
}

func tableOf(run string) string { return "fencingtokens_" + run }

// statement puts the table's name and the arguments' places in: T, and $1 to $9.
func (st *store) statement(text string) string {
	pairs := []string{"TABLE", st.table}
	for n := 1; n <= 9; n++ {
		pairs = append(pairs, fmt.Sprintf("$%d", n), st.place(n))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// row is what the table has under a key after an operation.
type row struct {
	body           string
	fence, version int64
}

func (st *store) row(ctx context.Context, key string) (r row, err error) {
	err = st.db.QueryRowContext(ctx, st.statement(`SELECT body, fence, version FROM TABLE WHERE id = $1`), key).Scan(&r.body, &r.fence, &r.version)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return r, err
}

// change is one statement, so that the check and the write are one step. The
// first write of a key makes its row. A claim raises the fence and changes
// nothing else.
func (st *store) change(ctx context.Context, q query, checked bool) (row, bool, error) {
	arguments := []any{q.Key, q.Value, int64(q.Token), int64(1)}
	if q.Op == fencing.OpClaim {
		arguments[3] = int64(0)
	}
	var conditions []string
	if checked {
		conditions = append(conditions, `kept.fence <= excluded.fence`)
	}
	if q.Check {
		conditions = append(conditions, `kept.version = $5`)
		arguments = append(arguments, q.Version)
	}
	text := `INSERT INTO TABLE AS kept (id, body, fence, version) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET
			body = CASE WHEN excluded.version = 0 THEN kept.body ELSE excluded.body END,
			fence = CASE WHEN kept.fence < excluded.fence THEN excluded.fence ELSE kept.fence END,
			version = kept.version + excluded.version`
	if len(conditions) > 0 {
		text += ` WHERE ` + strings.Join(conditions, ` AND `)
	}
	text += ` RETURNING body, fence, version`
	var r row
	err := st.db.QueryRowContext(ctx, st.statement(text), arguments...).Scan(&r.body, &r.fence, &r.version)
	if errors.Is(err, sql.ErrNoRows) { // the condition did not hold: nothing was changed
		r, err = st.row(ctx, q.Key)
		return r, false, err
	}
	return r, err == nil, err
}
