"""Whole systems: trained into bundles, loaded, and used to translate.

headway.train("phrase", "train.de", "train.en", "model")
translator = headway.Translator.load("model")
print(translator.translate(["Ein Haus steht dort."])[0].text)
"""

from headway.systems.bundle import Bundle, Languages, Manifest, Preprocessing
from headway.systems.combining import Combined, combine
from headway.systems.constraints import Constraint, Forced, Wall, Zone
from headway.systems.corpus import Corpus, TreeSource
from headway.systems.dev import Bleu, bleu
from headway.systems.ensemble import ENSEMBLE, Ensemble, train_ensemble
from headway.systems.explain import Explanation, explain
from headway.systems.features import Features, RuleFeature, parse_features
from headway.systems.nbest import moses_lines
from headway.systems.overlap import Overlap
from headway.systems.pipeline import StepTime
from headway.systems.registry import SYSTEMS
from headway.systems.rescoring import SecondPass
from headway.systems.source import Source
from headway.systems.system import System
from headway.systems.training import Trained, train
from headway.systems.translation import Candidate, Segment, Step, Translation, UnknownWord
from headway.systems.translator import Translator
from headway.systems.tuning import SystemReport, TunableBundle, tune_system
from headway.systems.unknown import UnknownReport, write_unknown_report
from headway.systems.weights import parse_weights

__all__ = [
    "ENSEMBLE",
    "SYSTEMS",
    "Bleu",
    "Bundle",
    "Candidate",
    "Combined",
    "Constraint",
    "Corpus",
    "Ensemble",
    "Explanation",
    "Features",
    "Forced",
    "Languages",
    "Manifest",
    "Overlap",
    "Preprocessing",
    "RuleFeature",
    "SecondPass",
    "Segment",
    "Source",
    "Step",
    "StepTime",
    "System",
    "SystemReport",
    "Trained",
    "Translation",
    "Translator",
    "TreeSource",
    "TunableBundle",
    "UnknownReport",
    "UnknownWord",
    "Wall",
    "Zone",
    "bleu",
    "combine",
    "explain",
    "moses_lines",
    "parse_features",
    "parse_weights",
    "train",
    "train_ensemble",
    "tune_system",
    "write_unknown_report",
]
