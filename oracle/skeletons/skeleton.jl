@ABOUT@
const START = "@START_QUOTED@"
const OK = "@OK_QUOTED@"

mutable struct Bandit
    policy::String
    confidence::String
    arms::Int
    queries::Vector{Int}   # of each arm
    sums::Vector{Float64}  # of the rewards of each arm
    played::Int            # the arm of the last decision
end

Bandit(policy, confidence, arms) = Bandit(policy, confidence, arms, zeros(Int, arms), zeros(arms), 0)

function decide(bandit, round, epsilon)
    round <= bandit.arms && return round, true
    return 1, true # @FILL_IN@
end

function observe!(bandit, reward)
    bandit.queries[bandit.played] += 1
    bandit.sums[bandit.played] += reward
end

"The text of a field, without quotes."
field(line, name) = match(Regex("\"$name\": *\"?([^\",}]*)"), line).captures[1]

function main()
    bandit = Bandit("", "", 0)
    for line in eachline(stdin)
        command = field(line, "command")
        if command == "start"
            println(START)
        elseif command == "reset"
            bandit = Bandit(field(line, "policy"), field(line, "confidence"), parse(Int, field(line, "arms")))
            println(OK)
        elseif command == "decide"
            arm, query = decide(bandit, parse(Int, field(line, "round")), parse(Float64, field(line, "epsilon")))
            bandit.played = arm
            println("{\"arm\": $arm, \"query\": $query}")
        elseif command == "observe"
            observe!(bandit, parse(Float64, field(line, "reward")))
            println(OK)
        else
            return # stop
        end
        flush(stdout)
    end
end

main()
