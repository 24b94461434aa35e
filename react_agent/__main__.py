"""`python -m react_agent` is the command `react-agent`, also where its folder is not on the PATH."""

from react_agent.cli import main

main()
