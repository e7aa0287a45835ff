"""The program `omerta`, as `omerta …` and as `python -m omerta …`."""

import signal
import sys

from omerta import _core


def main() -> int:
    """Runs the program with the words of `sys.argv` and gives its exit code."""
    words = sys.argv[1:]
    if words[:1] == ["sim"] and "--on" in words:
        from omerta import _sim_on

        return _sim_on.main(words[1:])
    # Ctrl-C belongs to the program: it ends a long run with what it has.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.main(["omerta", *words])


if __name__ == "__main__":
    sys.exit(main())
