"""The tags of one sentence as a tree over its words."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from headway.markup.flow import Element, Flow, Tag
from headway.markup.place import Node, Point
from headway.markup.sentences import Sentence


class SentenceTags:
    """Which tags of running text are placed within a sentence; others stay outside of it."""

    def __init__(self, flow: Flow, sentence: Sentence) -> None:
        self._flow, self._sentence = flow, sentence
        self._starts = [start for start, _ in sentence.words]
        self._ends = [end for _, end in sentence.words]
        first = bisect_left(flow.places, sentence.start)
        last = bisect_right(flow.places, sentence.end)
        near = flow.tags[first:last]
        own = [place for place, tag in enumerate(near) if self._is_own(tag)]
        # What stands between them is as far inside as they are, if only at the edge.
        self.own = near[own[0] : own[-1] + 1] if own else []

    def tree(self) -> Node:
        """The tree; elements that cross a border of the sentence have only one of their tags."""
        whole = Node(0, len(self._starts))
        stack = [whole]
        for element in self._continued():
            _, end = self._range(element)
            node = Node(0, end, None, element.closing.raw)
            stack[-1].inside.append(node)
            stack.append(node)
        for tag in self.own:
            element = tag.element
            if element is None or not self._has_words(element):
                stack[-1].inside.append(self._point(tag))
            elif tag.opens:
                start, end = self._range(element)
                closed = element.closing.place <= self._sentence.end
                node = Node(start, end, tag.raw, element.closing.raw if closed else None)
                stack[-1].inside.append(node)
                stack.append(node)
            else:
                stack.pop()
        return whole

    def _is_own(self, tag: Tag) -> bool:
        start, end = self._sentence.start, self._sentence.end
        if tag.element is None or not self._has_words(tag.element):
            return start < tag.place < end
        opening, closing = tag.element.opening.place, tag.element.closing.place
        if opening <= start and closing >= end:
            return False
        return opening >= start if tag.opens else closing <= end

    def _has_words(self, element: Element) -> bool:
        first, last = self._range(element)
        return first < last

    def _range(self, element: Element) -> tuple[int, int]:
        """From the first word that it shares a character with to before the first behind it."""
        opening, closing = element.opening.place, element.closing.place
        if opening == closing:
            return 0, 0
        return bisect_right(self._ends, opening), bisect_left(self._starts, closing)

    def _continued(self) -> list[Element]:
        """Elements that began before the sentence and end in it, outer ones first."""
        ends = [tag.element for tag in self.own if tag.element is not None and not tag.opens]
        begun = [one for one in ends if one.opening.place < self._sentence.start]
        return [one for one in reversed(begun) if self._has_words(one)]

    def _point(self, tag: Tag) -> Point:
        text, place = self._flow.text, tag.place
        before = place > 0 and not text[place - 1].isspace()
        behind = place < len(text) and not text[place].isspace()
        at, apart = bisect_left(self._starts, place), not before and not behind
        return Point(at, tag.raw, before and not behind, apart)


def insert(whole: Node, point: Point) -> None:
    """Puts something that the translation lost where it was among the elements."""
    node = whole
    while inner := next((one for one in node.nodes if one.start <= point.at < one.end), None):
        node = inner
    behind = (at for at, one in enumerate(node.inside) if _place(one) > point.at)
    node.inside.insert(next(behind, len(node.inside)), point)


def _place(one: Node | Point) -> int:
    return one.at if isinstance(one, Point) else one.start


def untouched(flow: Flow, inside: Sequence[SentenceTags]) -> list[Tag]:
    """The tags that stand outside of all sentences, in order."""
    own = {id(tag) for one in inside for tag in one.own}
    return [tag for tag in flow.tags if id(tag) not in own]
