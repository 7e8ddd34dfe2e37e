"""When the length of translations deserves a warning."""

# BLEU loses about a point for each percent that is missing.
_TOO_FAR = 0.03


def length_warning(ratio: float) -> str | None:
    """Why a length ratio is doubtful, or None if it is not: more than 3 % from 1."""
    if abs(ratio - 1.0) <= _TOO_FAR:
        return None
    what = "short" if ratio < 1 else "long"
    percent = abs(ratio - 1.0) * 100
    return f"translations are {percent:.1f} % too {what} (length ratio {ratio:.3f})"
