/* BuFALU, its three baselines and the dial in plain C99 doubles, behind the conformance protocol. Written from the
 * paper's pseudo-code and docs/dial.md. Try it: cc -std=c99 -O2 -o my-bandit examples/bufalu.c -lm && bufalu conform -- ./my-bandit */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum policy { BUFALU, BUFAU, CBM_UCB, GREEDY, DIAL };
enum interval { HOEFFDING, BERNSTEIN };

static const char *const POLICIES[] = {"bufalu", "bufau", "cbm-ucb", "greedy"};
static const char *const INTERVALS[] = {"hoeffding", "bernstein"};

/* What is kept for each arm. Sums are of deviations from the first reward, which lose fewer digits than rewards. */
struct arm {
    long queries;
    double first, sum, squares;
};

struct run {
    enum policy policy;
    double rho;       /* the position of the dial */
    enum interval interval;
    int count;        /* K: the arms are 0..K-1 here, 1..K outside */
    struct arm *arms;
    double *lower, *upper, *radius; /* of this round, one entry for each arm */
    long asked;       /* queries of all arms that were answered */
    int waiting;      /* the arm whose reward comes next */
    int *played;      /* the arm of each round, since answers may come late */
    long room;        /* for how many rounds there is room */
};

struct decision {
    int arm;
    bool query;
};

static void add(struct arm *arm, double reward)
{
    if (arm->queries == 0) arm->first = reward;
    double step = reward - arm->first;
    arm->queries += 1;
    arm->sum += step;
    arm->squares += step * step;
}

static double mean(const struct arm *arm)
{
    return arm->queries == 0 ? 0.0 : arm->first + arm->sum / arm->queries;
}

static double variance(const struct arm *arm)
{
    double n = arm->queries;
    return fmax(0.0, arm->squares - arm->sum * arm->sum / n) / (n - 1);
}

/* Half the width of an arm's interval in round t. */
static double radius(const struct arm *arm, enum interval interval, long t)
{
    double n = arm->queries, height = log((double)t);
    if (interval == HOEFFDING) return n < 1 ? INFINITY : sqrt(1.5 * height / n);
    if (n < 2) return INFINITY;
    return sqrt(6 * variance(arm) * height / n) + 7 * height / (n - 1);
}

/* The first arm with the largest value, `without` left out (-1: none is); -1 if no arm is left. */
static int argmax(const double *values, int count, int without)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (i != without && (best < 0 || values[i] > values[best])) best = i;
    return best;
}

static struct decision greedy(const struct run *run, long t, double epsilon, int highest)
{
    int best = 0;
    double budget = 6 * run->count * log((double)t) / (epsilon * epsilon) + run->count;
    if (run->asked <= budget - 1) return (struct decision){highest, true};
    for (int i = 1; i < run->count; i++)
        if (mean(&run->arms[i]) > mean(&run->arms[best])) best = i;
    return (struct decision){best, false};
}

static struct decision choose(struct run *run, long t, double epsilon)
{
    if (t <= run->count) return (struct decision){(int)t - 1, true};

    for (int i = 0; i < run->count; i++) {
        run->radius[i] = radius(&run->arms[i], run->interval, t);
        run->lower[i] = mean(&run->arms[i]) - run->radius[i];
        run->upper[i] = mean(&run->arms[i]) + run->radius[i];
    }
    int highest = argmax(run->upper, run->count, -1);
    if (run->policy == GREEDY) return greedy(run, t, epsilon, highest);
    if (run->policy == CBM_UCB) return (struct decision){highest, 2 * run->radius[highest] > epsilon};

    int leader = argmax(run->lower, run->count, -1);
    int challenger = argmax(run->upper, run->count, leader);
    if (challenger < 0) return (struct decision){leader, false};
    int candidate = highest;
    if (run->policy == BUFALU) candidate = run->radius[challenger] > run->radius[leader] ? challenger : leader;
    if (run->policy == DIAL) {
        /* At rho = 0 the width test is left out: 0 times an infinite radius is no number. */
        bool wide = run->rho == 0 || run->radius[leader] > run->rho * run->radius[challenger];
        candidate = wide && run->upper[leader] > run->upper[challenger] ? leader : challenger;
    }
    bool separated = run->upper[challenger] <= run->lower[leader];
    bool within = run->upper[candidate] - run->lower[leader] <= epsilon;
    if (separated || within) return (struct decision){leader, false};
    return (struct decision){candidate, true};
}

/* The protocol: one flat JSON object a line. */

/* What follows `"key":` in a line; ends the program if there is no such key. */
static const char *field(const char *line, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    const char *place = strstr(line, quoted);
    if (place == NULL) {
        fprintf(stderr, "no \"%s\" in %s", key, line);
        exit(1);
    }
    place += strlen(quoted);
    return place + strspn(place, " :");
}

static double number(const char *line, const char *key)
{
    return strtod(field(line, key), NULL);
}

/* Which of the names stands at this key, -1 if none does. */
static int named(const char *line, const char *key, const char *const *names, int count)
{
    const char *text = field(line, key) + 1;
    size_t length = strcspn(text, "\"");
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && strncmp(text, names[i], length) == 0) return i;
    return -1;
}

/* The number of `"dial:1/2"` or `"dial:0.5"`; -1 for a policy that is not the dial. */
static double position(const char *line)
{
    const char *text = field(line, "policy") + 1;
    char *end;
    if (strncmp(text, "dial:", 5) != 0) return -1;
    double over = strtod(text + 5, &end);
    return *end == '/' ? over / strtod(end + 1, NULL) : over;
}

static void reset(struct run *run, int policy, int interval, int count)
{
    free(run->arms);
    free(run->lower);
    free(run->upper);
    free(run->radius);
    run->policy = (enum policy)policy;
    run->interval = (enum interval)interval;
    run->count = count;
    run->arms = calloc((size_t)count, sizeof *run->arms);
    run->lower = calloc((size_t)count, sizeof *run->lower);
    run->upper = calloc((size_t)count, sizeof *run->upper);
    run->radius = calloc((size_t)count, sizeof *run->radius);
    if (!run->arms || !run->lower || !run->upper || !run->radius) exit(1);
    run->asked = 0;
}

static void remember(struct run *run, long t, int arm)
{
    if (t >= run->room) {
        run->room = 2 * t + 64;
        run->played = realloc(run->played, (size_t)run->room * sizeof *run->played);
        if (!run->played) exit(1);
    }
    run->played[t] = arm;
}

int main(void)
{
    static struct run run;
    static const char *const commands[] = {"start", "reset", "decide", "observe", "stop"};
    char line[4096];

    while (fgets(line, sizeof line, stdin) != NULL) {
        switch (named(line, "command", commands, 5)) {
        case 0:
            printf("{\"version\": 1, \"implementation\": {\"name\": \"bufalu.c\", \"language\": \"C\", \"version\": \"1\"}, "
                   "\"policies\": [\"bufalu\", \"bufau\", \"cbm-ucb\", \"greedy\", \"dial:1/2\"], "
                   "\"confidence\": [\"hoeffding\", \"bernstein\"], \"late\": true}\n");
            break;
        case 1: {
            int policy = named(line, "policy", POLICIES, 4), interval = named(line, "confidence", INTERVALS, 2);
            run.rho = position(line);
            if (run.rho >= 0) policy = DIAL;
            if (policy < 0 || interval < 0) {
                printf("{\"skipped\": \"not implemented\"}\n");
                break;
            }
            reset(&run, policy, interval, (int)number(line, "arms"));
            printf("{\"ok\": true}\n");
            break;
        }
        case 2: {
            struct decision decision = choose(&run, (long)number(line, "round"), number(line, "epsilon"));
            run.waiting = decision.arm;
            remember(&run, (long)number(line, "round"), decision.arm);
            printf("{\"arm\": %d, \"query\": %s}\n", decision.arm + 1, decision.query ? "true" : "false");
            break;
        }
        case 3:
            /* Where answers come late, the round that asked is told. */
            if (strstr(line, "\"round\"") != NULL) run.waiting = run.played[(long)number(line, "round")];
            add(&run.arms[run.waiting], number(line, "reward"));
            run.asked += 1;
            printf("{\"ok\": true}\n");
            break;
        case 4:
            return 0;
        default:
            printf("{\"error\": \"unknown command\"}\n");
        }
        fflush(stdout);
    }
    return 1;
}
