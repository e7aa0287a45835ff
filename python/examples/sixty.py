"""Sixty variants of the city game: five numbers of players by twelve houses, as a map of who wins, with the cost.

    python sixty.py 1000000 parts sixty.svg

plays a million games of each on Ray, keeps the parts in the folder and draws the map. It can be stopped, and goes on
with what is there when it is begun again.
"""

import sys
from itertools import combinations

from omerta.ray import Progress, heat_map, sweep, variants

GAMES, FOLDER, DRAWN = int(sys.argv[1]), sys.argv[2], sys.argv[3]
PLAYERS = [7, 8, 9, 10, 11]
SINGLE = ["mayor", "blind", "no-leader", "secret-ballot", "simultaneous-shot", "unacquainted", "in-the-dark", "deputy"]
HOUSES: list[list[str]] = [[], *([one] for one in SINGLE), *map(list, list(combinations(SINGLE[:4], 2))[:3])]


def tell(far: Progress) -> None:
    cost = far.processor_seconds / far.games * 1e6
    print(
        f"{far.done} of {far.of} parts after {far.seconds:.0f} s; a million games take {cost:.1f} s of a processor",
        flush=True,
    )


def main() -> None:
    wanted = variants("city", players=PLAYERS, overlays=HOUSES)
    came = sweep(wanted, GAMES, folder=FOLDER, shards=2, progress=tell)
    played = sum(numbers.games for numbers in came)
    print(f"{len(wanted)} variants, {played} games, {sum(one.answers for one in came) / played:.1f} answers each")
    print(f"went wrong: {sum(one.wrong for one in came)}")
    rows = ["+".join(house) or "as it is" for house in HOUSES]
    heat_map(rows, [str(number) for number in PLAYERS], came, "Mafia").savefig(DRAWN)


if __name__ == "__main__":
    main()
