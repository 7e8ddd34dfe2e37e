from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import final

from headway.declared import SearchFeatureTable, SearchKindTable
from headway.progress import Progress
from headway.settings import AlignSettings, ExtractSettings, ParseSettings, SearchSettings
from headway.table.rule import RuleParts

MOST_WEIGHT: float

def checksums(paths: Sequence[str | PathLike[str]], threads: int = 0) -> list[str]: ...
def exchange_paths(one: str | PathLike[str], other: str | PathLike[str]) -> bool: ...
def sweep(directory: str | PathLike[str], prefix: str, suffix: str) -> None: ...
def extract_rules(
    source: str | PathLike[str],
    target: str | PathLike[str],
    alignments: Sequence[str | PathLike[str]],
    trees: str | PathLike[str] | None,
    output: str | PathLike[str],
    text: bool,
    reordering: str | PathLike[str] | None,
    settings: ExtractSettings,
    memory: int,
    temp: str | PathLike[str] | None,
    threads: int,
    progress: Progress | None,
) -> tuple[int, int, int, int]: ...

@final
class Vocabulary:
    """Words to dense ids and back."""
    def __new__(cls, words: list[str] = ...) -> Vocabulary: ...
    def add(self, /, words: list[str]) -> list[int]: ...
    def ids(self, /, words: list[str]) -> list[int | None]: ...
    def words(self, /, ids: list[int]) -> list[str]: ...
    def save(self, /, path: str | PathLike[str]) -> None: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Vocabulary: ...
    def __len__(self, /) -> int: ...
    def __contains__(self, word: str, /) -> bool: ...
    def __iter__(self, /) -> Iterator[str]: ...
    def __getitem__(self, id: int, /) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Bitext:
    """Sentence pairs as the aligner sees them."""
    def __new__(cls, source: list[list[str]], target: list[list[str]]) -> Bitext: ...
    @staticmethod
    def read(source: str | PathLike[str], target: str | PathLike[str]) -> Bitext: ...
    def longer_than(self, /, most: int) -> int: ...
    def __len__(self, /) -> int: ...

@final
class Alignment:
    """Links between the words of two sentences: (source, target), counted from 0."""
    def __new__(cls, links: list[tuple[int, int]] = ...) -> Alignment: ...
    @staticmethod
    def parse(text: str) -> Alignment: ...
    @property
    def links(self) -> list[tuple[int, int]]: ...
    def inverse(self, /) -> Alignment: ...
    def _repr_svg_(self, /) -> str | None: ...
    def _repr_html_(self, /) -> str | None: ...
    def __len__(self, /) -> int: ...
    def __contains__(self, link: tuple[int, int], /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class AlignmentReader:
    """Word alignments of a file, batch by batch."""
    def __new__(cls, path: str | PathLike[str]) -> AlignmentReader: ...
    def next_batch(self, /, limit: int) -> list[Alignment]: ...

@final
class Aligner:
    """A trained word aligner, both directions."""
    @staticmethod
    def train(
        bitext: Bitext,
        training: AlignSettings,
        seed: int,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> Aligner: ...
    def align(
        self,
        /,
        bitext: Bitext,
        symmetrisation: str,
        longest: int,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> list[Alignment]: ...
    def lexicon(self, /, forward: bool, least: float) -> list[tuple[str | None, str, float]]: ...
    def save(self, /, path: str | PathLike[str]) -> None: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Aligner: ...

@final
class AlignerSampler:
    """Aligners of one corpus that differ in their seeds: what they share is trained once."""
    @staticmethod
    def train(
        bitext: Bitext,
        training: AlignSettings,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> AlignerSampler: ...
    def aligner(
        self, /, seed: int, threads: int = 0, progress: Progress | None = None
    ) -> Aligner: ...

def check_symmetrisation(name: str) -> None: ...
def join_alignments(
    forward: list[Alignment], backward: list[Alignment], how: str
) -> list[Alignment]: ...
def write_alignments(path: str | PathLike[str], alignments: list[Alignment]) -> None: ...
def parse_gold(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]: ...
def compare_alignments(
    found: list[Alignment], gold: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]]
) -> tuple[int, int, int, int]: ...

@final
class DependencyTree:
    """Words, their heads (0 is the root), their tags and the labels of their arcs."""
    def __new__(
        cls,
        forms: list[str],
        heads: list[int],
        tags: list[str] | None = None,
        labels: list[str] | None = None,
    ) -> DependencyTree: ...
    @property
    def forms(self) -> list[str]: ...
    @property
    def heads(self) -> list[int]: ...
    @property
    def tags(self) -> list[str]: ...
    @property
    def labels(self) -> list[str]: ...
    @property
    def is_tree(self) -> bool: ...
    @property
    def has_cycle(self) -> bool: ...
    @property
    def cycles(self) -> list[list[int]]: ...
    @property
    def roots(self) -> list[int]: ...
    @property
    def is_projective(self) -> bool: ...
    def projective(self, /) -> DependencyTree: ...
    def children(self, /, word: int) -> list[int]: ...
    def descendants(self, /, word: int) -> list[int]: ...
    def subtree_span(self, /, word: int) -> tuple[int, int]: ...
    def depth(self, /, word: int) -> int | None: ...
    def ancestors(self, /, word: int) -> list[int]: ...
    def path(self, /, start: int, end: int) -> list[int] | None: ...
    def structure(self, /, first: int, last: int) -> Structure: ...
    def structures(self, /, longest: int | None = None) -> list[tuple[int, int, Structure]]: ...
    def licensed_spans(self, /, longest: int = 4) -> list[tuple[int, int, int]] | None: ...
    def _repr_svg_(self, /) -> str | None: ...
    def _repr_html_(self, /) -> str | None: ...
    def __len__(self, /) -> int: ...
    def __hash__(self, /) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self, /) -> tuple[list[str], list[int], list[str], list[str]]: ...

@final
class PartialStructure:
    """A dependency structure over neighbouring words, built from the bottom up.

    The operations of Shen, Xu and Weischedel (2010) are `left-adjoin`, `right-adjoin`,
    `left-concatenate` and `right-concatenate`; places of words are those in the sentence.
    """
    @staticmethod
    def word(place: int) -> PartialStructure: ...
    @staticmethod
    def null(first: int, words: int) -> PartialStructure: ...
    @staticmethod
    def of_span(tree: DependencyTree, first: int, last: int) -> PartialStructure | None: ...
    @property
    def first(self) -> int: ...
    @property
    def heads(self) -> list[int | None]:
        """For each word its head, 0 where it is open, None in no structure."""
    @property
    def category(self) -> tuple[str, list[int]] | None:
        """`fixed` and its head, `floating-left` or `floating-right` and the children, or None."""
    @property
    def null_words(self) -> int: ...
    def join(self, /, operation: str, other: PartialStructure) -> PartialStructure | None:
        """With its right neighbour; None where the operation is undefined."""
    def join_or_null(self, /, operation: str, other: PartialStructure) -> PartialStructure: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class Structure:
    """What a span is as a dependency structure."""
    @property
    def kind(self) -> str: ...
    @property
    def head(self) -> int | None: ...
    @property
    def children(self) -> list[int]: ...
    @property
    def is_well_formed(self) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Sentence:
    """One sentence of a CoNLL-U file, with everything that stood there."""
    def __new__(cls, text: str) -> Sentence: ...
    @staticmethod
    def from_columns(
        form: list[str],
        *,
        lemma: list[str] | None = None,
        upos: list[str] | None = None,
        xpos: list[str] | None = None,
        feats: list[str] | None = None,
        head: list[int | None] | list[int] | None = None,
        deprel: list[str] | None = None,
        deps: list[str] | None = None,
        misc: list[str] | None = None,
        comments: list[str] = ...,
    ) -> Sentence: ...
    @staticmethod
    def from_tree(tree: DependencyTree, tags: str = "upos") -> Sentence: ...
    def tree(self, /, tags: str = "upos") -> DependencyTree: ...
    def set_tree(self, /, tree: DependencyTree, tags: str = "upos") -> None: ...
    @property
    def line(self) -> int: ...
    @property
    def forms(self) -> list[str]: ...
    @property
    def heads(self) -> list[int | None]: ...
    def column(self, /, name: str) -> list[str]: ...
    def rows(self, /) -> list[tuple[str, str, str, str, str, str, str, str, str, str]]: ...
    def set(self, /, row: int, column: str, value: str) -> None: ...
    def set_column(self, /, name: str, values: list[str]) -> None: ...
    @property
    def comments(self) -> list[str]: ...
    @property
    def metadata(self) -> dict[str, str | None]: ...
    def set_value(self, /, key: str, value: str | None) -> None: ...
    @property
    def sent_id(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    def surface(self, /) -> str: ...
    def _repr_svg_(self, /) -> str | None: ...
    def _repr_html_(self, /) -> str | None: ...
    def __len__(self, /) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self, /) -> tuple[str]: ...

@final
class ConstituentTree:
    """A constituent tree, as Penn brackets write it."""
    def __new__(cls, text: str) -> ConstituentTree: ...
    @property
    def label(self) -> str: ...
    @property
    def children(self) -> list[ConstituentTree]: ...
    @property
    def leaves(self) -> list[str]: ...
    @property
    def words(self) -> list[str]: ...
    @property
    def tags(self) -> list[str]: ...
    def spans(self, /) -> list[tuple[str, int, int]]: ...
    def strip(
        self, /, traces: bool = True, functions: bool = True, wrapper: bool = True
    ) -> ConstituentTree: ...
    def dependencies(self, /, heads: str = "collins") -> DependencyTree: ...
    def pretty(self, /, width: int = 80) -> str: ...
    def __len__(self, /) -> int: ...
    def __hash__(self, /) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self, /) -> tuple[str]: ...

@final
class SentenceReader:
    """Reads a file of sentences in batches."""
    def __new__(cls, path: str | PathLike[str], format: str) -> SentenceReader: ...
    def read(self, /, most: int) -> list[Sentence]: ...

@final
class SentenceWriter:
    """Writes a file of sentences, which appears when finished."""
    def __new__(cls, path: str | PathLike[str], format: str) -> SentenceWriter: ...
    def write(self, /, sentences: list[Sentence]) -> None: ...
    def finish(self, /) -> None: ...

@final
class PennReader:
    """Reads a file of Penn brackets in batches."""
    def __new__(cls, path: str | PathLike[str]) -> PennReader: ...
    def read(self, /, most: int) -> list[ConstituentTree]: ...
    def sentences(self, /, most: int, heads: str) -> list[tuple[int, Sentence]]: ...

@final
class PennWriter:
    """Writes a file of Penn brackets, which appears when finished."""
    def __new__(cls, path: str | PathLike[str], width: int | None = None) -> PennWriter: ...
    def write(self, /, trees: list[ConstituentTree]) -> None: ...
    def finish(self, /) -> None: ...

def repair_graphs(
    graphs: Sequence[tuple[int, list[tuple[int, int]], int | None]],
) -> list[tuple[list[int], int, bool, int, int, int]]: ...
def treebank_census(
    path: str | PathLike[str],
    format: str,
    most_lines: int,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, int | tuple[int, list[int]]]: ...

@final
class Tokens:
    """A text cut into tokens, with everything between them kept."""
    def __new__(cls, words: Sequence[str], gaps: Sequence[str]) -> Tokens: ...
    @property
    def words(self) -> list[str]: ...
    @property
    def gaps(self) -> list[str]: ...
    @property
    def text(self) -> str: ...
    def with_words(self, /, words: Sequence[str]) -> Tokens: ...
    def __len__(self, /) -> int: ...
    def __getitem__(self, index: int, /) -> str: ...
    def __iter__(self, /) -> Iterator[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Tokeniser:
    """Cuts text of one language into tokens, and puts tokens together."""
    def __new__(cls, language: str | None = None, *, split_hyphens: bool = False) -> Tokeniser: ...
    @property
    def language(self) -> str | None: ...
    def tokenise(self, /, text: str) -> Tokens: ...
    def tokenise_all(self, /, texts: Sequence[str], *, threads: int = 0) -> list[Tokens]: ...
    def words(self, /, texts: Sequence[str], *, threads: int = 0) -> list[list[str]]: ...
    def detokenise(self, /, words: Sequence[str]) -> str: ...
    def lowercase(self, /, text: str) -> str: ...

@final
class Truecaser:
    """Gives words the case they usually have."""
    @staticmethod
    def learn(
        path: str | PathLike[str],
        language: str | None = None,
        *,
        progress: Progress | None = None,
    ) -> Truecaser: ...
    @staticmethod
    def learn_words(
        sentences: Sequence[Sequence[str]], language: str | None = None
    ) -> Truecaser: ...
    def apply(self, /, words: Sequence[str], *, headlines: bool = False) -> list[str]: ...
    def recase(self, /, words: Sequence[str]) -> list[str]: ...
    def form(self, /, word: str) -> str | None: ...
    def save(self, /, path: str | PathLike[str]) -> None: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Truecaser: ...
    def __len__(self, /) -> int: ...

@final
class PairReader:
    """Pairs of a corpus, batch by batch."""
    def __new__(
        cls,
        paths: Sequence[str | PathLike[str]],
        form: str,
        languages: tuple[str, str] | None = None,
    ) -> PairReader: ...
    def next_batch(self, /, limit: int) -> list[tuple[str, str]]: ...
    @property
    def skipped(self) -> int: ...

@final
class PairWriter:
    """Writes pairs; the files appear when `finish` is called."""
    def __new__(
        cls,
        paths: Sequence[str | PathLike[str]],
        form: str,
        languages: tuple[str, str] | None = None,
    ) -> PairWriter: ...
    def write(self, /, pairs: Sequence[tuple[str, str]]) -> None: ...
    def finish(self, /) -> None: ...
    def discard(self, /) -> None: ...

def convert_pairs(
    sources: Sequence[str | PathLike[str]],
    source_form: str,
    outputs: Sequence[str | PathLike[str]],
    output_form: str,
    *,
    languages: tuple[str, str] | None = None,
    progress: Progress | None = None,
) -> tuple[int, int]: ...
def clean_pairs(
    sources: Sequence[str | PathLike[str]],
    source_form: str,
    outputs: Sequence[str | PathLike[str]],
    output_form: str,
    *,
    languages: tuple[str, str] | None = None,
    max_words: int,
    max_characters: int,
    max_ratio: float,
    keep_repeated: bool,
    strict: bool,
    progress: Progress | None = None,
) -> tuple[int, int, list[tuple[str, int, list[int]]]]: ...
def tokenise_file(
    tokeniser: Tokeniser,
    source: str | PathLike[str],
    output: str | PathLike[str],
    *,
    spacing: str | PathLike[str] | None = None,
    lowercase: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> int: ...
def detokenise_file(
    tokeniser: Tokeniser,
    source: str | PathLike[str],
    output: str | PathLike[str],
    *,
    spacing: str | PathLike[str] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> int: ...
def truecase_file(
    truecaser: Truecaser,
    source: str | PathLike[str],
    output: str | PathLike[str],
    *,
    headlines: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> int: ...
def recase_file(
    language: str | None,
    source: str | PathLike[str],
    output: str | PathLike[str],
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> int: ...
def write_fragment(
    out: str | PathLike[str],
    *,
    pairs: int,
    dev: int,
    test: int,
    seed: int,
    difficulty: float,
    threads: int = 0,
    progress: Progress | None = None,
) -> None: ...

@final
class FragmentStream:
    """The pairs of a seed and a difficulty in their fixed order, none twice."""
    def __new__(cls, seed: int, difficulty: float) -> FragmentStream: ...
    def read(
        self, /, count: int
    ) -> list[tuple[Sentence, Sentence, list[tuple[int, int]], list[str]]]: ...

@final
class LineReader:
    """Lines of one file, batch by batch."""
    def __new__(cls, path: str | PathLike[str], repair: bool = False) -> LineReader: ...
    def next_batch(self, /, limit: int) -> list[str]: ...

@final
class LineWriter:
    """Writes lines to one file, which gets its name in `finish`."""
    def __new__(cls, path: str | PathLike[str]) -> LineWriter: ...
    def write(self, /, lines: list[str]) -> None: ...
    def flush(self, /) -> None: ...
    def finish(self, /) -> None: ...

def lm_train(
    inputs: list[str | PathLike[str]],
    output: str | PathLike[str],
    order: int,
    memory: int,
    prune: list[int],
    vocab_limit: int | None,
    skip_symbols: bool,
    temp: str | PathLike[str] | None,
    threads: int,
    progress: Progress | None,
) -> tuple[int, int, int, list[int], list[int], list[list[float]], list[int]]: ...

@final
class State:
    """What a model remembers of the words before; equal if all that follows scores alike."""
    def __len__(self, /) -> int: ...
    def __hash__(self, /) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class ChartState:
    """Both ends of a part of a sentence; equal if no neighbour can tell the parts apart."""
    @property
    def full(self) -> bool: ...
    @property
    def right(self) -> State: ...
    def __hash__(self, /) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class WordClasses:
    """Which class each word is in."""
    @staticmethod
    def learn(
        texts: Sequence[str | PathLike[str]], count: int, rounds: int, progress: Progress | None
    ) -> WordClasses: ...
    @staticmethod
    def learn_brown(
        texts: Sequence[str | PathLike[str]], count: int, min_count: int, progress: Progress | None
    ) -> WordClasses: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> WordClasses: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def rewrite(
        self, text: str | PathLike[str], output: str | PathLike[str], progress: Progress | None
    ) -> None: ...
    def get(self, word: str) -> int | None: ...
    def path(self, number: int) -> str | None: ...
    def items(self) -> list[tuple[str, int]]: ...
    @property
    def count(self) -> int: ...
    def __len__(self, /) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...

@final
class LanguageModel:
    """An n-gram model, in a mapped file or in memory."""
    @staticmethod
    def load(
        path: str | PathLike[str],
        layout: str,
        in_memory: bool,
        classes: WordClasses | None,
        threads: int,
        progress: Progress | None,
    ) -> LanguageModel: ...
    @property
    def order(self) -> int: ...
    @property
    def counts(self) -> list[int]: ...
    @property
    def layout(self) -> str: ...
    @property
    def value_bits(self) -> list[tuple[int, int]]: ...
    @property
    def size(self) -> int: ...
    @property
    def has_unknown(self) -> bool: ...
    @property
    def is_binary(self) -> bool: ...
    def verify(self, /) -> None: ...
    def words(self, /) -> list[str]: ...
    def __len__(self, /) -> int: ...
    def __contains__(self, word: str, /) -> bool: ...
    def state(self, /, begin: bool) -> State: ...
    def advance(
        self, /, state: State, words: list[str]
    ) -> tuple[list[tuple[float, int, bool]], State]: ...
    def score_words(
        self, /, sentence: str, begin: bool, end: bool
    ) -> list[tuple[float, int, bool]]: ...
    def score(
        self,
        /,
        sentences: list[str],
        begin: bool,
        end: bool,
        threads: int,
        progress: Progress | None,
    ) -> list[float]: ...
    def score_parts(
        self,
        /,
        sentences: list[str],
        begin: bool,
        end: bool,
        threads: int,
        progress: Progress | None,
    ) -> list[tuple[float, float, int, int]]: ...
    def join(self, /, pieces: list[str | ChartState], begin: bool) -> tuple[ChartState, float]: ...

@final
class Mixture:
    """Several models, weighted."""
    def __new__(cls, models: list[LanguageModel], weights: list[float]) -> Mixture: ...
    @property
    def weights(self) -> list[float]: ...
    def score_parts(
        self,
        /,
        sentences: list[str],
        begin: bool,
        end: bool,
        threads: int,
        progress: Progress | None,
    ) -> list[tuple[float, float, int, int]]: ...
    def tune(
        self, /, sentences: list[str], threads: int, progress: Progress | None
    ) -> tuple[list[float], int, float, float]: ...
    def write_arpa(self, /, output: str | PathLike[str], progress: Progress | None) -> None: ...

@final
class Sampler:
    """Draws text from a model."""
    def __new__(
        cls, path: str | PathLike[str], threads: int, progress: Progress | None
    ) -> Sampler: ...
    def sentences(
        self,
        /,
        first: int,
        many: int,
        seed: int,
        longest: int,
        unknown: bool,
        threads: int,
    ) -> list[str]: ...
    def write(
        self,
        /,
        output: str | PathLike[str],
        sentences: int,
        words: int,
        seed: int,
        longest: int,
        unknown: bool,
        threads: int,
        progress: Progress | None,
    ) -> tuple[int, int]: ...

def lm_build(
    source: str | PathLike[str],
    output: str | PathLike[str],
    layout: str,
    quantise: int | None,
    memory: int,
    temp: str | PathLike[str] | None,
    threads: int,
    progress: Progress | None,
) -> tuple[list[float], list[float]]: ...
def lm_write_arpa(
    model: LanguageModel, output: str | PathLike[str], progress: Progress | None
) -> None: ...

@final
class DependencyState:
    """A piece of a tree as the dependency language model sees it."""
    @property
    def is_fixed(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class DependencyModel:
    """P_T, P_L and P_R of a directory."""
    @staticmethod
    def load(directory: str | PathLike[str], lowercase: bool, stop: bool) -> DependencyModel: ...
    @property
    def order(self) -> int: ...
    @property
    def stop(self) -> bool: ...
    @property
    def lowercase(self) -> bool: ...
    def score_file(
        self,
        /,
        path: str | PathLike[str],
        threads: int = 0,
        progress: Progress | None = None,
    ) -> list[tuple[float, int]]: ...
    def score(self, /, forms: list[str], heads: list[int]) -> float: ...
    def leaf(self, /, form: str) -> DependencyState: ...
    def combine(
        self, /, operation: str, first: DependencyState, second: DependencyState
    ) -> tuple[DependencyState, float] | None: ...
    def finish(self, /, piece: DependencyState) -> float | None: ...

def train_dependency(
    inputs: list[str | PathLike[str]],
    directory: str | PathLike[str],
    order: int,
    memory: int,
    lowercase: bool,
    arpa: bool,
    threads: int = 0,
    progress: Progress | None = None,
) -> tuple[int, int, list[list[int]], list[int]]: ...

@final
class OrderModel:
    """P_d of a file."""
    @staticmethod
    def open(path: str | PathLike[str]) -> OrderModel: ...
    @property
    def lexical(self) -> bool: ...
    @property
    def sizes(self) -> bool: ...
    @property
    def punctuation_apart(self) -> bool: ...
    @property
    def longest(self) -> int: ...
    @property
    def labels(self) -> list[tuple[str, int]]: ...
    @property
    def source_labels(self) -> list[str]: ...
    @property
    def contexts(self) -> tuple[int, list[int]]: ...
    def mapping(self, /, source_label: str) -> list[float]: ...
    def distribution(
        self,
        /,
        label: str,
        governor: str | None,
        dependent: str | None,
        size: int,
        source: bool,
    ) -> list[tuple[int, float]] | None: ...

def estimate_order(
    trees: list[str | PathLike[str]],
    path: str | PathLike[str],
    pairs: tuple[str | PathLike[str], str | PathLike[str], str | PathLike[str]] | None,
    lexical: bool,
    sizes: bool,
    punctuation_apart: bool,
    longest: int,
    threads: int = 0,
    progress: Progress | None = None,
) -> tuple[int, int, int, int, int, int, int]: ...

@final
class OperationModel:
    """n-gram models over operations."""
    def __new__(
        cls,
        words: LanguageModel,
        classes: tuple[LanguageModel, WordClasses, WordClasses] | None = None,
    ) -> OperationModel: ...

def write_operations(
    source: str | PathLike[str],
    target: str | PathLike[str],
    alignments: Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    classes: tuple[WordClasses, WordClasses] | None,
    threads: int,
    progress: Progress | None,
) -> tuple[int, int, int, int]: ...

_PhraseDependency = tuple[str | None, str, bool, int, float, float]

@final
class PhraseDependencies:
    """The phrase dependencies of a file."""
    @staticmethod
    def open(path: str | PathLike[str]) -> PhraseDependencies: ...
    def verify(self, /) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def counts(self) -> list[list[int]]: ...
    def scores(self, /, parent: str | None, child: str, left: bool) -> list[float | None]: ...
    def coverage(self, /, phrases: Sequence[str]) -> tuple[int, int, int]: ...
    def most_frequent(self, /, many: int, progress: Progress | None) -> list[_PhraseDependency]: ...
    def children(self, /, parent: str | None, left: bool, many: int) -> list[_PhraseDependency]: ...

def extract_phrase_dependencies(
    source: str | PathLike[str],
    target: str | PathLike[str],
    alignments: Sequence[str | PathLike[str]],
    trees: str | PathLike[str],
    classes: WordClasses,
    output: str | PathLike[str],
    length: int,
    sentence_length: int,
    memory: int,
    temp: str | PathLike[str] | None,
    threads: int,
    progress: Progress | None,
) -> tuple[int, int, int, int, list[int], list[int]]: ...

@final
class RuleTable:
    """A mapped rule table."""
    @staticmethod
    def open(path: str | PathLike[str]) -> RuleTable: ...
    def verify(self, /) -> None: ...
    @property
    def path(self) -> PathLike[str]: ...
    def facts(self, /) -> list[tuple[str, int]]: ...
    def features(self, /) -> list[tuple[str, bool]]: ...
    def options(
        self, /, source: str, weights: list[float] | None, top: int | None
    ) -> list[RuleParts]: ...
    def spans(self, /, sentence: str) -> list[tuple[int, int, int]]: ...
    def has(self, /, source: str) -> bool: ...
    def alike(self, /, words: Sequence[str], share: float) -> list[str | None]: ...
    def source_counts(self, /) -> list[tuple[str, float]]: ...
    def rules(self, /) -> RuleWalk: ...

@final
class RuleWalk:
    """Hands over all rules of a table, those of one source side at a time."""
    def next(self, /, many: int) -> list[RuleParts]: ...

def import_moses(
    tables: Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    reordering: str | PathLike[str] | None,
    columns: tuple[list[str], bool] | None,
    names: list[str],
    memory: int,
    threads: int,
    progress: Progress | None,
) -> list[tuple[str, int]]: ...
def export_moses(
    table: RuleTable,
    output: str | PathLike[str],
    reordering: str | PathLike[str] | None,
    by_source: bool,
    progress: Progress | None,
) -> int: ...
def filter_table(
    table: RuleTable,
    output: str | PathLike[str],
    inputs: Sequence[str | PathLike[str]] | None,
    weights: list[float] | None,
    top: int | None,
    threads: int,
    progress: Progress | None,
) -> int: ...

@final
class Source:
    """One sentence to translate: words, trees over them with a weight each, and constraints.

    A constraint is a span and the words that it becomes, with `exclusive`, `inclusive` or
    `constraint` and the logarithm of their probability; a span that is a zone; or the place of a
    wall.
    """
    def __new__(
        cls,
        words: Sequence[str],
        *,
        trees: Sequence[tuple[DependencyTree, float]] = ...,
        constraints: Sequence[
            int | tuple[int, int] | tuple[tuple[int, int], list[str], str, float]
        ] = ...,
    ) -> Source: ...
    def __len__(self, /) -> int: ...
    @property
    def words(self) -> list[str]: ...
    @property
    def trees(self) -> list[tuple[DependencyTree, float]]: ...

@final
class Decoder:
    """A search under one model; threads may share it.

    `Decoder("stack", table, [("lm", model)], weights, settings.search)`: `weights` has one number
    for each of `features`, no more and no fewer. `search` is one of `search_kinds`. `models` are
    the models of features with a state, by the names that `search_features` lists; for the search
    "lattice" also `coarse`, the weights of its first pass, where they differ from `weights`.

    `translate(sources)` takes sources or lists of words and returns one `Translation` each, in
    order, the same for any number of threads; it fails on no sentence.

    To add features to rules, name them in `added`, call `options(sources)`, make a list of values
    per name from `OptionList.rules()`, and pass `OptionList.with_values(lists)` to `translate`.
    """
    def __new__(
        cls,
        search: str,
        table: RuleTable,
        lms: Sequence[tuple[str, LanguageModel]],
        weights: dict[str, float],
        settings: SearchSettings,
        *,
        models: dict[
            str,
            GraphParser
            | DependencyModel
            | OrderModel
            | PhraseDependencies
            | OperationModel
            | dict[str, float],
        ] = ...,
        added: Sequence[str] = ...,
    ) -> Decoder: ...
    @property
    def features(self) -> list[str]: ...
    @property
    def uses(self) -> list[str]: ...
    def pieces(self, /, source: Source | Sequence[str]) -> list[tuple[int, int]]: ...
    def translate(
        self,
        /,
        sources: Sequence[Source | Sequence[str]],
        *,
        threads: int = ...,
        n_best: int = ...,
        distinct: bool = ...,
        forests: bool = ...,
        trees: bool = ...,
        safest: tuple[str, float] | None = ...,
        added: AddedFeatures | None = ...,
        before: int = ...,
        progress: Progress | None = ...,
    ) -> list[Translation]: ...
    def licensed(self, /, source: Source | Sequence[str]) -> list[tuple[int, int]] | None: ...
    def options(
        self, /, sources: Sequence[Source | Sequence[str]], *, progress: Progress | None = ...
    ) -> OptionList: ...
    def counters(self) -> dict[str, int]:
        """What features with a state took so far, by name."""
    def score(
        self,
        /,
        source: Source | Sequence[str],
        derivation: Sequence[tuple[tuple[int, int], Sequence[str]]],
    ) -> list[float]:
        """All features of a derivation: source spans and target words, in target order."""

def feature_names(
    search: str,
    table: RuleTable,
    lms: Sequence[tuple[str, LanguageModel]],
    settings: SearchSettings,
    *,
    models: dict[
        str,
        GraphParser
        | DependencyModel
        | OrderModel
        | PhraseDependencies
        | OperationModel
        | dict[str, float],
    ] = ...,
) -> list[str]:
    """The names of all features of a model, in its order, without those a caller adds."""

@final
class OptionList:
    """The rules that search would try for a batch, each once."""
    def __len__(self, /) -> int: ...
    def rules(self, /) -> list[RuleParts]: ...
    def with_values(self, /, columns: Sequence[Sequence[float]]) -> AddedFeatures: ...

@final
class AddedFeatures:
    """Values of added features for the rules of a batch."""

@final
class Translation:
    """What search found for a sentence, or one entry of its n-best list."""
    @property
    def words(self) -> list[str]: ...
    @property
    def score(self) -> float: ...
    @property
    def values(self) -> list[float]: ...
    @property
    def features(self) -> dict[str, float]: ...
    @property
    def rules(self) -> list[tuple[str, str] | None]:
        """For each segment both sides of its rule, slots as `[X1]` and `[X2]`; None for phrases."""
    @property
    def places(self) -> list[int | None]:
        """The places of these rules among the table's of the same source side."""
    @property
    def steps(self) -> list[tuple[tuple[int, int], int | None, str | None, list[int]]]:
        """How rules hang together: source span, segment or what joined two steps, its parts."""
    @property
    def segments(self) -> list[tuple[tuple[int, int], tuple[int, int], str | None]]:
        """Source and target spans, for unknown words `copy`, `drop` or `mark`; in target order."""
    @property
    def heads(self) -> list[int | None] | None:
        """Heads of the words from 1, 0 for the root, None in no structure; None without trees."""
    @property
    def phrase_heads(self) -> list[int | None] | None:
        """The same of segments, where a tree over phrases was built; None for dropped words."""
    @property
    def alignment(self) -> list[tuple[int, int]]: ...
    @property
    def split(self) -> bool:
        """Whether it was translated in pieces, for its length."""
    @property
    def hurried(self) -> bool:
        """Whether its time was up before search had ended."""
    @property
    def ignored(self) -> list[str]:
        """The parts of its source that the decoder has no use for, by name."""
    def bare(self, /) -> Translation:
        """Words, score and features alone, of the list as well: what tuning looks at."""
    @property
    def n_best(self) -> list[Translation]: ...
    @property
    def listed(self) -> int:
        """How many entries its list has."""
    def entry(self, /, place: int) -> Translation:
        """One entry of the list; itself if there is no such one."""
    @property
    def tree(self) -> DependencyTree | None:
        """Its tree, if it was asked for and the system makes one."""
    @property
    def forest(self) -> Forest | None: ...

def check_search(settings: SearchSettings) -> None:
    """Says what is wrong with the settings of search."""

def search_settings() -> list[str]:
    """The names of all settings of search."""

def search_kinds() -> list[SearchKindTable]:
    """What each search declares."""

def search_features() -> list[SearchFeatureTable]:
    """What each feature with a state declares."""

def rescore(
    translations: Sequence[Translation],
    feature: int,
    lm: LanguageModel,
    weights: Sequence[float],
    *,
    threads: int = ...,
) -> list[Translation]:
    """The same with their n-best lists in the order of new scores.

    The value of a feature becomes what `lm` says of the words, and all count with these weights.
    """

@final
class Vote:
    """The candidates of several systems for one sentence."""
    def __len__(self, /) -> int: ...
    def places(self, /) -> list[tuple[int, int]]:
        """For each candidate the member that said it, and its place in that one's list."""
    def words(self, /, entry: int) -> list[str]: ...
    def values(self, /, entry: int) -> list[float]:
        """Values by the names of `vote_features`."""
    def ranked(self, /, weights: Sequence[float], most: int) -> list[tuple[int, float]]:
        """The best candidates under these weights with their scores, best first."""
    def sure(self, /, words: Sequence[str]) -> list[float]:
        """How probable each word is, as the members have it."""
    def support(self, /, words: Sequence[str], length: int) -> list[list[float] | None]:
        """For each member how often the n-grams that end with each word are expected, at most 1."""

def vote_features(members: Sequence[str]) -> list[str]:
    """The names of the features of a vote of these members."""

def votes(
    found: Sequence[Sequence[Translation | None]],
    scales: Sequence[float],
    forests: Sequence[bool],
    *,
    gain: str,
    edges: int,
    negligible: float,
    threads: int = ...,
) -> list[Vote]:
    """One vote for each sentence, from what each member said; None is a member without a say."""

@final
class Forest:
    """All derivations of one sentence that a search kept."""
    @staticmethod
    def from_json(text: str) -> Forest: ...
    def to_json(self, /) -> str: ...
    def features(self, /) -> list[str]: ...
    def weights(self, /) -> list[float]: ...
    def with_weights(self, /, weights: list[float]) -> Forest: ...
    def source(self, /) -> list[str]: ...
    @property
    def goal(self) -> int: ...
    def node_count(self, /) -> int: ...
    def edge_count(self, /) -> int: ...
    def log_derivations(self, /) -> float: ...
    def nodes(self, /) -> list[tuple[tuple[int, int] | None, list[int] | None, str | None]]: ...
    def edges(
        self, /
    ) -> list[
        tuple[
            int,
            list[int],
            list[str | int],
            list[tuple[int, int]],
            list[tuple[int, int]],
            list[tuple[int, float]],
            list[str],
            int | None,
            list[int],
        ]
    ]: ...
    def k_best(
        self, /, k: int, weights: list[float] | None, effort: int | None
    ) -> list[Derivation]: ...
    def inside_outside(
        self, /, weights: list[float] | None
    ) -> tuple[list[float], list[float], list[float]]: ...
    def expected_features(self, /, weights: list[float] | None) -> list[float]: ...
    def max_marginals(self, /, weights: list[float] | None) -> list[float]: ...
    def prune(
        self, /, threshold: float | None, edges: int | None, weights: list[float] | None
    ) -> Forest: ...
    def to_dot(self, /, weights: list[float] | None) -> str: ...
    def to_search_graph(self, /, sentence: int, weights: list[float] | None) -> str: ...
    def lattice(
        self, /, weights: list[float] | None
    ) -> tuple[int, int, list[tuple[int, int, str | None, float, int]], str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Derivation:
    """One derivation of a forest; what it says is worked out when asked for."""
    @property
    def score(self) -> float: ...
    def edges(self, /) -> list[int]: ...
    def words(self, /) -> list[str]: ...
    def text(self, /) -> str: ...
    def features(self, /) -> list[tuple[int, float]]: ...
    def alignment(self, /) -> list[tuple[int, int]]: ...
    def segments(self, /) -> list[tuple[int, list[tuple[int, int]], list[tuple[int, int]]]]: ...

def load_forests(path: str | PathLike[str]) -> list[Forest]: ...
def save_forests(path: str | PathLike[str], forests: list[Forest]) -> int: ...

class TreeParser:
    """What parsers of all kinds do: the base of their classes."""
    def save(self, /, path: str | PathLike[str]) -> None: ...
    @property
    def tags(self) -> str: ...
    def tag(self, /, forms: list[str]) -> list[str]: ...
    def parse(
        self,
        /,
        sentences: list[list[str]],
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> list[DependencyTree]: ...
    def parse_with_coarse(
        self,
        /,
        sentences: list[list[str]],
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> list[tuple[DependencyTree, list[str]]]: ...
    def brackets(
        self,
        /,
        sentences: list[list[str]],
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> list[ConstituentTree]: ...
    def brackets_tagged(self, /, forms: list[str], tags: list[str]) -> ConstituentTree: ...
    @property
    def known_tags(self) -> set[str]: ...
    def count_unknown(self, /, sentences: list[list[str]]) -> tuple[int, int]: ...
    def parse_tagged(self, /, forms: list[str], tags: list[str]) -> DependencyTree: ...
    def kbest(
        self,
        /,
        forms: list[str],
        k: int,
        scale: float = 1.0,
        tags: list[str] | None = None,
    ) -> list[tuple[DependencyTree, float, float]]: ...
    def kbest_all(
        self,
        /,
        sentences: list[list[str]],
        k: int,
        scale: float = 1.0,
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> list[list[tuple[DependencyTree, float, float]]]: ...
    def parse_file(
        self,
        /,
        source: str | PathLike[str],
        output: str | PathLike[str],
        language: str | None = None,
        tokenise: bool = True,
        split_hyphens: bool = False,
        threads: int = 0,
        progress: Progress | None = None,
        brackets: bool = False,
    ) -> tuple[int, int, int]: ...

@final
class DmvParser(TreeParser):
    """Tagger and the dependency model with valence."""
    @property
    def likelihood(self) -> float: ...
    @property
    def likelihoods(self) -> list[float]: ...
    @property
    def learnt_from(self) -> int: ...
    @property
    def start(self) -> int: ...

@final
class PcfgParser(TreeParser):
    """Tagger and a grammar of brackets with split symbols."""
    @property
    def likelihoods(self) -> list[float]: ...
    @property
    def sizes(self) -> tuple[int, int]: ...
    @property
    def objective(self) -> str: ...
    def with_search(self, /, objective: str, threshold: float | None = None) -> PcfgParser: ...

@final
class TransitionParser(TreeParser):
    """Tagger and steps to a tree."""
    @property
    def system(self) -> str: ...
    @property
    def beam(self) -> int: ...
    def with_beam(self, /, beam: int) -> TransitionParser: ...

def load_parser(path: str | PathLike[str]) -> TreeParser: ...
def train_parser(
    kind: str,
    treebanks: list[tuple[str | PathLike[str], str, float]],
    training: ParseSettings,
    seed: int,
    threads: int = 0,
    progress: Progress | None = None,
) -> tuple[TreeParser, int, tuple[int, int, int]]: ...

@final
class GraphParser(TreeParser):
    """Tagger, scores of arcs, search and labels."""
    @staticmethod
    def load(path: str | PathLike[str]) -> GraphParser: ...
    @property
    def search(self) -> str: ...
    @property
    def tagger(self) -> str: ...
    def with_search(self, /, search: str) -> GraphParser: ...
    def scores(self, /, forms: list[str], tags: list[str]) -> list[list[float]]: ...
    def explain(
        self, /, forms: list[str], tags: list[str], head: int, modifier: int
    ) -> list[tuple[str, float]]: ...

def best_heads(scores: list[list[float]], search: str, single_root: bool) -> list[int]: ...
def randomisation(one: list[float], other: list[float], samples: int, seed: int) -> float: ...
def metric_statistics(
    metric: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    threads: int = ...,
    progress: Progress | None = ...,
) -> list[list[float]]: ...
def metric_scores(
    metric: str, sums: Sequence[Sequence[float]], *, smoothed: bool = ...
) -> list[float]: ...
def meteor_statistics(
    hypotheses: Sequence[Sequence[tuple[int, int]]],
    references: Sequence[Sequence[Sequence[tuple[int, int]]]],
    *,
    threads: int = ...,
    progress: Progress | None = ...,
) -> list[list[float]]: ...
def meteor_scores(sums: Sequence[Sequence[float]]) -> list[float]: ...

@final
class TuningPool:
    """Candidates of all iterations of a tuning, each once."""
    def __new__(
        cls, metric: str, references: Sequence[Sequence[Sequence[str]]], features: int
    ) -> TuningPool: ...
    def __len__(self, /) -> int: ...
    def merge(
        self,
        /,
        lists: Sequence[
            Translation | Vote | Sequence[tuple[Sequence[str], Sequence[tuple[int, float]]]]
        ],
        *,
        save: str | PathLike[str] | None = ...,
        threads: int = ...,
    ) -> int: ...
    def merge_file(self, /, path: str | PathLike[str], *, threads: int = ...) -> int: ...
    def score(self, /, weights: Sequence[float]) -> float: ...
    def mert(
        self,
        /,
        starts: Sequence[Sequence[float]],
        *,
        random_starts: int,
        directions: int,
        rounds: int,
        seed: int,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> tuple[list[float], float]: ...
    def pro(
        self,
        /,
        start: Sequence[float],
        *,
        samples: int,
        keep: int,
        threshold: float,
        loss: str,
        l2: float,
        interpolation: float | None,
        seed: int,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> tuple[list[float], float]: ...
    def mira(
        self,
        /,
        start: Sequence[float],
        *,
        passes: int,
        c: float,
        decay: float,
        seed: int,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> tuple[list[float], float]: ...
    def regularised(
        self,
        /,
        start: Sequence[float],
        learnt: Sequence[float],
        length: int | None,
        *,
        strength: float,
        threads: int = ...,
    ) -> list[float]: ...
    def fit_length(
        self,
        /,
        weights: Sequence[float],
        feature: int,
        *,
        tolerance: float,
        cost: float,
        threads: int = ...,
    ) -> tuple[list[float], float]: ...
    def estimated(
        self,
        /,
        weights: Sequence[float],
        new: Sequence[int],
        length: int | None,
        *,
        threads: int = ...,
    ) -> list[float]: ...

@final
class TuningForests:
    """Forests of all iterations of a tuning."""
    def __new__(
        cls, metric: str, references: Sequence[Sequence[Sequence[str]]], features: int
    ) -> TuningForests: ...
    def merge(self, /, forests: Sequence[Forest]) -> None: ...
    def score(self, /, weights: Sequence[float]) -> float: ...
    def mert(
        self,
        /,
        starts: Sequence[Sequence[float]],
        *,
        random_starts: int,
        directions: int,
        rounds: int,
        seed: int,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> tuple[list[float], float]: ...
