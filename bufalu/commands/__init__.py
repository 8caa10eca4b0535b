"""The subcommands of the command line, one module each: parse, call, print."""
