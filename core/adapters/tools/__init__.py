"""The tools that ship, one small file each. To add one, write its file and name it here."""

from core.adapters.tools.add_column import ADD_COLUMN
from core.adapters.tools.check_file import CHECK_FILE
from core.adapters.tools.copy_rows import COPY_ROWS
from core.adapters.tools.copying import Sandboxes
from core.adapters.tools.count_rows import COUNT_ROWS
from core.adapters.tools.database import write_database
from core.adapters.tools.drop_table import DROP_TABLE
from core.adapters.tools.inspect_schema import INSPECT_SCHEMA
from core.adapters.tools.list_files import LIST_FILES
from core.adapters.tools.query import QUERY
from core.adapters.tools.read_document import READ_DOCUMENT
from core.adapters.tools.remove_file import REMOVE_FILE
from core.adapters.tools.rename_columns import RENAME_COLUMNS
from core.adapters.tools.runner import Tools
from core.adapters.tools.tool import Tool
from core.adapters.tools.verify_copy import VERIFY_COPY
from core.adapters.tools.write_report import WRITE_REPORT

TOOLS = (
    INSPECT_SCHEMA, COUNT_ROWS, COPY_ROWS, RENAME_COLUMNS, ADD_COLUMN, VERIFY_COPY, QUERY, DROP_TABLE, WRITE_REPORT,
    LIST_FILES, READ_DOCUMENT, CHECK_FILE, REMOVE_FILE,
)  # fmt: skip

__all__ = ["TOOLS", "Sandboxes", "Tool", "Tools", "write_database"]
