# SPDX-License-Identifier: Apache-2.0
"""The tests that a shard runs, and their order: by times that an earlier run recorded."""
import re
import statistics

from errors import UsageError


def parse_shard(text):
    match = re.fullmatch(r"(\d+)/(\d+)", text)
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

    def shards(self, items, count):
        """Splits the items so that all shards take about as long.

        Each goes, longest first, to the shard with the least to do: at most 4/3 of the best
        possible. Every node that has the same times file gets the same split.
        """
        shards, loads = [[] for _ in range(count)], [0.0] * count
        for item in self.longest_first(items):
            least = min(range(count), key=lambda shard: (loads[shard], len(shards[shard]), shard))
            shards[least].append(item)
            loads[least] += self.seconds(item.key)
        return shards
