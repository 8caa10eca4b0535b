@ABOUT@
use std::io::{self, BufRead, Write};

const START: &str = "@START_QUOTED@";
const OK: &str = "@OK_QUOTED@";

#[derive(Default)]
#[allow(dead_code)]
struct Bandit {
    policy: String,
    confidence: String,
    arms: usize,
    queries: Vec<u64>, // of each arm, queries[0] being those of arm 1
    sums: Vec<f64>,    // of the rewards of each arm
    played: usize,     // the arm of the last decision
}

impl Bandit {
    fn new(policy: String, confidence: String, arms: usize) -> Bandit {
        Bandit { policy, confidence, arms, queries: vec![0; arms], sums: vec![0.0; arms], played: 0 }
    }

    fn decide(&self, round: usize, _epsilon: f64) -> (usize, bool) {
        if round <= self.arms {
            return (round, true);
        }
        (1, true) // @FILL_IN@
    }

    fn observe(&mut self, reward: f64) {
        self.queries[self.played - 1] += 1;
        self.sums[self.played - 1] += reward;
    }
}

/// The text of a field, without quotes.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let key = format!("\"{}\":", name);
    let start = line.find(&key).unwrap_or_else(|| panic!("no field {} in {}", name, line)) + key.len();
    let value = line[start..].trim_start_matches(|c| c == ' ' || c == '"');
    value.split(|c| c == '"' || c == ',' || c == '}').next().unwrap()
}

fn main() {
    let mut bandit = Bandit::default();
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let answer = match field(&line, "command") {
            "start" => START.to_string(),
            "reset" => {
                let (policy, confidence) = (field(&line, "policy"), field(&line, "confidence"));
                bandit = Bandit::new(policy.into(), confidence.into(), field(&line, "arms").parse().unwrap());
                OK.to_string()
            }
            "decide" => {
                let round = field(&line, "round").parse().unwrap();
                let (arm, query) = bandit.decide(round, field(&line, "epsilon").parse().unwrap());
                bandit.played = arm;
                format!("{{\"arm\": {}, \"query\": {}}}", arm, query)
            }
            "observe" => {
                bandit.observe(field(&line, "reward").parse().unwrap());
                OK.to_string()
            }
            _ => return, // stop
        };
        writeln!(out, "{}", answer).unwrap();
        out.flush().unwrap();
    }
}
