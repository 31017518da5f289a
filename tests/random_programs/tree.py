# SPDX-License-Identifier: Apache-2.0
"""The statements of a random kernel as a tree, so that a reducer can take some away. Any statement
may go without making what remains undefined: all that keeps a loop finite or an index inside of its
array is part of the same line, or of the head and tail of a block."""


class Block:
    """Statements between two lines that belong together: `for (…) {` and `}`. Those of one that
    `guards` are undefined without its head."""
    def __init__(self, head, body, tail="}", guards=False):
        self.head, self.body, self.tail, self.guards = head, body, tail, guards


class Whole(str):
    """A line whose expressions depend on each other: it stays as it is, or goes."""


def lines(nodes, depth=1):
    for node in nodes:
        if isinstance(node, Block):
            yield "    " * depth + node.head
            yield from lines(node.body, depth + 1)
            yield "    " * depth + node.tail
        else:
            yield "    " * depth + node


def text(nodes):
    return "".join(line + "\n" for line in lines(nodes))


def count(nodes):
    return sum(1 + count(node.body) if isinstance(node, Block) else 1 for node in nodes)
