"""Fuzzing of the parser and of repair: `python -m tests.fuzz --minutes 5`.

`trial` is one input and what must hold for it, `mutation` makes new texts out of the vectors, `findings` writes what broke
so that one command replays it.  `guided` lets coverage choose (it needs the extra `fuzz`), `blind` runs without.
"""
