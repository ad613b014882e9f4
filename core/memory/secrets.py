"""Find a secret in a text: the patterns of detect-secrets, and a few of our own. Nothing is looked up outside."""

from __future__ import annotations

import importlib
import re
from functools import cache
from typing import Any

# Each of these knows a secret by its shape. Those that guess by entropy, or that call a house number a key, stay out.
_PLUGINS = {
    "artifactory": "ArtifactoryDetector",
    "aws": "AWSKeyDetector",
    "azure_storage_key": "AzureStorageKeyDetector",
    "basic_auth": "BasicAuthDetector",
    "cloudant": "CloudantDetector",
    "discord": "DiscordBotTokenDetector",
    "github_token": "GitHubTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "ibm_cloud_iam": "IbmCloudIamDetector",
    "jwt": "JwtTokenDetector",
    "mailchimp": "MailchimpDetector",
    "npm": "NpmDetector",
    "openai": "OpenAIDetector",
    "private_key": "PrivateKeyDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "telegram_token": "TelegramBotTokenDetector",
    "twilio": "TwilioKeyDetector",
}
_OURS = {
    "a model provider's key": re.compile(r"\bsk-(?:ant|proj)-[\w-]{6,}"),
    "a Google key": re.compile(r"\bAIza[\w-]{20,}"),
    "a password": re.compile(
        r"\b(?:password|passwd|passphrase|pass phrase|passwort|secret key|api[ _-]?key|access token)\b"
        r"\s*(?:is|was|=|:)\s*[\"'`]?(?=[^\s\"'`]*[^\sA-Za-z.,;\"'`]|[^\s\"'`]{12,})[^\s\"'`]{4,}",
        re.IGNORECASE,
    ),
}
_THE_PASSWORD_IS = re.compile(r"\bthe pass(?:word|phrase|code) is\s+\S", re.IGNORECASE)


def find_secret(text: str) -> str | None:
    """Say which kind of secret a text holds, or None. The secret itself is not repeated."""
    if _THE_PASSWORD_IS.search(text):
        return "a password"
    ours = next((name for name, pattern in _OURS.items() if pattern.search(text)), None)
    if ours is not None:
        return ours
    for plugin in _load():
        if any(True for line in text.splitlines() for _ in plugin.analyze_string(line)):
            return str(plugin.secret_type)
    return None


@cache
def _load() -> tuple[Any, ...]:
    # They take half a second to load, which only somebody who remembers something has to wait for.
    return tuple(
        getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)()
        for module, name in _PLUGINS.items()
    )
