# SPDX-License-Identifier: Apache-2.0
"""The tests of a shard and their order, based on times recorded by an earlier run."""
import heapq
import re
import statistics

from errors import UsageError


def parse_shard(text):
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--shard {text}: write I/N with I from 1 to N, such as 2/8")
    return int(match[1]), int(match[2])


class Times:
    """Seconds per test; tests without a record count as the median of the others."""

    def __init__(self, recorded=None):
        self.recorded = dict(recorded or {})
        self.usual = statistics.median(self.recorded.values()) if self.recorded else 1.0

    def seconds(self, key):
        return self.recorded.get(key, self.usual)

    def longest_first(self, items):
        return sorted(items, key=lambda item: (-self.seconds(item.key), item.key))

    def shard_of(self, items, number, count):
        """The items of one shard, where all shards take about as long.

        Each goes, longest first, to the shard with the least to do: at most 4/3 of the best
        possible. Every node that has the same times file gets the same split.
        """
        mine = []
        # (seconds, items, number) of each shard; more shards than items stay empty.
        loads = [(0.0, 0, shard) for shard in range(1, min(count, len(items)) + 1)]
        for item in self.longest_first(items):
            seconds, held, least = loads[0]
            heapq.heapreplace(loads, (seconds + self.seconds(item.key), held + 1, least))
            if least == number:
                mine.append(item)
        return mine
