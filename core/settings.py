"""Settings, read once at the edge from the environment or `.env`; nothing below bootstrap looks there."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dotenv import dotenv_values
from pydantic import AfterValidator, AwareDatetime, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import SettingsWrong

PREFIX = "DAYBOOK_"
ENV_FILE = ".env"


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError("an IANA time zone such as Europe/London") from error
    return name


def _on_the_calendar(now: datetime) -> datetime:
    if not 1970 < now.year < 3000:
        raise ValueError("a time after 1970 and before 3000, such as 2026-08-20T09:00:00Z")
    return now


class Settings(BaseSettings):
    """What a deployment can choose. Every name is `DAYBOOK_` and the field's name in capitals."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_file=ENV_FILE, extra="ignore", frozen=True)

    home: Path = Path("data/var")
    tenant: str | None = Field(default=None, pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    base_url: str = Field(default="http://127.0.0.1:8501", pattern=r"^https?://")
    mail_from: str = "Daybook <daybook@example.com>"
    database_url: str | None = Field(default=None, pattern=r"^(sqlite:///|postgresql://)")
    engine: Literal["local"] = "local"
    worker: Literal["embedded", "off"] = "embedded"
    model: Literal["practice"] = "practice"
    mail: Literal["outbox"] = "outbox"
    hold_seconds: int | None = Field(default=None, ge=0, le=7 * 24 * 3600)
    timezone: Annotated[str, AfterValidator(_known_zone)] = "Europe/London"
    now: Annotated[AwareDatetime, AfterValidator(_on_the_calendar)] | None = None

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


def load_settings() -> Settings:
    """Read the settings, or raise SettingsWrong naming the setting, its bound and the fix."""
    refuse_unknown({**dotenv_values(ENV_FILE), **os.environ})
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = PREFIX + str(first["loc"][0]).upper()
        raise SettingsWrong(
            f"{name} is {first.get('input')!r}: {first['msg']}. Correct it in the environment or .env."
        ) from error


def refuse_unknown(environment: Mapping[str, str | None]) -> None:
    """Raise SettingsWrong for a DAYBOOK_ name that means nothing, with the nearest one that does."""
    known = [PREFIX + field.upper() for field in Settings.model_fields]
    for name in environment:
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean {near[0]}?" if near else f" Known: {', '.join(known)}."
            raise SettingsWrong(f"{name} is not a setting.{hint}")
