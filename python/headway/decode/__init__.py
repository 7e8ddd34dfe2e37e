"""Search for translations under one linear model."""

from headway.decode.decoder import Decoder, Translation, minimum_risk

__all__ = ["Decoder", "Translation", "minimum_risk"]
