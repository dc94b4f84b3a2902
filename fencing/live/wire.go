package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"fencingtokens/fencing"
)

// query is a request to the storage, as it goes over the wire.
type query struct {
	Client string
	fencing.Request
}

// result is the storage's answer.
type result struct {
	Taken    bool
	Body     string
	Version  int
	Why      string // it was not taken, after the words of the error that says so
	Conflict bool   // because of its version, and not of its token
	Failed   string // the storage could not say
}

// error is what an answer that is not taken means to the client.
func (r result) error() error {
	cause := fencing.ErrFenced
	if r.Conflict {
		cause = fencing.ErrConflict
	}
	return fmt.Errorf("%w: %s", cause, r.Why)
}

// wire leads to the storage.
type wire struct{ url string }

func newWire(url string) *wire { return &wire{url} }

// ask sends the query and waits for the answer.
func (w *wire) ask(ctx context.Context, q query) fencing.Reply {
	r, err := w.send(ctx, q)
	switch {
	case err != nil:
		err = unusable("storage", err)
	case r.Failed != "":
		err = errors.New(r.Failed)
	case !r.Taken:
		err = r.error()
	}
	return fencing.Reply{Token: q.Token, Value: r.Body, Version: r.Version, Err: err}
}

func (w *wire) send(ctx context.Context, q query) (r result, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return r, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return r, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return r, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(data, &r)
}
