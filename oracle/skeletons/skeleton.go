@ABOUT@
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const start = "@START_QUOTED@"
const ok = "@OK_QUOTED@"

var (
	policy, confidence string
	arms, played       int       // played: the arm of the last decision
	queries            []int     // of each arm, queries[0] being those of arm 1
	sums               []float64 // of the rewards of each arm
)

func reset(numberOfArms int) {
	arms = numberOfArms
	queries = make([]int, arms)
	sums = make([]float64, arms)
}

func decide(round int, epsilon float64) (int, bool) {
	if round <= arms {
		return round, true
	}
	return 1, true // @FILL_IN@
}

func observe(reward float64) {
	queries[played-1]++
	sums[played-1] += reward
}

// The text of a field, without quotes.
func field(line, name string) string {
	_, rest, found := strings.Cut(line, "\""+name+"\":")
	if !found {
		panic("no field " + name + " in " + line)
	}
	rest = strings.TrimLeft(rest, " \"")
	return rest[:strings.IndexAny(rest, "\",}")]
}

func number(text string) float64 {
	value, problem := strconv.ParseFloat(text, 64)
	if problem != nil {
		panic(problem)
	}
	return value
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		line := in.Text()
		switch field(line, "command") {
		case "start":
			fmt.Println(start)
		case "reset":
			policy, confidence = field(line, "policy"), field(line, "confidence")
			reset(int(number(field(line, "arms"))))
			fmt.Println(ok)
		case "decide":
			arm, query := decide(int(number(field(line, "round"))), number(field(line, "epsilon")))
			played = arm
			fmt.Printf("{\"arm\": %d, \"query\": %t}\n", arm, query)
		case "observe":
			observe(number(field(line, "reward")))
			fmt.Println(ok)
		default:
			return // stop
		}
	}
}
