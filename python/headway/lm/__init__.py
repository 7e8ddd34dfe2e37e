"""n-gram language models: estimated from text, read from ARPA files, queried."""
