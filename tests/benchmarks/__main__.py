"""`python -m tests.benchmarks W1 --json [--threads N]`; `review` in its place times the review page, `reading` what
reading files costs, `model` what waiting for a slow model costs, `workers` times several processes at one home,
`memory` the Memory page's filters and search, `runs` what pages of the list of runs take, `agent` what a call
of an agent run reads at step 5 and at step 10,000, `today` the front page and the digest, `costs` the Costs page over
many recorded calls. With `--dir` W1 to W5 are
run as a runner of peers asks for them (tests/benchmarks/peers)."""

import sys

if "--dir" in sys.argv:  # the runner times the start of the process: nothing else is loaded
    from tests.benchmarks.peers.command import main
else:
    from tests.benchmarks.own import main

main()
