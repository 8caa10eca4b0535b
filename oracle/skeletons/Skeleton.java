@ABOUT@
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Skeleton {
    static final String START = "@START_QUOTED@";
    static final String OK = "@OK_QUOTED@";

    record Decision(int arm, boolean query) {}

    static String policy, confidence;
    static int arms;
    static long[] queries; // of each arm, queries[0] being those of arm 1
    static double[] sums; // of the rewards of each arm
    static int played; // the arm of the last decision

    static void reset(int numberOfArms) {
        arms = numberOfArms;
        queries = new long[arms];
        sums = new double[arms];
    }

    static Decision decide(int round, double epsilon) {
        if (round <= arms) return new Decision(round, true);
        return new Decision(1, true); // @FILL_IN@
    }

    static void observe(double reward) {
        queries[played - 1] += 1;
        sums[played - 1] += reward;
    }

    /** The text of a field, without quotes. */
    static String field(String line, String name) {
        String key = "\"" + name + "\":";
        int found = line.indexOf(key);
        if (found < 0) throw new IllegalArgumentException("no field " + name + " in " + line);
        return line.substring(found + key.length()).replaceFirst("^[ \"]*", "").split("[\",}]", 2)[0];
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer = OK;
            switch (field(line, "command")) {
                case "start" -> answer = START;
                case "reset" -> {
                    policy = field(line, "policy");
                    confidence = field(line, "confidence");
                    reset(Integer.parseInt(field(line, "arms")));
                }
                case "decide" -> {
                    int round = Integer.parseInt(field(line, "round"));
                    Decision decision = decide(round, Double.parseDouble(field(line, "epsilon")));
                    played = decision.arm();
                    answer = "{\"arm\": " + decision.arm() + ", \"query\": " + decision.query() + "}";
                }
                case "observe" -> observe(Double.parseDouble(field(line, "reward")));
                default -> { return; } // stop
            }
            System.out.println(answer);
            System.out.flush();
        }
    }
}
