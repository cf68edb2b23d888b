"""Directed graphs over small integers: strongly connected components and shortest paths, without recursion.

Adjacency lists enter. Programs may have chains of tens of thousands of rules, so nothing here uses the
call stack, and everything is linear in the size of the graph.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

Adjacency = Sequence[Sequence[int]]


def components(edges: Adjacency) -> list[int]:
    """For each node the number of its strongly connected component; what a node leads to has no higher one.

    Tarjan's algorithm with an explicit stack.

    >>> components([[1], [2], [1], [0]])
    [1, 0, 0, 2]
    """
    unseen = -1
    order, low, component = ([unseen] * len(edges) for _ in range(3))
    open_nodes: list[int] = []
    counter = found = 0
    for root in range(len(edges)):
        if order[root] != unseen:
            continue
        work = [(root, 0)]
        while work:
            node, child = work.pop()
            if child == 0:
                order[node] = low[node] = counter
                counter += 1
                open_nodes.append(node)
            else:
                low[node] = min(low[node], low[edges[node][child - 1]])
            for position in range(child, len(edges[node])):
                target = edges[node][position]
                if order[target] == unseen:
                    work += ((node, position + 1), (target, 0))
                    break
                if component[target] == unseen:
                    low[node] = min(low[node], order[target])
            else:
                if low[node] == order[node]:
                    while True:
                        member = open_nodes.pop()
                        component[member] = found
                        if member == node:
                            break
                    found += 1
    return component


def shortest_path(start: int, end: int, successors: Callable[[int], Iterable[int]]) -> list[int]:
    """The nodes from start to end by the fewest edges, both included; empty when there is no way.

    >>> shortest_path(0, 3, [[1, 2], [3], [1], []].__getitem__)
    [0, 1, 3]
    """
    before = {start: start}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node == end:
            path = [end]
            while path[-1] != start:
                path.append(before[path[-1]])
            return path[::-1]
        for target in successors(node):
            if target not in before:
                before[target] = node
                queue.append(target)
    return []
