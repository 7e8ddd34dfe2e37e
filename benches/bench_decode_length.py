"""How the cost of phrase-based search grows with sentence length.

Sentences of 5 to 200 words are put together from those of the de-en model, so that all words
have rules. The peer of a line is the cost per word of 10-word sentences: linear growth keeps it.
"""

from measure import cpu_seconds, report
from moses_phrase import decoder, imported, translate

LENGTHS = (5, 10, 20, 50, 100, 200)
WORDS = 6000


def main() -> None:
    bundle, sentences = imported("de-en")
    words = [word for sentence in sentences for word in sentence]
    words = (words * (WORDS // len(words) + 1))[:WORDS]
    found = decoder(bundle, pop_limit=200, stack=200, hope=0.25)
    costs = {}
    for length in LENGTHS:
        batch = [words[start : start + length] for start in range(0, WORDS - length + 1, length)]
        seconds, scores = cpu_seconds(lambda batch=batch: translate(found, batch), 3)  # type: ignore[misc]
        assert len(scores) == len(batch)
        costs[length] = seconds / (len(batch) * length)
        print(
            f"{length:4} words: {seconds / len(batch) * 1e3:8.2f} ms, "
            f"{costs[length] * 1e6:.0f} µs a word"
        )
    report("decode_length", costs[200] * 1e6, costs[10] * 1e6, "µs a word")


if __name__ == "__main__":
    main()
