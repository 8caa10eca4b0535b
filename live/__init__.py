"""A policy in use: a durable journal of decisions and answers, for people who pay for feedback."""
