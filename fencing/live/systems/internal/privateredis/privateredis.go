// Package privateredis is what the adapters for one Redis server and for five have
// in common: a server of their own, and a quiet client.
package privateredis

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"fencingtokens/fencing/live/systems/internal/private"
)

// Start starts a Redis server of our own that keeps nothing on disk, and returns
// when it answers, with its address. It is reached through a socket in its folder,
// which only this user can open; settings are further ones, as on redis-server's
// command line.
func Start(ctx context.Context, settings ...string) (process *private.Process, address string, err error) {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, "", private.Absent("there is no redis-server on this machine (Debian, Ubuntu: apt install redis-server; macOS: brew install redis)")
	}
	process, err = private.Start("A Redis server of our own", program, func(dir string) ([]string, error) {
		return append([]string{"--port", "0", "--unixsocket", dir + "/redis.sock", "--unixsocketperm", "700",
			"--dir", dir, "--save", "", "--appendonly", "no"}, settings...), nil
	})
	if err != nil {
		return nil, "", err
	}
	address = "unix://" + process.File("redis.sock")
	client, err := Client(address)
	if err == nil {
		defer client.Close()
		err = process.Answers(ctx, func(ctx context.Context) error { return client.Ping(ctx).Err() })
	}
	if err != nil {
		process.Close()
		return nil, "", err
	}
	return process, address, nil
}

// Client returns a client for an address such as redis://:password@host:6379/0.
// It dials when it is used first. It sends nothing twice: a request whose answer
// is lost may have been done, and only its caller knows what that means.
func Client(address string) (*redis.Client, error) {
	redis.SetLogger(&logging.VoidLogger{}) // it writes addresses to the standard error
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, errors.New("an address of Redis is not of the form redis://:password@host:6379/0")
	}
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.DialTimeout = 5 * time.Second
	options.ReadTimeout = 5 * time.Second
	options.WriteTimeout = 5 * time.Second
	options.ContextTimeoutEnabled = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(options), nil
}

// Conceal is [private.Conceal], and knows the errors that Redis itself answers
// with: it keeps their first word, for example NOAUTH or READONLY.
func Conceal(what string, err error) error {
	var answer redis.Error
	if errors.As(err, &answer) {
		word, _, _ := strings.Cut(answer.Error(), " ")
		return private.Because(what, "it answers "+word)
	}
	if errors.Is(err, fs.ErrNotExist) { // the socket of a server of our own
		return private.Because(what, "the server is not there any more")
	}
	return private.Conceal(what, err)
}
