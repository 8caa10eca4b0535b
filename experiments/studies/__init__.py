"""Studies: any grid of instances, policies, intervals and schedules, on one machine or a cluster."""
