"""Trees over other words: what a treebank splits or joins otherwise than a corpus does.

Old and new words are spans of the same characters, spaces left out. Heads, tags and labels go over
to the new word that an old one becomes; a word that is part of an old one only hangs from it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise

from headway._core import Sentence

Span = tuple[int, int]


def spaced(sentence: Sentence) -> list[bool]:
    """For each word whether a space follows: unless `SpaceAfter=No`, and never inside a range."""
    found: list[bool] = []
    inside = end = 0
    for row in sentence.rows():
        number, misc = row[0], row[9]
        follows = "SpaceAfter=No" not in misc.split("|")
        first, dash, last = number.partition("-")
        if dash:
            inside, end, after = int(first), int(last), follows
        elif number.isdigit():
            within = inside <= int(number) <= end
            found.append((after if int(number) == end else False) if within else follows)
    return found


def spans_of(words: Sequence[str]) -> list[Span]:
    """Where each word lies in all of them put together."""
    ends = list(accumulate(map(len, words)))
    return list(pairwise([0, *ends]))


def tag_lexicon(sentences: Iterable[Sentence], column: str) -> dict[str, str]:
    """The most frequent tag of each word, in small letters."""
    counts: dict[str, Counter[str]] = {}
    for sentence in sentences:
        for form, tag in zip(sentence.forms, sentence.column(column), strict=True):
            counts.setdefault(form.lower(), Counter())[tag] += 1
    return {form: tags.most_common(1)[0][0] for form, tags in counts.items()}


def regraft(
    sentence: Sentence,
    spans: Sequence[Span],
    forms: Sequence[str],
    lexicons: Mapping[str, Mapping[str, str]],
) -> Sentence:
    """The sentence over words that cover `spans` of its characters and are written `forms`.

    `lexicons` has for the columns `upos` and `xpos` the tag of words that a split makes.
    """
    old = spans_of(sentence.forms)
    if list(spans) == old:
        columns = {name: sentence.column(name) for name in ("upos", "xpos", "deprel")}
        return Sentence.from_columns(list(forms), head=sentence.heads, **columns)
    owner = [_owner(span, spans, forms) for span in old]
    heads = sentence.heads
    depths = _depths(heads)
    groups: list[list[int]] = [[] for _ in spans]
    for word, place in enumerate(owner):
        groups[place].append(word)
    chosen = [
        min(group, key=lambda word: depths[word]) if group else _largest(span, old)
        for group, span in zip(groups, spans, strict=True)
    ]
    columns = {name: sentence.column(name) for name in ("upos", "xpos", "deprel")}
    new: dict[str, list[str]] = {name: [] for name in columns}
    new_heads: list[int | None] = []
    for word, group, form in zip(chosen, groups, forms, strict=True):
        head = heads[word]
        if group:
            new_heads.append(None if head is None else owner[head - 1] + 1 if head else 0)
        else:
            new_heads.append(owner[word] + 1)
        for name, values in columns.items():
            value = values[word]
            if not group:
                value = _part(name, form, value, lexicons)
            new[name].append(value)
    return Sentence.from_columns(list(forms), head=new_heads, **new)


def _part(column: str, form: str, whole: str, lexicons: Mapping[str, Mapping[str, str]]) -> str:
    """A column of a word that is split off: its own tag if it has one, else that of the whole."""
    if column == "deprel":
        return "compound" if any(map(str.isalnum, form)) else "punct"
    return lexicons.get(column, {}).get(form.lower(), whole) if whole != "_" else whole


def _owner(word: Span, spans: Sequence[Span], forms: Sequence[str]) -> int:
    """The new word that an old one becomes."""
    inside = [place for place, span in enumerate(spans) if word[0] <= span[0] < span[1] <= word[1]]
    if len(inside) > 1:  # split: the last part that is more than marks
        told = [place for place in inside if any(map(str.isalnum, forms[place]))]
        return (told or inside)[-1]
    return _largest(word, spans)


def _largest(span: Span, others: Sequence[Span]) -> int:
    """The one that shares most characters with a span; the first of equal ones."""
    shared = [min(span[1], other[1]) - max(span[0], other[0]) for other in others]
    return shared.index(max(shared))


def _depths(heads: Sequence[int | None]) -> list[int]:
    """Steps to the root; what never gets there is deepest."""
    depths = []
    for word in range(len(heads)):
        steps, at = 1, heads[word]
        while at and steps <= len(heads):
            steps, at = steps + 1, heads[at - 1]
        depths.append(steps)
    return depths
