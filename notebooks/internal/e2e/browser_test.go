package e2e

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/lab"
)

// A browser is a real one, headless, at a JupyterLab of its own that shows
// copies of notebooks.
type browser struct {
	t      *testing.T
	ctx    context.Context
	server *lab.Server

	mu   sync.Mutex
	seen []string // addresses asked for
}

// chromium finds one, or skips the test. CI sets FENCING_REQUIRE_CHROMIUM, so
// that it cannot be skipped unseen there.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	reason := "there is no Chromium on PATH: install it, or set CHROMIUM to its path"
	if os.Getenv("FENCING_REQUIRE_CHROMIUM") != "" {
		require.Fail(t, reason)
	}
	t.Skip(reason)
	return ""
}

// openBrowser starts JupyterLab on copies of the notebooks and a browser.
func openBrowser(t *testing.T, notebooks ...string) *browser {
	t.Helper()
	chromium(t) // or this test is skipped
	root := t.TempDir()
	for _, file := range notebooks {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, filepath.Base(file)), data, 0o644))
	}
	server, err := lab.Start(t.Context(), ready(t), lab.Options{Port: 8888, Root: root,
		Flags: []string{"--LabApp.expose_app_in_browser=True"}})
	require.NoError(t, err)
	t.Cleanup(server.Stop)
	b := newBrowser(t)
	b.server = server
	return b
}

// newBrowser starts a browser that finds no other machine than this one.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := chromium(t)
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"),
	)
	if os.Geteuid() == 0 { // Chromium refuses a sandbox to root
		options = append(options, chromedp.NoSandbox)
	}
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, end := chromedp.NewContext(allocated)
	t.Cleanup(end)
	b := &browser{t: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, b.listen))
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{})
		return chromedp.Void{}, err
	})
	return b
}

func (b *browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.seen = append(b.seen, e.Request.URL)
	case *network.EventWebSocketCreated:
		b.seen = append(b.seen, e.URL)
	case *page.EventJavascriptDialogOpening:
		// JupyterLab asks before it leaves a notebook that is not saved.
		go chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	}
}

// outside lists the addresses asked for that are not the server's.
func (b *browser) outside() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	require.NotEmpty(b.t, b.seen, "the browser's requests are heard")
	host := "none"
	if b.server != nil {
		host = strings.TrimPrefix(b.server.URL, "http://")
	}
	return slices.DeleteFunc(slices.Clone(b.seen), func(address string) bool {
		at, err := url.Parse(address)
		return err == nil && (at.Host == host || at.Scheme == "data" || at.Scheme == "blob" || at.Scheme == "file")
	})
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.shoot("failed-" + b.t.Name())
		require.NoError(b.t, err)
	}
}

// evaluate is the value of a JavaScript expression in the page.
func evaluate[T any](b *browser, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	require.NoError(b.t, err, expression)
	return value
}

// await waits until a JavaScript expression is true.
func (b *browser) await(what, expression string) {
	b.t.Helper()
	ok := func() bool {
		ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
		defer cancel()
		value, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		return err == nil && value
	}
	for begin := time.Now(); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 2*time.Minute {
			b.shoot("failed-" + b.t.Name())
			require.Fail(b.t, "waited 2 minutes in vain", what)
		}
	}
}

// panel is the notebook that is seen; JupyterLab keeps hidden ones too.
const panel = `document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)')`

// open shows a notebook in a workspace of its own, so that no tab of before
// comes back, in the given size and scheme ("light" or "dark"), and waits for
// its kernel.
func (b *browser) open(name string, width, height int64, scheme string) {
	b.t.Helper()
	workspace := fmt.Sprintf("%s-%d-%s", strings.TrimSuffix(name, ".ipynb"), width, scheme)
	b.do(chromedp.EmulateViewport(width, height), prefers("prefers-color-scheme", scheme),
		chromedp.Navigate(b.server.URL+"/lab/workspaces/"+workspace+"/tree/"+name+"?token="+b.server.Token))
	// What the page says of the kernel is "idle" before there is one, and
	// "unknown" until GoNB has run its first cell.
	b.await("a connected kernel", `
		[...jupyterapp.shell.widgets('main')].some(w => w.isVisible && w.sessionContext?.session?.kernel?.connectionStatus === 'connected')`)
	b.await("the theme "+scheme, fmt.Sprintf(`document.body.dataset.jpThemeLight === '%t'`, scheme == "light"))
}

// prefers is the reader's system asking pages for something.
func prefers(feature, value string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: feature, Value: value}}})
		return chromedp.Void{}, err
	}
}

// click moves the mouse to an element, given in JavaScript, before it clicks: a
// menu takes the item that the mouse was last moved to.
func (b *browser) click(element string) {
	b.t.Helper()
	b.await(element, element+`?.getBoundingClientRect().width > 0`)
	at := evaluate[struct{ X, Y, Width, Height float64 }](b, element+`.getBoundingClientRect().toJSON()`)
	x, y := at.X+at.Width/2, at.Y+at.Height/2
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y), chromedp.MouseClickXY(x, y))
}

// runAll chooses Run All Cells in the menu and waits until every cell with
// code in it has been numbered, which the kernel does when a cell ends.
func (b *browser) runAll() {
	b.t.Helper()
	b.click(`[...document.querySelectorAll('.lm-MenuBar-item')].find(e => e.textContent.trim() === 'Run')`)
	b.click(`document.querySelector('.lm-Menu-item[data-command="runmenu:run-all"]')`)
	b.await("all cells to end", `[...`+panel+`.querySelectorAll('.jp-CodeCell')].every(cell =>
		/\[\d+\]/.test(cell.querySelector('.jp-InputPrompt').textContent) ||
		!cell.querySelector('.cm-content').textContent.trim())`)
}

// shoot keeps what the browser shows.
func (b *browser) shoot(name string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	file := ready(b.t).Lab("screenshots", strings.ReplaceAll(name, "/", "-")+".png")
	require.NoError(b.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(b.t, os.WriteFile(file, picture, 0o644))
	b.t.Logf("screenshot: %s", file)
}
