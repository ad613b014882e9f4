"""Reads an application file as a person would see it, by what is in it and not by its name.

kinds         what a file is
lists         what is about applications and is none: tables, lists of forms, role texts
characters    text without what nobody can see or no database can keep
looks         when a piece of text cannot be seen, for every format alike
usable        whether letters make words at all
text          plain text in the usual encodings
markdown      Markdown, with pictures dropped and link words kept
html          web pages; html_look says how an element looks
json_resume   JSON Resume, a line a field
rtf           RTF; rtf_page and rtf_words are its page and its words
pdf           PDF, page by page
visibility    what on a PDF page nobody can see
painting      what is on a PDF page, in painting order
fields        what stands in fields, drawn into the page
shapes        whether its letters look like what they are said to be
rings         what a path is filled between
clipping      how far it is let through
places        boxes and matrices
columns       whether a PDF page's lines run across two columns
docx          DOCX, from its XML; docx_look says how a run looks, docx_notes its notes
scans         scans, by the system's tesseract
unpacking     how far a file may be unpacked
parse         one file read in this process
reader        the door to them all
pool, child   the same as parse, in a process of its own with limits; wire is what they say
reasons       the sentences of what is not read, and the bounds
"""

from __future__ import annotations

from core.adapters.readers.reader import ApplicationReader

__all__ = ["ApplicationReader"]
