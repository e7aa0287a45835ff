"""Sixty variants of the city game: five numbers of players by twelve houses, as a map of who wins, with the cost.

    python sixty.py 20000 parts sixty.svg

plays 20,000 games of each on Ray, keeps the parts in the folder and draws the map.
"""

import sys
import time
from itertools import combinations

from omerta.ray import heat_map, sweep, variants

GAMES, FOLDER, DRAWN = int(sys.argv[1]), sys.argv[2], sys.argv[3]
PLAYERS = [7, 8, 9, 10, 11]
SINGLE = ["mayor", "blind", "no-leader", "secret-ballot", "simultaneous-shot", "unacquainted", "in-the-dark", "deputy"]
HOUSES: list[list[str]] = [[], *([one] for one in SINGLE), *map(list, list(combinations(SINGLE[:4], 2))[:3])]


def main() -> None:
    wanted = variants("city", players=PLAYERS, overlays=HOUSES)
    begun = time.monotonic()
    came = sweep(wanted, GAMES, folder=FOLDER, shards=2)
    took = time.monotonic() - begun
    played = sum(numbers.games for numbers in came)
    print(f"{len(wanted)} variants, {played} games in {took:.0f} s: {took / played * 1e6:.1f} s for a million games")
    print(f"answers for each game: {sum(numbers.answers for numbers in came) / played:.1f}; wrong: {sum(n.wrong for n in came)}")
    rows = ["+".join(house) or "as it is" for house in HOUSES]
    heat_map(rows, [str(number) for number in PLAYERS], came, "Mafia").savefig(DRAWN)


if __name__ == "__main__":
    main()
