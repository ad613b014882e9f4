"""The control words of RTF that a reader of its text must know."""

from __future__ import annotations

SIGNS = {
    "par": "\n",
    "line": "\n",
    "sect": "\f",
    "page": "\f",
    "row": "\n",
    "nestrow": "\n",
    "tab": "\t",
    "cell": "\t",
    "nestcell": "\t",
    "emdash": "\u2014",
    "endash": "\u2013",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
}
SYMBOLS = {"~": " ", "_": "-", "-": "", "\n": "\n", "\r": "\n", "\\": "\\", "{": "{", "}": "}"}

# Groups that are no text of the page: tables of the file itself, pictures, instructions, notes to the editor.
UNREAD = frozenset(
    {
        "filetbl", "stylesheet", "listtable", "listoverridetable", "rsidtbl", "generator", "pict", "object", "objdata",
        "fldinst", "nonshppict", "themedata", "colorschememapping", "datastore", "latentstyles", "xmlnstbl", "pgptbl",
        "bkmkstart", "bkmkend", "atnid", "atnauthor", "atnref", "atndate", "revtbl", "template", "sp", "pntext",
        "author", "operator", "title", "company", "manager", "hlinkbase", "creatim", "revtim", "printim", "buptim",
    }
)  # fmt: skip
PROPERTIES = frozenset({"keywords", "subject", "doccomm"})
COMMENTS = frozenset({"annotation"})
# Marked as ignorable for old readers, and shown on the page all the same.
SHOWN_THOUGH_IGNORABLE = frozenset({"shpinst", "shptxt", "ud", "background", "fldrslt"})

CODE_PAGES = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    254: "cp437", 255: "cp850",
}  # fmt: skip
NAMED_PAGES = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
