//! Both directions together: trained on a bitext, applied to sentence pairs, kept in a file.

use std::path::Path;

use rayon::prelude::*;

use super::bitext::{Bitext, Side};
use super::direction::{Buffers, Direction, ModelKind, Training, likeliest};
use super::fertility::Fertilities;
use super::jumps::{JumpRows, Jumps};
use super::lexicon::Lexicon;
use super::punctuation::Kind as WordKind;
use super::{Alignment, Symmetrisation};
use crate::container::{Container, ContainerWriter, Kind};
use crate::random::Random;
use crate::{Error, Monitor, Result, Vocabulary};

const KIND: Kind = Kind { name: "aligner", version: 2 };

/// Numbers of words that training never saw.
const UNKNOWN: u32 = u32::MAX - 1;

#[derive(Debug)]
pub struct Aligner {
    source: Vocabulary,
    target: Vocabulary,
    /// Target words given source words.
    forward: Direction,
    /// Source words given target words.
    backward: Direction,
    lowercase: bool,
    punctuation_apart: bool,
    seed: u64,
    /// A hash of each training pair: its own links are not to speak for it when it is aligned.
    learnt: Vec<u64>,
}

/// Alignments of one sentence pair, all as source–target links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directions {
    pub forward: Alignment,
    pub backward: Alignment,
}

impl Directions {
    fn retain(&mut self, may: impl Fn(u32, u32) -> bool) {
        for alignment in [&mut self.forward, &mut self.backward] {
            let links = alignment.links().iter().copied();
            *alignment = Alignment::new(links.filter(|&(s, t)| may(s, t)).collect());
        }
    }
}

impl Aligner {
    /// Pairs with a side of more than `longest` words are not learnt from: both time and memory
    /// grow with the product of the lengths.
    pub fn train(
        bitext: &Bitext,
        lowercase: bool,
        longest: usize,
        training: &Training,
        monitor: &Monitor,
    ) -> Result<Self> {
        let passes = training.passes_before_sampling() + training.passes_of_sampling();
        monitor.expect(2 * Direction::work(bitext.len(), passes));
        let [source, target] = learning_sides(bitext, lowercase, longest);
        let (forward, _) = Direction::train(&source, &target, training, monitor)?;
        let (backward, _) = Direction::train(&target, &source, training, monitor)?;
        Ok(Self::new([&source, &target], lowercase, training, [forward, backward]))
    }

    /// An aligner of directions that were learnt from these sides.
    pub(super) fn new(
        [source, target]: [&Side; 2],
        lowercase: bool,
        training: &Training,
        [forward, backward]: [Direction; 2],
    ) -> Self {
        let learnt = (0..source.len())
            .map(|pair| fingerprint(source.sentence(pair), target.sentence(pair)))
            .collect();
        Aligner {
            learnt,
            source: source.vocabulary.clone(),
            target: target.vocabulary.clone(),
            forward,
            backward,
            lowercase,
            punctuation_apart: training.punctuation_apart,
            seed: training.seed,
        }
    }

    /// Aligns every pair of a bitext, both directions, on all threads. The bitext's words are
    /// looked up by form, so it need not be the one of training. Pairs with a side of more than
    /// `longest` words get no links.
    pub fn align(
        &self,
        bitext: &Bitext,
        longest: usize,
        monitor: &Monitor,
    ) -> Result<Vec<Directions>> {
        let source = Renumbered::new(&self.source, &bitext.source, self.lowercase);
        let target = Renumbered::new(&self.target, &bitext.target, self.lowercase);
        (0..bitext.len())
            .into_par_iter()
            .map_init(Default::default, |(buffers, sources, targets), pair| {
                monitor.advance(1)?;
                if bitext.is_longer(pair, longest) {
                    return Ok(Directions::default());
                }
                source.sentence(pair, sources);
                target.sentence(pair, targets);
                let mut directions = self.align_pair(sources, targets, pair, buffers);
                if self.punctuation_apart {
                    // Words that training never saw are not in the lexicon, which says so else.
                    directions
                        .retain(|s, t| source.kind(pair, s).may_stand_for(target.kind(pair, t)));
                }
                Ok(directions)
            })
            .collect()
    }

    fn align_pair(
        &self,
        source: &[u32],
        target: &[u32],
        pair: usize,
        buffers: &mut Buffers,
    ) -> Directions {
        let known = self.learnt.get(pair) == Some(&fingerprint(source, target));
        let mut links = |model: &Direction, given: &[u32], generated: &[u32], way: u64| {
            if given.is_empty() || generated.is_empty() {
                return Vec::new();
            }
            let mut random = Random::new(self.seed ^ way, pair as u64);
            let own = model.learnt.get(pair).filter(|own| known && own.len() == generated.len());
            let own = own.map(Vec::as_slice);
            let posteriors = model.posteriors(given, generated, own, &mut random, buffers);
            let rows = posteriors.chunks_exact(given.len() + 1).enumerate();
            rows.filter_map(|(word, row)| {
                let generator = likeliest(row).checked_sub(1)?;
                Some((generator as u32, word as u32))
            })
            .collect()
        };
        let forward = links(&self.forward, source, target, 0xF0);
        let backward = links(&self.backward, target, source, 0xB0);
        Directions {
            forward: Alignment::new(forward),
            backward: Alignment::new(backward).inverse(),
        }
    }

    /// Word pairs of the forward (target given source) or backward lexicon that are at least
    /// this probable: given word (None is NULL), generated word, probability; sorted as stored.
    pub fn lexicon(&self, forward: bool, least: f32) -> Vec<(Option<&str>, &str, f32)> {
        let (direction, given, generated) = if forward {
            (&self.forward, &self.source, &self.target)
        } else {
            (&self.backward, &self.target, &self.source)
        };
        let entries = direction.lexicon.keys().iter().zip(direction.lexicon.probabilities());
        entries
            .filter(|&(_, &probability)| probability >= least)
            .map(|(&key, &probability)| {
                let word = |id: u64| crate::WordId(id as u32);
                let by = (key >> 32).checked_sub(1).map(|id| given.word(word(id)));
                (by, generated.word(word(key & 0xFFFF_FFFF)), probability)
            })
            .collect()
    }

    pub fn save(&self, path: &Path) -> Result<()> {
        let mut writer = ContainerWriter::create(path, KIND, 18)?;
        writer.section("meta")?;
        let switches = [self.lowercase, self.punctuation_apart].map(u8::from);
        writer.write(&[self.forward.kind as u8])?;
        writer.write(&switches)?;
        writer.write(&self.seed.to_le_bytes())?;
        self.source.write_sections(&mut writer, "source")?;
        self.target.write_sections(&mut writer, "target")?;
        write_direction(&mut writer, "forward", &self.forward)?;
        write_direction(&mut writer, "backward", &self.backward)?;
        writer.finish()
    }

    pub fn load(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        let damaged = || Error::model(path, "the aligner in it is damaged; train it again");
        let meta = container.section("meta")?;
        let (&[kind, lowercase, punctuation_apart], seed) =
            meta.split_first_chunk().ok_or_else(damaged)?;
        let (_, kind) = *ModelKind::ALL.get(usize::from(kind)).ok_or_else(damaged)?;
        let source = Vocabulary::read_sections(&container, "source")?;
        let target = Vocabulary::read_sections(&container, "target")?;
        let (sources, targets) = (source.len(), target.len());
        Ok(Aligner {
            forward: read_direction(&container, "forward", kind, (sources, targets))?,
            backward: read_direction(&container, "backward", kind, (targets, sources))?,
            source,
            target,
            learnt: Vec::new(),
            lowercase: lowercase != 0,
            punctuation_apart: punctuation_apart != 0,
            seed: u64::from_le_bytes(seed.try_into().map_err(|_| damaged())?),
        })
    }
}

/// Both sides as directions learn from them: pairs with a side of more than `longest` words are
/// empty.
pub(super) fn learning_sides(bitext: &Bitext, lowercase: bool, longest: usize) -> [Side; 2] {
    [&bitext.source, &bitext.target].map(|side| {
        let mut side = if lowercase { side.lowercased() } else { side.clone() };
        side.empty(|pair| bitext.is_longer(pair, longest));
        side
    })
}

/// FNV-1a over the words of both sides.
fn fingerprint(source: &[u32], target: &[u32]) -> u64 {
    let words = source.iter().chain([&u32::MAX]).chain(target);
    words.fold(0xCBF2_9CE4_8422_2325, |hash, &word| {
        (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3)
    })
}

fn write_direction(writer: &mut ContainerWriter, name: &str, direction: &Direction) -> Result<()> {
    writer.section(&format!("{name}-pairs"))?;
    for key in direction.lexicon.keys() {
        writer.write(&key.to_le_bytes())?;
    }
    write_floats(writer, &format!("{name}-t"), direction.lexicon.probabilities())?;
    writer.section(&format!("{name}-jumpers"))?;
    for word in direction.jumps.rows().words() {
        writer.write(&word.to_le_bytes())?;
    }
    write_floats(writer, &format!("{name}-jump"), direction.jumps.weights())?;
    write_floats(writer, &format!("{name}-fert"), direction.fertilities.rows())?;
    write_floats(writer, &format!("{name}-null"), &[direction.null])
}

fn write_floats(writer: &mut ContainerWriter, name: &str, values: &[f32]) -> Result<()> {
    writer.section(name)?;
    values.iter().try_for_each(|value| writer.write(&value.to_le_bytes()))
}

fn read_direction(
    container: &Container,
    name: &str,
    kind: ModelKind,
    (givens, words): (usize, usize),
) -> Result<Direction> {
    let damaged = || Error::model(container.path(), "the aligner in it is damaged; train it again");
    let bytes = container.section(&format!("{name}-pairs"))?;
    let keys: Vec<u64> = bytes
        .chunks_exact(8)
        .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
        .collect();
    let probabilities = read_floats(container, &format!("{name}-t"))?;
    let jumpers: Vec<u32> = container
        .section(&format!("{name}-jumpers"))?
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
        .collect();
    let weights = read_floats(container, &format!("{name}-jump"))?;
    let fertilities = read_floats(container, &format!("{name}-fert"))?;
    let null = read_floats(container, &format!("{name}-null"))?;
    let known = |&key: &u64| (key >> 32) as usize <= givens && ((key as u32) as usize) < words;
    let fits = keys.len() == probabilities.len()
        && keys.iter().all(known)
        && keys.is_sorted_by(|a, b| a < b)
        && jumpers.iter().all(|&word| (word as usize) < givens)
        && (kind != ModelKind::Fertility || Fertilities::has_right_size(&fertilities, givens));
    if !fits {
        return Err(damaged());
    }
    let jumps = Jumps::new(JumpRows::new(jumpers), weights).ok_or_else(damaged)?;
    match null[..] {
        [null] => Ok(Direction {
            kind,
            lexicon: Lexicon::from_parts(keys, probabilities),
            jumps,
            fertilities: Fertilities::from_rows(fertilities),
            null,
            learnt: Vec::new(),
        }),
        _ => Err(damaged()),
    }
}

fn read_floats(container: &Container, name: &str) -> Result<Vec<f32>> {
    let values = container.section(name)?.chunks_exact(4);
    Ok(values.map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes"))).collect())
}

/// The sentences of a side in the numbers of another vocabulary.
struct Renumbered<'a> {
    side: &'a Side,
    numbers: Vec<u32>,
    kinds: Vec<WordKind>,
}

impl<'a> Renumbered<'a> {
    fn new(vocabulary: &Vocabulary, side: &'a Side, lowercase: bool) -> Self {
        let number = |word: &str| {
            let id =
                if lowercase { vocabulary.get(&word.to_lowercase()) } else { vocabulary.get(word) };
            id.map_or(UNKNOWN, |id| id.0)
        };
        let numbers = side.vocabulary.words().map(number).collect();
        Renumbered { side, numbers, kinds: WordKind::of_words(side) }
    }

    fn kind(&self, pair: usize, place: u32) -> WordKind {
        self.kinds[self.side.sentence(pair)[place as usize] as usize]
    }

    fn sentence(&self, pair: usize, words: &mut Vec<u32>) {
        words.clear();
        words.extend(self.side.sentence(pair).iter().map(|&word| self.numbers[word as usize]));
    }
}

/// Joins both directions of every pair.
pub fn symmetrise(directions: &[Directions], how: Symmetrisation) -> Vec<Alignment> {
    directions.par_iter().map(|pair| how.join(&pair.forward, &pair.backward)).collect()
}
