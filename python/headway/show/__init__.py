"""What people see: whole pages, pictures of translations, and the look that they share."""

from headway.show.page import page, read, section
from headway.show.picture import Alternative, Choice, Picture, Span

__all__ = ["Alternative", "Choice", "Picture", "Span", "page", "read", "section"]
