"""Settings, read once at the edge from the environment or `.env`; nothing below bootstrap looks there."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from datetime import datetime
from email.policy import EmailPolicy
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dotenv import dotenv_values
from pydantic import AfterValidator, AwareDatetime, Field, PlainValidator, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.clock import is_on_calendar
from core.errors import BadInput, SettingsWrong, meant
from core.identity import check_email, display_name, storable
from core.mail_server import MailServer, read_mail_server

PREFIX = "DAYBOOK_"
PRACTICE = "practice"
_MODELS = re.compile(r"practice|claude-[a-z0-9][a-z0-9.@-]{0,80}")
_LANGUAGES = re.compile(r"(?!yes$)[a-z]{3}(_[a-z]{1,12})?(\+[a-z]{3}(_[a-z]{1,12})?){0,9}")
ENV_FILE = ".env"
SECRET = ("mail", "database_url")  # a password may stand in these; they are never shown as typed
MOST_HOLD_SECONDS = 7 * 24 * 3600
MOST_MODEL_CALLS = 32


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError("no zone") from error
    return name


def _known_model(name: str) -> str:
    if not _MODELS.fullmatch(name):
        raise ValueError("practice, or the name of a Claude model such as claude-sonnet-5-5")
    return name


def _known_languages(typed: str) -> str:
    if typed != "off" and not _LANGUAGES.fullmatch(typed):
        raise ValueError("off, or tesseract's names of languages")
    return typed


def _on_the_calendar(now: datetime) -> datetime:
    if not is_on_calendar(now):
        raise ValueError("off the calendar")
    return now


def _one_address(sender: str) -> str:
    """Check that letters can come from it: one address, with or without a name, and nothing that steers a header."""
    if display_name(sender) != sender or len(EmailPolicy().header_factory("from", sender).addresses) != 1:
        raise ValueError("not one address")
    try:
        address = check_email(parseaddr(sender)[1])
    except BadInput as error:
        raise ValueError("no address") from error
    if not address.isascii():
        raise ValueError("not every mail server takes it")
    return sender


def _mail_server(typed: object) -> Literal["outbox"] | MailServer:
    try:
        return read_mail_server(typed)
    except ValueError as error:
        raise MustBeError(*error.args) from None  # a password may stand in what was typed


def _lasting(url: str) -> str:
    """Check that the rows are still there when the process has ended, and that the address can be read at all."""
    if url.startswith("sqlite:///"):
        if url.removeprefix("sqlite:///") in ("", ":memory:") or url.endswith("/"):
            raise MustBeError("the address of a file, for what is kept in memory is gone when the command ends")
    elif not urlsplit(url).path.strip("/") or urlsplit(url).port == 0:
        raise ValueError("no address of a database")
    return url


class MustBeError(ValueError):
    """Says what a value must be where that is more than its bound."""


# What each setting may be, to be read after "it must be".
_RIGHT = {
    "home": "a folder",
    "tenant": "lower-case letters, digits and hyphens, at most 63 and no hyphen first",
    "base_url": "an address that begins with http:// or https://",
    "mail_from": "one address that mail can come from, such as Daybook <daybook@example.com>",
    "database_url": "sqlite:///FILE or postgresql://NAME:PASSWORD@HOST/DATABASE",
    "engine": "local or temporal",
    "temporal": "the server's name and port, such as 127.0.0.1:7233",
    "worker": "embedded or off",
    "serves": "all or workshop",
    "model": "practice, or the name of a Claude model such as claude-sonnet-5-5",
    "model_calls": "a whole number from 1 to 32",
    "mail": "outbox or a mail server",
    "ocr": "off, or the languages in which tesseract is to read scans, such as eng or eng+deu",
    "ANTHROPIC_API_KEY": "a key",
    "ANTHROPIC_BASE_URL": "an address that begins with http:// or https://",
    "hold_seconds": "a whole number from 0 to 604800 (seven days)",
    "timezone": "an IANA time zone such as Europe/London",
    "now": "a time with its zone, after 1970 and before 3000, such as 2026-08-20T09:00:00Z",
}


class Settings(BaseSettings):
    """What a deployment can choose.

    A name is `DAYBOOK_` and the field's name in capitals, but for those that a vendor gave.
    """

    # An empty value is one that nobody set: an empty DAYBOOK_HOME would be the current folder.
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=ENV_FILE, env_ignore_empty=True, extra="ignore", frozen=True, populate_by_name=True
    )

    home: Path = Path("data/var")
    tenant: str | None = Field(default=None, pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    base_url: str = Field(default="http://127.0.0.1:8501", pattern=r"^https?://")
    mail_from: Annotated[str, AfterValidator(_one_address)] = "Daybook <daybook@example.com>"
    database_url: Annotated[str, AfterValidator(_lasting), Field(pattern=r"^(sqlite:///|postgresql://)")] | None = None
    engine: Literal["local", "temporal"] = "local"
    temporal: str = Field(default="127.0.0.1:7233", pattern=r"^[A-Za-z0-9.-]{1,253}:[1-9][0-9]{0,4}$")
    worker: Literal["embedded", "off"] = "embedded"
    serves: Literal["all", "workshop"] = "all"
    model: Annotated[str, AfterValidator(_known_model)] = PRACTICE
    model_calls: int = Field(default=8, ge=1, le=MOST_MODEL_CALLS)
    mail: Annotated[Literal["outbox"] | MailServer, PlainValidator(_mail_server)] = "outbox"
    ocr: Annotated[str, AfterValidator(_known_languages)] = "off"
    hold_seconds: int | None = Field(default=None, ge=0, le=MOST_HOLD_SECONDS)
    timezone: Annotated[str, AfterValidator(_known_zone)] = "Europe/London"
    now: Annotated[AwareDatetime, AfterValidator(_on_the_calendar)] | None = None
    anthropic_api_key: SecretStr | None = Field(default=None, validation_alias="ANTHROPIC_API_KEY")
    anthropic_base_url: str | None = Field(
        default=None, validation_alias="ANTHROPIC_BASE_URL", pattern=r"^(https?://|$)"
    )

    @property
    def frozen_now(self) -> datetime | None:
        """The business time every command sees, if `DAYBOOK_NOW` freezes it."""
        return self.now

    @property
    def database_path(self) -> Path:
        """The SQLite file, where the rows are in one: `DAYBOOK_DATABASE_URL` without its scheme, or daybook.sqlite."""
        if self.database_url:
            return Path(self.database_url.removeprefix("sqlite:///"))
        return self.home / "daybook.sqlite"

    @property
    def database_shown(self) -> str:
        """Where the rows are, for a person to read: without a password."""
        if self.database_url is None or self.database_url.startswith("sqlite:///"):
            return str(self.database_path)
        return without_secret(self.database_url)

    @property
    def ocr_shown(self) -> str:
        """How scans are read: off, or the languages, and whether the program is there."""
        missing = self.ocr != "off" and shutil.which("tesseract") is None
        return f"{self.ocr}, but tesseract is not there" if missing else self.ocr


_NAMES_OF_VENDORS = {str(one.validation_alias) for one in Settings.model_fields.values() if one.validation_alias}


def without_secret(address: str) -> str:
    """Answer an address as a page may show it: whom it signs in as, its password and its options are left out."""
    parts = urlsplit(address)
    if not parts.netloc:
        return address
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"


def load_settings() -> Settings:
    """Read the settings, or raise SettingsWrong naming the setting, its bound and the fix."""
    try:
        refuse_unknown({**dotenv_values(ENV_FILE), **os.environ})
        settings = Settings()
    except ValidationError as error:
        raise SettingsWrong(_wrong(error)) from None  # what was typed stands in the cause, and a password may in that
    except UnicodeDecodeError as error:
        raise SettingsWrong(f"{ENV_FILE} is not UTF-8 text; save it as UTF-8.") from error
    except OSError as error:
        raise SettingsWrong(f"{ENV_FILE} cannot be read ({error.strerror}); look at what it is.") from error
    if settings.model != PRACTICE:
        key_of(settings)
    return settings


def key_of(settings: Settings) -> str:
    """Answer the key for the model that is set, or raise SettingsWrong: every call would fail without one."""
    key = settings.anthropic_api_key.get_secret_value().strip() if settings.anthropic_api_key else ""
    if not key:
        raise SettingsWrong(
            f"DAYBOOK_MODEL is {settings.model}, which needs a key, and ANTHROPIC_API_KEY is not set; set it, or set"
            " DAYBOOK_MODEL to practice."
        )
    return key


def _wrong(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0])
    name = field if field in _NAMES_OF_VENDORS else PREFIX + field.upper()
    shown = "set" if field in SECRET else storable(repr(str(first.get("input"))[:80]))
    raised = first.get("ctx", {}).get("error")
    right = raised if isinstance(raised, MustBeError) else _RIGHT[field]
    return f"{name} is {shown}, but must be {right}. Correct it in the environment or .env."


def hide_password(text: str, url: str | None = None) -> str:
    """Answer the text without the password of the database's address (default: the one that is set)."""
    url = url or os.environ.get(f"{PREFIX}DATABASE_URL") or dotenv_values(ENV_FILE).get(f"{PREFIX}DATABASE_URL") or ""
    credentials = url.partition("://")[2].rpartition("@")[0]
    password = credentials.partition(":")[2]
    for secret in {password, unquote(password)} - {""}:
        text = text.replace(secret, "***")
    return text


def refuse_unknown(environment: Mapping[str, str | None]) -> None:
    """Raise SettingsWrong for a DAYBOOK_ name that means nothing, with the nearest one that does."""
    known = [PREFIX + name.upper() for name, field in Settings.model_fields.items() if not field.validation_alias]
    for name in environment:
        if name.startswith(PREFIX) and name not in known:
            raise SettingsWrong(f"{name} is not a setting. {meant(name, known)}")
