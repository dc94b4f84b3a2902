package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"
)

func scene(name string) Scene {
	return Scene{Base: name, Changes: map[string]string{}, Fencing: "off", At: Whole}
}

func shownOf(t *testing.T, s Scene) Shown {
	t.Helper()
	shown, err := s.show()
	require.NoError(t, err)
	return shown
}

func screenOf(t *testing.T, s Scene) Screen {
	t.Helper()
	return shownOf(t, s).Screen()
}

func TestEveryPresetAndScenarioIsThereAndRunsAsItself(t *testing.T) {
	require.Len(t, bases, len(fencing.Presets())+len(reported.All()))
	for i, p := range fencing.Presets() {
		assert.Equal(t, p.Run().String(), must(t, scene(bases[i].name)).run(false).String())
	}
	for i, s := range reported.All() {
		p := must(t, scene(bases[len(fencing.Presets())+i].name))
		assert.Equal(t, s.Without().String(), p.run(false).String())
		assert.Equal(t, s.With().String(), p.run(true).String())
	}
}

func must(t *testing.T, s Scene) play {
	t.Helper()
	p, err := s.build()
	require.NoError(t, err)
	return p
}

func TestAPresetThatWasChangedIsShownAsItIs(t *testing.T) {
	p := fencing.DelayedWrite()
	p.Lease, p.Faults[0].For, p.RenewEvery, p.Start, p.Fencing, p.Check = 7*time.Second, 9*time.Second, 2*time.Second, 1500*time.Millisecond, true, fencing.Higher
	p.Clocks = []fencing.Clock{{Actor: "client 1", Offset: time.Second, PPM: 5000}}
	s, err := Of(p)
	require.NoError(t, err)
	assert.Equal(t, "on", s.Fencing)
	again, err := Parse(s.Link())
	require.NoError(t, err)
	assert.Equal(t, s, again)
	assert.Equal(t, p.Run().String(), must(t, again).run(true).String())
}

func TestAPresetOfAnotherNameIsShownToo(t *testing.T) {
	p := fencing.GCPause()
	p.Name = `mine & "yours"`
	s, err := Of(p)
	require.NoError(t, err)
	assert.Equal(t, p.Run().String(), must(t, s).run(false).String())
	assert.Equal(t, `mine & "yours"`, screenOf(t, s).Name, "as it stands in the list")
	assert.Equal(t, "crash", screenOf(t, scene("crash")).Name)
}

func TestWhatCannotGoIntoTheBrowserIsSaid(t *testing.T) {
	p := fencing.GCPause()
	p.Chooser = nothing{}
	_, err := Of(p)
	assert.ErrorContains(t, err, "leave Config.Storage and Config.Chooser out")
	p = fencing.GCPause()
	p.Later = 3 * time.Second
	_, err = Of(p)
	assert.ErrorContains(t, err, "Later is 3s, and in the playground client 2 asks for the lock 1 s after client 1")
}

type nothing struct{ fencing.Chooser }

func TestControls(t *testing.T) {
	for id, c := range map[string]struct {
		value  float64
		change string
	}{
		"lease": {20, "Lease=20s"},
		"pause": {9.5, "Faults=client+1%2Fafter+acquire%2F1%3Dpause+9.5s"},
		"delay": {3, "Faults=client+1%2Fwrite+request%2F1%3Ddelay+3s%3B+client+1%2Fafter+acquire%2F1%3Dpause+14s"},
		"renew": {3, "RenewEvery=3s"},
		"rate":  {-20, "Clocks=client+1%2F0s+ahead%2F-200000+ppm+fast"},
	} {
		before := scene("GC pause")
		after, err := before.set(id, c.value)
		require.NoError(t, err)
		assert.Contains(t, after.Link(), c.change)
		assert.Empty(t, before.Changes, "the scene before is as it was")
		for _, control := range screenOf(t, after).Controls {
			if control.ID == id {
				assert.Equal(t, c.value, control.Value, id)
			}
		}
	}
}

// What a field takes beyond its slider stays as it was typed: in the field, in the
// link, and in the cell.
func TestANumberIsTakenAsItIsTyped(t *testing.T) {
	for _, c := range []struct {
		id    string
		value float64
		code  string
	}{
		{"pause", 40, "preset.Faults[0].For = 40 * time.Second"},
		{"pause", 10.75, "preset.Faults[0].For = 10750 * time.Millisecond"},
		{"pause", 0.0005, "preset.Faults[0].For = 500000 * time.Nanosecond"},
		{"lease", 0.001, "preset.Lease = 1 * time.Millisecond"},
		{"renew", 3_600_000, "preset.RenewEvery = 3600000 * time.Second"},
		{"rate", -99.9999, `preset.Clocks = []fencing.Clock{{Actor: "client 1", Offset: 0 * time.Second, PPM: -999999}}`},
	} {
		shown, err := Show(scene("GC pause").Link(), c.id, c.value)
		require.NoError(t, err)
		shown, err = Show(shown.Link(), "", 0)
		require.NoError(t, err)
		require.NoError(t, shown.traces[0].Err(), "the simulator takes it")
		screen := shown.Screen()
		assert.Contains(t, screen.Code, c.code)
		for i, before := range screenOf(t, scene("GC pause")).Controls {
			if control := screen.Controls[i]; control.ID == c.id {
				assert.Equal(t, c.value, control.Value, c.id)
				assert.Equal(t, before.Max, control.Max, "the slider is as long as before")
				assert.LessOrEqual(t, control.Value, control.Most, c.id)
				assert.GreaterOrEqual(t, control.Value, control.Least, c.id)
			}
		}
	}
}

func TestASliderReachesWhatItsScenarioHas(t *testing.T) {
	for _, b := range bases {
		for _, c := range must(t, scene(b.name)).controls() {
			assert.LessOrEqual(t, c.Value, c.Max, "%s: %s", b.name, c.ID)
			assert.GreaterOrEqual(t, c.Value, c.Min, "%s: %s", b.name, c.ID)
		}
	}
}

func TestAControlMovedBackChangesNothing(t *testing.T) {
	s := scene("delayed write")
	for _, move := range []struct {
		id    string
		value float64
	}{{"lease", 4}, {"delay", 0}, {"renew", 1}, {"rate", 5}, {"pause", 2}, {"lease", 10}, {"renew", 0}, {"rate", 0}, {"pause", 0}, {"delay", 14}} {
		var err error
		s, err = s.set(move.id, move.value)
		require.NoError(t, err)
	}
	assert.Equal(t, scene("delayed write"), s)
}

func TestNothingOfWhatComesLaterIsOnTheScreen(t *testing.T) {
	s := scene("GC pause")
	s.Fencing, s.At = "both", 10*time.Second
	shown := shownOf(t, s)
	screen := shown.Screen()
	for _, r := range screen.Runs {
		assert.Empty(t, r.Headline)
		assert.Empty(t, r.Broken)
		assert.Equal(t, []string{"nothing has been written"}, r.Storage)
	}
	text, err := json.Marshal([]any{screen.Runs, shown.Chart.Stories(), shown.Chart.Title, shown.Chart.Description()})
	require.NoError(t, err)
	for _, later := range []string{"15 s", "16 s", "34", "until 15"} {
		assert.NotContains(t, string(text), later)
	}
	assert.NotContains(t, string(text), "stands still until")
}

// The table and the picture tell by the same rule what is not known yet.
func TestNoStoryTellsWhenAFaultWillEnd(t *testing.T) {
	faults := []fencing.Fault{fencing.Cut("client 1", fencing.ActorLockService, 2*time.Second, 20*time.Second),
		fencing.StopClock("client 1", 2*time.Second, 20*time.Second), fencing.Pause("client 1", fencing.BeforeWrite, 20*time.Second)}
	s := scene("GC pause")
	s.Changes["Faults"], s.At = fencing.ChoiceString(faults), 3*time.Second
	text, err := json.Marshal(shownOf(t, s).Chart.Stories())
	require.NoError(t, err)
	assert.Contains(t, string(text), "loses every message from client 1 to lock service\"")
	assert.NotContains(t, string(text), "22 s")
}

// A run that cannot begin has no events, and all that is said of it is why.
func TestARunThatCannotBeginSaysWhy(t *testing.T) {
	p := fencing.GCPause()
	p.Lease = -3 * time.Second
	s, err := Of(p)
	require.NoError(t, err)
	for _, s.At = range []time.Duration{Whole, 0, 5 * time.Second} {
		for _, s.Held = range []bool{false, true} {
			shown := shownOf(t, s)
			screen := shown.Screen()
			assert.Contains(t, shown.Chart.Title, "Config.Lease is -3s")
			assert.Contains(t, screen.Runs[0].Headline, "Config.Lease is -3s")
			assert.Contains(t, screen.Code, "preset.Lease = -3 * time.Second")
			text, err := json.Marshal(screen)
			require.NoError(t, err)
			assert.NotContains(t, string(text), "null", "the page goes through all lists")
		}
	}
}

func TestADeletedKeyHoldsNothing(t *testing.T) {
	p := fencing.HealthyHandOver()
	p.Faults = []fencing.Fault{fencing.CleanUp("report", 13*time.Second)}
	s, err := Of(p)
	require.NoError(t, err)
	assert.Equal(t, []string{`"report" holds nothing: it was deleted`}, screenOf(t, s).Runs[0].Storage, "at the end of the run")
	s.At = 12 * time.Second
	assert.Equal(t, []string{`"report" holds "from client 2", written by client 2 with token 34`}, screenOf(t, s).Runs[0].Storage)
}

func TestTheOutcomeIsHeldBack(t *testing.T) {
	s := scene("GC pause")
	s.Held = true
	shown := shownOf(t, s)
	assert.Empty(t, shown.Screen().Runs[0].Headline)
	assert.Contains(t, shown.Chart.Title, "what happens next?")
}

func TestTheVerdictAndTheStorageInWords(t *testing.T) {
	s := scene("GC pause")
	s.Fencing = "both"
	runs := screenOf(t, s).Runs
	assert.Equal(t, "Fencing off: the write with token 33 is accepted at 16 s and overwrites client 2’s data", runs[0].Headline)
	assert.Equal(t, []string{`"report" holds "from client 1", written by client 1 with token 33`}, runs[0].Storage)
	assert.Equal(t, "Fencing on: the write with token 33 is rejected at 16 s, because the fence is 34", runs[1].Headline)
	assert.Equal(t, []string{`"report" holds "from client 2", written by client 2 with token 34; its fence is 34`}, runs[1].Storage)
	assert.Greater(t, len(runs[0].Broken), len(runs[1].Broken))
}

func TestABadLinkIsASentence(t *testing.T) {
	for link, says := range map[string]string{
		"":                                                   `this link names no scenario: a link looks like "fencing=on&scenario=GC+pause"`,
		"hello world":                                        `this link names no scenario: a link looks like "fencing=on&scenario=GC+pause"`,
		"scenario=nonsense":                                  `there is no preset and no scenario "nonsense"`,
		"scenario=GC+pause&fencing=perhaps":                  `fencing is "perhaps" in the link: write off, on or both`,
		"scenario=GC+pause&Lease=long":                       `Lease is "long" in the link`,
		"scenario=GC+pause&Storage=x":                        `"Storage" is nothing that the playground can change`,
		"scenario=GC+pause&Faults=x":                         `the choice string stops making sense`,
		"scenario=GC+pause&at=noon":                          `at is "noon" in the link: write a time such as 11s`,
		"scenario=GC+pause&at=-1s":                           `at is "-1s" in the link: write a time such as 11s`,
		"scenario=GC+pause&clients=7":                        `clients is "7" in the link: write 3 for a third client`,
		"scenario=GC+pause&held=no":                          `held is "no" in the link: write yes`,
		"scenario=GC+pause&scenario=crash":                   `scenario stands in the link 2 times`,
		"hello world %zz":                                    `this is no link of a playground: a link looks like "fencing=on&scenario=GC+pause" (invalid URL escape "%zz")`,
		"scenario=GC+pause&Nodes=100000":                     `Nodes is 100000: the playground takes up to 9 lock nodes`,
		"scenario=GC+pause&Steps=100000000":                  `Steps is 100000000: the playground takes up to 100000`,
		"scenario=GC+pause&Writes=50&Rounds=3":               `Rounds is 3 and Writes is 50: the playground takes up to 100 writes of a client in all`,
		"scenario=crash&Writes=9223372036854775807&Rounds=2": `the playground takes up to 100 writes of a client in all`,
		"scenario=a+write+that+timed+out+arrives+after+the+next&CheckFirst=true": `CheckFirst cannot be changed in "a write that timed out arrives after the next": its clients are no workers`,
		"scenario=a+fail-over+loses+the+lock&Start=5s":                           `Start cannot be changed in "a fail-over loses the lock": its clients ask for the lock one second after the other`,
	} {
		_, err := Show(link, "", 0)
		assert.ErrorContains(t, err, says, link)
	}
	shown, err := Show("scenario=GC+pause&Lease=-3s", "", 0)
	require.NoError(t, err)
	assert.Contains(t, shown.Chart.Title, "Config.Lease is -3s")
}

func TestNoPolicyIsChangedWhereThereAreNoWorkers(t *testing.T) {
	without := 0
	for _, b := range bases {
		for _, f := range fields {
			if !f.policy || len(b.clients) > 0 {
				continue
			}
			s := scene(b.name)
			s.Changes[f.name] = "1"
			_, err := Show(s.Link(), "", 0)
			assert.ErrorContains(t, err, f.name+" cannot be changed in")
			without++
		}
		_, err := Show(scene(b.name).Link(), "renew", 2)
		assert.Equal(t, len(b.clients) > 0, err == nil, b.name)
	}
	assert.Positive(t, without)
}

func TestAMistakeOfThePlaygroundItselfIsASentence(t *testing.T) {
	err := Try(func() { _ = bases[len(bases)] })
	assert.ErrorContains(t, err, "by a mistake of its own (runtime error: index out of range")
	require.NoError(t, Try(func() {}))
}

func TestAPresetThatIsTooMuchForAPageIsRefused(t *testing.T) {
	p := fencing.GCPause()
	p.Nodes = 100_000
	_, err := Of(p)
	assert.ErrorContains(t, err, "Nodes is 100000: the playground takes up to 9 lock nodes")
}

// scenes are what readers may make: everything there is, as it is and changed.
func scenes(t *testing.T) []Scene {
	var all []Scene
	for _, b := range bases {
		for i, fenced := range []string{"off", "on", "both"} {
			s := scene(b.name)
			s.Fencing = fenced
			all = append(all, s)
			values := map[string]float64{"lease": 7.5, "pause": 12, "delay": 3, "renew": 2, "rate": 10}
			for _, c := range screenOf(t, s).Controls {
				if c.Off == "" {
					var err error
					s, err = s.set(c.ID, values[c.ID])
					require.NoError(t, err)
				}
			}
			s.Third = true
			all = append(all, s)
			s.At = []time.Duration{5 * time.Second, 7500 * time.Millisecond, 500 * time.Hour}[i] // and after the end
			all = append(all, s)
			s.At, s.Held = Whole, true
			all = append(all, s)
		}
	}
	return all
}

// A run that a slider made shorter may end before the moment that was stepped to.
func TestTheGoCellStopsWhereThePictureStops(t *testing.T) {
	s := scene("GC pause")
	s.At = 21 * time.Second
	assert.Contains(t, screenOf(t, s).Code, "charts.Timeline(preset.Run(), charts.StopAt(21 * time.Second))\n")
	shorter, err := s.set("pause", 2)
	require.NoError(t, err)
	screen := screenOf(t, shorter)
	assert.Equal(t, 15.0, screen.At)
	assert.Contains(t, screen.Code, "charts.Timeline(preset.Run(), charts.StopAt(15 * time.Second))\n")
	shorter.At, shorter.Held = Whole, true
	assert.Contains(t, screenOf(t, shorter).Code, "charts.StopAt(15 * time.Second))\n", "the outcome is held back at the end")
}

// written are links that nobody gets by the controls.
var written = []string{
	"scenario=GC+pause&Start=2500ms&Name=a+%22pause%22&clients=3&fencing=both",
	"scenario=GC+pause&Program=in+my+words&RenewEvery=3s&clients=3",
	"scenario=GC+pause&Faults=&Key=ledger&Writes=2&fencing=on&at=8s",
	"scenario=GC+pause&Lease=-3s",
	"scenario=GC+pause&FirstToken=7&Check=1&Timeout=1500ms&Clocks=client+2%2F1s+ahead%2F-5+ppm+fast&fencing=both",
	"scenario=crash&WaiterLease=true&Effect=mail+%60sent%60&held=yes",
	"scenario=a+fail-over+loses+the+lock&Name=another+name&ClaimFirst=true&fencing=both",
	"scenario=a+fail-over+loses+the+lock&Program=in+my+words&Latency=1us&clients=3&fencing=on",
	"scenario=a+write+that+timed+out+arrives+after+the+next&Timeout=20s&fencing=both",
}

// recorder is charts in the program of cells: it shows what the cell shows, and
// all events.
const recorder = `
type recorder struct{}

var charts recorder

func (recorder) StopAt(at time.Duration) pictures.Option { return pictures.StopAt(at) }

func (recorder) Timeline(run *fencing.Trace, options ...pictures.Option) {
	pictures.Timeline(run, options...)
	run.WriteJSONL(os.Stdout)
}

func (recorder) Both(first, second *fencing.Trace, options ...pictures.Option) {
	pictures.Both(first, second, options...)
	first.WriteJSONL(os.Stdout)
	second.WriteJSONL(os.Stdout)
}

func (recorder) Compare(preset fencing.Preset, options ...pictures.Option) {
	off, on := pictures.Compare(preset, options...)
	off.WriteJSONL(os.Stdout)
	on.WriteJSONL(os.Stdout)
}
`

// TestTheGoCellGivesWhatIsOnTheScreen compiles and runs every cell, in one
// program of many functions, and compares the picture's story and all events.
func TestTheGoCellGivesWhatIsOnTheScreen(t *testing.T) {
	var program, calls strings.Builder
	var all []Shown
	made := scenes(t)
	for _, link := range written {
		s, err := Parse(link)
		require.NoError(t, err)
		made = append(made, s)
	}
	for i, s := range made {
		shown := shownOf(t, s)
		all = append(all, shown)
		body, ok := strings.CutPrefix(shown.Screen().Code, "%%\n")
		require.True(t, ok)
		fmt.Fprintf(&program, "func cell%d() {\n%s}\n", i, body)
		fmt.Fprintf(&calls, "cell%d()\nfmt.Println(\"---\")\n", i)
	}
	source := "package main\nimport (\"fmt\"; \"os\"; \"time\"; pictures \"fencingtokens/charts\"; \"fencingtokens/fencing\"; \"fencingtokens/fencing/reported\")\n" +
		recorder + program.String() + "func main() {\n" + calls.String() + "}\n"
	told := strings.Split(runProgram(t, source), "---\n")
	for i, shown := range all {
		want := bytes.NewBufferString(shown.Chart.Description() + "\n")
		for _, trace := range shown.traces {
			require.NoError(t, trace.WriteJSONL(want))
		}
		assert.Equal(t, want.String(), told[i], shown.Screen().Code)
	}
}

// runProgram runs a program that stands in the module for this test only.
func runProgram(t *testing.T, source string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
	here, err := filepath.Abs("cells/main.go")
	require.NoError(t, err)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{here: file}})
	require.NoError(t, err)
	plan := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(plan, overlay, 0o644))
	out, err := exec.Command("go", "run", "-overlay", plan, "fencingtokens/charts/internal/play/cells").CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}
