"""A bound on the whole of an answer: the client's own timeout begins anew with every byte."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from functools import cache

import httpx2

from core.clock import pulse


class _Bounded(httpx2.SyncByteStream):
    """An answer's bytes, up to a moment of the pulse."""

    def __init__(self, stream: httpx2.SyncByteStream, until: float) -> None:
        self._stream, self._until = stream, until

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if pulse() > self._until:
                raise httpx2.ReadTimeout("the answer was not whole in time")
            yield chunk

    def close(self) -> None:
        """Close the connection that the bytes come from."""
        self._stream.close()


def bounded(seconds: float) -> Callable[[httpx2.Response], None]:
    """Answer a hook that gives an answer's body so many seconds from its head on."""

    def bound(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Bounded(response.stream, pulse() + seconds)

    return bound


@cache
def trusted() -> ssl.SSLContext:
    """Answer whom this process trusts, read once: reading the list again for each call costs 20 ms of a processor."""
    return httpx2.create_ssl_context()
