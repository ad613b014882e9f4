"""The seed workload on equal terms with other engines: each command prints the one line that a runner of peers reads.

command.py    the command line, and the one line it prints
seed_work.py  the workflow: the runner's own pure steps, and the sink that invites go to
world.py      a home under the runner's folder, and what a sitting does in it
alone.py      W1, seed, W2 and W4: one process
long.py       W3: one thread of many steps, and the next step after a kill
together.py   W5: one of several processes at one home

The runner names the folder, the sink and the sizes; its `workload` module gives the data of each thread.
"""
