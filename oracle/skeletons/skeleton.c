@ABOUT@
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char START[] = "@START_QUOTED@";
static const char OK[] = "@OK_QUOTED@";

typedef struct { int arm, query; } decision;

static int arms, played;      /* played: the arm of the last decision */
static int *queries;          /* of each arm, queries[0] being those of arm 1 */
static double *sums;          /* of the rewards of each arm */
static char policy[256], confidence[256];

static void reset(int number_of_arms) {
    arms = number_of_arms;
    free(queries);
    free(sums);
    queries = calloc((size_t)arms, sizeof *queries);
    sums = calloc((size_t)arms, sizeof *sums);
    if (!queries || !sums) exit(1);
}

static decision decide(long long round, double epsilon) {
    (void)epsilon;
    if (round <= arms) return (decision){(int)round, 1};
    return (decision){1, 1}; /* @FILL_IN@ */
}

static void observe(double reward) {
    queries[played - 1] += 1;
    sums[played - 1] += reward;
}

/* The text of a field, without quotes. */
static const char *field(const char *line, const char *name) {
    static char value[256];
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(line, key);
    if (!found) { fprintf(stderr, "no field %s in %s", name, line); exit(1); }
    found += strlen(key);
    found += strspn(found, " \"");
    size_t length = strcspn(found, "\",}");
    if (length >= sizeof value) exit(1);
    memcpy(value, found, length);
    value[length] = 0;
    return value;
}

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        const char *command = field(line, "command");
        if (!strcmp(command, "start")) {
            puts(START);
        } else if (!strcmp(command, "reset")) {
            strcpy(policy, field(line, "policy"));
            strcpy(confidence, field(line, "confidence"));
            reset(atoi(field(line, "arms")));
            puts(OK);
        } else if (!strcmp(command, "decide")) {
            long long round = atoll(field(line, "round"));
            decision d = decide(round, strtod(field(line, "epsilon"), NULL));
            played = d.arm;
            printf("{\"arm\": %d, \"query\": %s}\n", d.arm, d.query ? "true" : "false");
        } else if (!strcmp(command, "observe")) {
            observe(strtod(field(line, "reward"), NULL));
            puts(OK);
        } else {
            return 0; /* stop */
        }
        fflush(stdout);
    }
    return 0;
}
