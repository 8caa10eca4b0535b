// The yardstick of the engine: the four policies in plain doubles, seeds in lock-step, four to a vector (AVX2 or NEON),
// without any certification: what rounding decides stays decided by rounding.
//
//   lockstep POLICY HORIZON SEEDS EPSILON MEAN...     POLICY: bufalu bufau cbm-ucb greedy; EPSILON: zero power inverse-log
//
// Prints processor seconds, the mean regret and the mean number of queries. Hoeffding's interval, Bernoulli arms, ties to
// the smallest arm number; rewards are a function of (seed, arm, k), as in the engine.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

typedef double Doubles __attribute__((vector_size(32)));
typedef int64_t Longs __attribute__((vector_size(32)));
typedef uint64_t Words __attribute__((vector_size(32)));

constexpr int LANES = 4;
constexpr int GROUPS = 4;  // vectors that take turns in a round, so that none waits for its own results
constexpr int MAX_ARMS = 8;

enum Policy { BUFALU, BUFAU, CBM_UCB, GREEDY };

static inline Doubles all(double x) { return Doubles{x, x, x, x}; }
static inline Longs every(int64_t x) { return Longs{x, x, x, x}; }
static inline Doubles select(Longs where, Doubles yes, Doubles no) { return where ? yes : no; }
static inline Longs select(Longs where, Longs yes, Longs no) { return where ? yes : no; }
static inline bool any(Longs where) { return (where[0] | where[1] | where[2] | where[3]) != 0; }

static inline Words mixed(Words word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
  return word ^ (word >> 31);
}

// The largest of several bounds names its arm: the lowest bits of each hold a tag, smaller arm numbers the larger ones.
// An offset keeps all bounds positive, so that larger bits are larger numbers.
constexpr int64_t TAGS = 7;
constexpr double OFFSET = 16;
static inline Doubles tagged(Doubles value, int arm) { return (Doubles)(((Longs)value & every(~TAGS)) | every(TAGS - arm)); }
static inline Longs tag_of(Doubles value) { return (Longs)value & every(TAGS); }
static inline Doubles larger(Doubles x, Doubles y) { return x > y ? x : y; }
static inline Doubles root(Doubles x) {
  Doubles result;
  for (int lane = 0; lane < LANES; lane++) result[lane] = std::sqrt(x[lane]);
  return result;
}

struct Tables {
  std::vector<double> slope, epsilon, log;
};

struct Totals {
  double regret = 0, queries = 0;
};

template <int POLICY, int ARMS>
Totals play(int horizon, int first_seed, const Tables &tables, const double *means) {
  Doubles mean[GROUPS][ARMS], slope[GROUPS][ARMS], queries[GROUPS][ARMS], sum[GROUPS][ARMS];
  Longs plays[GROUPS][ARMS];
  Words word[GROUPS][ARMS];
  Doubles asked[GROUPS];
  double best = 0;
  int64_t threshold[ARMS];
  for (int a = 0; a < ARMS; a++) {
    threshold[a] = (int64_t)(means[a] * 9223372036854775808.0);
    best = std::max(best, means[a]);
  }
  for (int g = 0; g < GROUPS; g++) {
    asked[g] = all(ARMS);
    for (int a = 0; a < ARMS; a++) {
      for (int lane = 0; lane < LANES; lane++) {
        uint64_t key = (uint64_t)(first_seed + g * LANES + lane) * 0x9E3779B97F4A7C15ull + a * 0xD1342543DE82EF95ull;
        word[g][a][lane] = mixed(Words{key, key, key, key})[0] + 0x9E3779B97F4A7C15ull;
      }
      sum[g][a] = select((Longs)(mixed(word[g][a]) >> 1) < every(threshold[a]), all(1), all(0));
      mean[g][a] = sum[g][a] + all(OFFSET);
      word[g][a] += 0x9E3779B97F4A7C15ull;
      slope[g][a] = queries[g][a] = all(1);
      plays[g][a] = every(0);
    }
  }
  for (int t = ARMS + 1; t <= horizon; t++) {
    const Doubles growth = all(tables.slope[t]), epsilon = all(tables.epsilon[t]);
    for (int g = 0; g < GROUPS; g++) {
      Longs arm, query = every(-1);
      if (POLICY == BUFALU || POLICY == BUFAU) {
        Doubles low = all(0);
        for (int a = 0; a < ARMS; a++) low = larger(low, tagged(mean[g][a] - growth * slope[g][a], a));
        const Longs leader = tag_of(low);
        Doubles top = all(0), own = all(0), width = all(0), other = all(0);
        for (int a = 0; a < ARMS; a++) {
          const Doubles value = tagged(mean[g][a] + growth * slope[g][a], a);
          const Longs leads = leader == every(TAGS - a);
          top = larger(top, select(leads, all(0), value));
          own = select(leads, value, own);
          if (POLICY == BUFALU) width = select(leads, slope[g][a], width);
        }
        const Longs challenger = tag_of(top);
        Longs swap = top > own;
        if (POLICY == BUFALU) {
          for (int a = 0; a < ARMS; a++) other = select(challenger == every(TAGS - a), slope[g][a], other);
          swap = (other > width) | ((other == width) & (challenger > leader));
        }
        query = (top > low) & (select(swap, top, own) - low > epsilon);
        arm = select(query & swap, challenger, leader);
      } else {
        Doubles top = all(0), width = all(0);
        for (int a = 0; a < ARMS; a++) top = larger(top, tagged(mean[g][a] + growth * slope[g][a], a));
        arm = tag_of(top);
        if (POLICY == CBM_UCB) {
          for (int a = 0; a < ARMS; a++) width = select(arm == every(TAGS - a), slope[g][a], width);
          query = growth * (width + width) > epsilon;
        } else {
          query = (asked[g] - all(ARMS - 1)) * epsilon * epsilon <= all(6.0 * ARMS * tables.log[t]);
          if (any(~query)) {
            Doubles highest = all(0);
            for (int a = 0; a < ARMS; a++) highest = larger(highest, tagged(mean[g][a], a));
            arm = select(query, arm, tag_of(highest));
          }
          asked[g] += select(query, all(1), all(0));
        }
      }
      if (any(query)) {
        Words drawn{};
        Doubles n = all(1), total = all(0);
        Longs limit = every(0), here[ARMS];
        for (int a = 0; a < ARMS; a++) {
          here[a] = query & (arm == every(TAGS - a));
          drawn |= (Words)here[a] & word[g][a];
          limit |= here[a] & every(threshold[a]);
          word[g][a] += (Words)here[a] & 0x9E3779B97F4A7C15ull;
          n = select(here[a], queries[g][a], n);
          total = select(here[a], sum[g][a], total);
        }
        n += all(1);
        total += select((Longs)(mixed(drawn) >> 1) < limit, all(1), all(0));
        const Doubles reciprocal = all(1) / n, quotient = total * reciprocal + all(OFFSET), inverse = root(reciprocal);
        for (int a = 0; a < ARMS; a++) {
          queries[g][a] = select(here[a], n, queries[g][a]);
          sum[g][a] = select(here[a], total, sum[g][a]);
          mean[g][a] = select(here[a], quotient, mean[g][a]);
          slope[g][a] = select(here[a], inverse, slope[g][a]);
        }
      }
      if (any(~query))
        for (int a = 0; a < ARMS; a++) plays[g][a] -= ~query & (arm == every(TAGS - a));
    }
  }
  Totals totals;
  for (int g = 0; g < GROUPS; g++)
    for (int a = 0; a < ARMS; a++)
      for (int lane = 0; lane < LANES; lane++) {
        totals.regret += (plays[g][a][lane] + queries[g][a][lane]) * (best - means[a]);
        totals.queries += queries[g][a][lane];
      }
  return totals;
}

template <int POLICY>
Totals of_arms(int arms, int horizon, int seed, const Tables &tables, const double *means) {
  switch (arms) {
    case 2: return play<POLICY, 2>(horizon, seed, tables, means);
    case 5: return play<POLICY, 5>(horizon, seed, tables, means);
    case 7: return play<POLICY, 7>(horizon, seed, tables, means);
  }
  std::fprintf(stderr, "2, 5 or 7 arms\n");
  std::exit(2);
}

int main(int count, char **words) {
  if (count < 7 || count > 5 + MAX_ARMS) {
    std::fprintf(stderr, "usage: lockstep POLICY HORIZON SEEDS EPSILON MEAN...\n");
    return 2;
  }
  const std::string policy = words[1], schedule = words[4];
  const int horizon = std::atoi(words[2]), seeds = std::atoi(words[3]), arms = count - 5;
  double means[MAX_ARMS];
  for (int a = 0; a < arms; a++) means[a] = std::atof(words[5 + a]);
  const std::clock_t start = std::clock();
  Tables tables;
  for (int t = 0; t <= horizon; t++) {
    const double log = std::log(std::max(t, 2));
    tables.log.push_back(log);
    tables.slope.push_back(std::sqrt(1.5 * log));
    tables.epsilon.push_back(schedule == "zero" ? 0 : schedule == "power" ? 1 / std::sqrt(std::sqrt(t)) : 1 / log);
  }
  Totals all_seeds;
  int done = 0;
  for (; done < seeds; done += LANES * GROUPS) {
    Totals some = policy == "bufalu"    ? of_arms<BUFALU>(arms, horizon, done, tables, means)
                  : policy == "bufau"   ? of_arms<BUFAU>(arms, horizon, done, tables, means)
                  : policy == "cbm-ucb" ? of_arms<CBM_UCB>(arms, horizon, done, tables, means)
                                        : of_arms<GREEDY>(arms, horizon, done, tables, means);
    all_seeds.regret += some.regret;
    all_seeds.queries += some.queries;
  }
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("{\"seconds\": %.9f, \"rounds\": %.0f, \"regret\": %.6f, \"queries\": %.3f}\n", seconds,
              double(done) * horizon, all_seeds.regret / done, all_seeds.queries / done);
}
