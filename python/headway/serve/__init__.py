"""Translation as a web service, with the API of LibreTranslate and one that says more.

    headway serve model

This module needs the extra `server`; the command says so where it is missing.
"""
