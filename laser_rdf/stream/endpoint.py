"""HTTP to a store: one place that sends requests, and that turns whatever goes wrong into one line.

No redirect is followed and no proxy or netrc file of the environment is used: a request, and with it a
password, goes to the host that was named and to no other. Credentials are sent when the store asks for them,
as it asks for them (digest if it knows that, else basic).

Trying again, if it is to be done, belongs into `Endpoint.send`; `SinkError.transient` says when it may help.
"""

from __future__ import annotations

import html
import os
import re
import ssl
from collections.abc import Generator
from urllib.parse import quote, urlsplit

import httpx

from laser_rdf.errors import SinkError, UsageError, escape_control
from laser_rdf.stream.credentials import Credentials, Given, find_credentials
from laser_rdf.stream.lines import iri
from laser_rdf.version import VERSION

_MAX_SHOWN = 200
_TAG = re.compile(r"<!--.*?-->|<(?:title|style|h1)\b.*?</(?:title|style|h1)>|</?[A-Za-z!][^<>]*>", re.DOTALL)
_NO_RIGHT = re.compile(r"SECURITY|[Pp]ermission|read.?only", re.ASCII)
_BUSY = (408, 425, 429, 502, 503, 504)


def checked_url(url: str) -> str:
    """The URL of a store, if it is one.

    >>> checked_url("http://127.0.0.1:7878/update")
    'http://127.0.0.1:7878/update'
    >>> checked_url("http://anna:secret@example.org/update")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    laser_rdf.errors.UsageError: a URL must not hold a password: set LASER_RDF_USER ...
    """
    try:
        parts = urlsplit(url)
        _, host = parts.port, parts.hostname
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL):
        raise UsageError(
            "the URL of a sink is not valid: write it as `http://127.0.0.1:7878/update`"
        ) from None
    if "@" in parts.netloc:
        raise UsageError(
            "a URL must not hold a password: set LASER_RDF_USER and LASER_RDF_PASSWORD, "
            "or name a file with `credentials`"
        )
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(
            f"`{escape_control(url)}` is no address of a store: give one with http:// or https://"
        )
    if parts.fragment:
        raise UsageError(f"the address `{escape_control(url)}` must not have a part after `#`")
    return url


class Endpoint:
    """An address of a store, with a connection that stays open."""

    def __init__(self, url: str, takes: str, credentials: Given = None, timeout: float = 60.0) -> None:
        self.url = checked_url(url)
        self._takes = takes
        self._timeout = timeout
        self._credentials = find_credentials(credentials, urlsplit(url).hostname or "")
        secure = urlsplit(url).scheme == "https"
        own = secure and ("SSL_CERT_FILE" in os.environ or "SSL_CERT_DIR" in os.environ)
        self._client = httpx.Client(
            timeout=timeout,
            follow_redirects=False,
            trust_env=False,
            verify=ssl.create_default_context() if own else secure,
            auth=None if self._credentials is None else WhenAsked(self._credentials),
            headers={"user-agent": f"laser-rdf/{VERSION}", "accept": "*/*"},
        )

    def send(self, method: str, body: bytes, content_type: str, graph: str | None = None) -> httpx.Response:
        """Send a request; an answer that is no success is a SinkError."""
        url = self.url
        if graph is not None:
            url += f"{'&' if '?' in url else '?'}graph={quote(iri(graph)[1:-1], safe='')}"
        try:
            response = self._client.request(method, url, content=body, headers={"content-type": content_type})
        except httpx.TimeoutException:
            raise SinkError(
                f"the store at {self._shown} gave no answer in {self._timeout:g} s: "
                "see whether it is overloaded, or give a longer `timeout`",
                transient=True,
            ) from None
        except httpx.TransportError as problem:
            raise SinkError(
                f"cannot reach the store at {self._shown}: {_short(str(problem))}; see whether it is running "
                "and the address is right",
                transient=True,
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as problem:
            raise SinkError(f"the store at {self._shown}: {_short(str(problem))}") from None
        if not response.is_success:
            raise self._refused(response)
        return response

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    @property
    def _shown(self) -> str:
        return escape_control(self.url)

    def _refused(self, response: httpx.Response) -> SinkError:
        status, said = response.status_code, message_of(response)
        told = f" ({said})" if said else ""
        if status == 401:
            if self._credentials is None:
                return SinkError(
                    f"the store at {self._shown} asks for a user name and a password: set LASER_RDF_USER and "
                    "LASER_RDF_PASSWORD, or name a file with `credentials`"
                )
            return SinkError(
                f"the store at {self._shown} does not accept user name and password: correct "
                f"{self._credentials.source}"
            )
        if status == 403 or (status >= 400 and _NO_RIGHT.search(said)):
            return SinkError(
                f"the store at {self._shown} does not allow writing{told}: start it for writing, "
                "or give credentials that may write"
            )
        if response.is_redirect:
            # Should there be a password in it, it is not shown.
            place = _short(response.headers.get("location", "").rpartition("@")[2])
            return SinkError(
                f"the store at {self._shown} sends on to {place}, which is not followed: give that address"
            )
        if status in (404, 405, 415, 501):
            return SinkError(
                f"{self._shown} does not take {self._takes} (HTTP {status}): correct the path of the "
                "address, as in `sparql:http://HOST:7878/update` or `gsp:http://HOST:7878/store`"
            )
        return SinkError(
            f"the store at {self._shown} rejects a request (HTTP {status}){': ' + said if said else ''}",
            transient=status in _BUSY,
        )


class WhenAsked(httpx.Auth):
    """Sends credentials after the store has asked for them, then with every request."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self._chosen: httpx.Auth | None = None

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """As httpx wants it: requests out, responses in."""
        if self._chosen is None:
            response = yield request
            if response.status_code != 401:
                return
            asked = " ".join(response.headers.get_list("www-authenticate")).lower()
            user, password = self._credentials.user, self._credentials.password
            if "digest" in asked:
                self._chosen = httpx.DigestAuth(user, password)
            elif "basic" in asked:
                self._chosen = httpx.BasicAuth(user, password)
            else:
                return
        yield from self._chosen.auth_flow(request)


def message_of(response: httpx.Response) -> str:
    r"""What the store says, on one short line: without the query it repeats and without HTML.

    >>> message_of(httpx.Response(400, text="<html><h3>Error 7</h3>\n<xmp>no such\x1b graph</xmp></html>"))
    'Error 7 no such\\u001b graph'
    """
    text = response.text[:20_000]
    if "html" in response.headers.get("content-type", "") or text.lstrip().startswith("<"):
        text = html.unescape(_TAG.sub(" ", text))
    return _short(text.partition("\n\nSPARQL query:")[0])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return escape_control(line if len(line) <= _MAX_SHOWN else line[:_MAX_SHOWN] + "…")
