"""The one sentence, of at most 160 characters, for each way in which a file is no application; and the bounds."""

from __future__ import annotations

MAX_FILE_BYTES = 25 * 1024 * 1024
MAX_UNPACKED_BYTES = 50 * 1024 * 1024
MAX_PARTS = 1000
WALL_SECONDS = 20.0
MOST_SCANNED_PAGES = 20
OCR_SECONDS = 60.0
OCR_PROGRAM = "tesseract"

EMPTY = "This file is empty; ask for another copy."
TOO_LARGE = "This file is larger than 25 MB; ask for a smaller copy."
TOO_LARGE_UNPACKED = "This file unpacks to more than 50 MB, so it was not opened; ask for a smaller copy."
TOO_MANY_PARTS = "This file is made of more than 1,000 parts, so it was not opened; ask for a plain copy."
TOO_HUNGRY = "This file needs more memory to read than one file may take; ask for a smaller copy."
TOO_SLOW = f"This file takes more than {WALL_SECONDS:.0f} seconds to read, so it was given up; ask for a simpler copy."
NO_TEXT = "This file has no readable text, as a scan has none; ask for a copy whose words can be selected."
OCR_FAILED = "This file is a scan that tesseract could not read; ask for a copy whose words can be selected."
OCR_TOO_LONG = f"This file is a scan of more than {MOST_SCANNED_PAGES} pages; ask for a copy with text."
OCR_TOO_SLOW = f"This file is a scan that takes more than {OCR_SECONDS:.0f} seconds to read; ask for a copy with text."
PASSWORD = "This file opens only with a password; ask for an open copy."  # noqa: S105
DAMAGED = "This file is damaged or cut off, so it was not read; ask for another copy."
FAILED = "This file made its reader fail, so it was not read; ask for another copy."
HAS_MACROS = "This Word file holds macros, so it was not opened; ask for a copy saved as PDF or plain DOCX."
JSON_DATA = "This is JSON data, which is not an application; name it itself if it is a list of forms."
TABLE = "This is a table, which is not an application; name it itself if its rows are applications."
ROLE_TEXT = "This describes a role, which is not an application; add it with role add."

PROBABLY_A_SCAN = "There are very few words for its pages; it is probably a scan."  # a doubt: it was read
