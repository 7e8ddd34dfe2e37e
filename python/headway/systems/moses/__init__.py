"""Models of Moses as bundles."""

from headway.systems.moses.importing import Imported, import_model

__all__ = ["Imported", "import_model"]
