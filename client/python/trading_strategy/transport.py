"""Sends requests: retries, pages, streams and errors. Written by hand; `api.py` is generated."""
from __future__ import annotations

import json
import random
import re
import time
import uuid
from email.message import Message
from http.client import HTTPException, HTTPResponse
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Tuple, Union
from urllib.error import HTTPError
from urllib.parse import parse_qs, quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

OMIT: Any = object()
"""Leaves an argument out; `None` sends `null`."""

RETRIES_MAX = 3
WAIT_SEC_MAX = 30.0
STREAM_WAIT_SEC_MAX = 2.0
# The service sends a heartbeat every 15 s.
SILENCE_SEC_MAX = 40.0
PASSING = {"rate_limited", "database_unavailable", "account_moving", "overloaded", "shutting_down", "internal"}
"""Codes after which a stream is tried again."""


class ApiError(Exception):
    """A refusal: `code` is stable, `message` states the problem and the remedy."""

    def __init__(self, status: int, error: Mapping[str, Any], retry_after_sec: Union[float, None]) -> None:
        self.status = status
        self.code: str = error["code"]
        self.message: str = error["message"]
        self.issues: List[Dict[str, str]] = error.get("issues", [])
        self.request_id: str = error.get("requestId", "")
        self.retry_after_sec = retry_after_sec
        super().__init__(f"{self.code}: {self.message}")


class Reply(NamedTuple):
    """What an answer says beyond its body."""

    request_id: str
    version: Union[int, None]
    """Pass it as `expected_version` to refuse a conflicting change."""
    next_cursor: Union[str, None]
    replayed: bool
    """This is the answer of an earlier request with the same key."""


class _Object(Dict[str, Any]):
    reply: Reply


class _List(List[Any]):
    reply: Reply


_MARKED: Dict[Any, Any] = {dict: _Object, list: _List}


def reply_of(answer: Any) -> Reply:
    """Returns what an answer of the client says beyond its body."""
    reply: Reply = answer.reply
    return reply


class _NoRedirect(HTTPRedirectHandler):
    """The key goes to no other address."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


class Transport:
    def __init__(self, url: str, key: str, timeout_sec: float) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._timeout_sec = timeout_sec
        self._opener = build_opener(_NoRedirect)

    def call(
        self,
        method: str,
        path: str,
        *,
        path_values: Mapping[str, Any] = {},
        query: Mapping[str, Any] = {},
        body: Union[Mapping[str, Any], None] = None,
        idempotency_key: Union[str, None] = OMIT,
        expected_version: Union[int, None] = None,
    ) -> Any:
        """Repeats reads, and changes under a key, while the failure is temporary. A key of `None` is generated."""
        headers: Dict[str, str] = {}
        is_repeatable = method == "GET" or idempotency_key is not OMIT
        if idempotency_key is not OMIT:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if expected_version is not None:
            headers["If-Match"] = f'"v{expected_version}"'
        target = path.format_map({name: quote(str(value), safe="") for name, value in path_values.items()})
        for attempt in range(RETRIES_MAX + 1):
            try:
                with self._open(method, target, query, headers, body, self._timeout_sec) as answer:
                    return _read(answer)
            except ApiError as refusal:
                if attempt == RETRIES_MAX or not is_repeatable or not _is_temporary(refusal):
                    raise
                wait_sec = refusal.retry_after_sec
            except (OSError, HTTPException):
                if attempt == RETRIES_MAX or not is_repeatable:
                    raise
                wait_sec = None
            time.sleep(min(WAIT_SEC_MAX, max(0.0, wait_sec or 0.3 * 2**attempt * (1 + random.random()))))
        raise AssertionError("The last attempt answers or raises.")

    def rows(self, path: str, *, path_values: Mapping[str, Any] = {}, query: Mapping[str, Any]) -> Iterator[Any]:
        cursor: Union[str, None] = OMIT
        while cursor is not None:
            page = self.call("GET", path, path_values=path_values, query={**query, "cursor": cursor})
            yield from page
            cursor = reply_of(page).next_cursor

    def stream(self, path: str, query: Mapping[str, Any]) -> Iterator[Tuple[Union[str, None], Any]]:
        """Yields events with their ids; a broken stream resumes after the last yielded id."""
        last: Dict[str, Any] = {}
        attempt, was_live = 0, False
        while True:
            wait_sec = None
            try:
                headers = {"Accept": "text/event-stream"}
                with self._open("GET", path, {**query, **last}, headers, None, SILENCE_SEC_MAX) as answer:
                    attempt, was_live = 0, True
                    for event_id, event, data in _messages(answer):
                        if event == "end":
                            raise ApiError(200, json.loads(data), None)
                        if event_id:
                            last = {"lastEventId": event_id}
                        if data:
                            yield event_id, json.loads(data)
            except ApiError as refusal:
                if refusal.code not in PASSING:
                    raise
                wait_sec = refusal.retry_after_sec
            except (OSError, HTTPException):
                if not was_live:
                    raise
            attempt += 1
            own_sec = min(STREAM_WAIT_SEC_MAX, 0.5 * 2 ** min(attempt - 1, 8)) * (0.5 + random.random() / 2)
            time.sleep(min(WAIT_SEC_MAX, max(0.0, wait_sec or own_sec)))

    def _open(
        self,
        method: str,
        target: str,
        query: Mapping[str, Any],
        headers: Mapping[str, str],
        body: Union[Mapping[str, Any], None],
        timeout_sec: float,
    ) -> HTTPResponse:
        sent = {name: _text(value) for name, value in query.items() if value is not OMIT}
        given = None if body is None else {name: value for name, value in body.items() if value is not OMIT}
        request = Request(
            f"{self._url}{target}" + (f"?{urlencode(sent)}" if sent else ""),
            method=method,
            headers={"Authorization": f"Bearer {self._key}", "Content-Type": "application/json", **headers},
            data=None if given is None else json.dumps(given).encode(),
        )
        try:
            answer: HTTPResponse = self._opener.open(request, timeout=timeout_sec)
            return answer
        except HTTPError as error:
            with error:
                raise _refusal(error.code, error.headers, error.read()) from None


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_temporary(refusal: ApiError) -> bool:
    return refusal.status in (429, 503) or refusal.code == "idempotency_key_in_use"


def _refusal(status: int, headers: Message, body: bytes) -> Exception:
    after = headers.get("Retry-After")
    try:
        return ApiError(status, json.loads(body)["error"], float(after) if after else None)
    except (ValueError, TypeError, KeyError):
        return ConnectionError(f"{status} without an error of the service. Check the address.")


def _read(answer: HTTPResponse) -> Any:
    body = answer.read()
    media = answer.headers.get_content_type()
    if media != "application/json":
        return body.decode() if media.startswith("text/") else body
    value: Any = json.loads(body)
    if value.__class__ not in _MARKED:
        return value
    marked = _MARKED[value.__class__](value)
    version = re.fullmatch(r'"v(\d+)"', answer.headers.get("ETag", ""))
    link = re.fullmatch(r'<([^>]*)>; rel="next"', answer.headers.get("Link", ""))
    marked.reply = Reply(
        answer.headers.get("X-Request-Id", ""),
        int(version[1]) if version else None,
        parse_qs(urlsplit(link[1]).query).get("cursor", [None])[0] if link else None,
        "Idempotent-Replayed" in answer.headers,
    )
    return marked


def _messages(answer: HTTPResponse) -> Iterator[Tuple[Union[str, None], str, str]]:
    """Parses server-sent events into id, name and data."""
    fields: Dict[str, str] = {}
    for line in answer:
        text = line.decode().rstrip("\r\n")
        if text:
            name, _, value = text.partition(":")
            value = value[1:] if value.startswith(" ") else value
            fields[name] = f"{fields[name]}\n{value}" if name == "data" and "data" in fields else value
        else:
            yield fields.get("id"), fields.get("event", ""), fields.get("data", "")
            fields = {}
