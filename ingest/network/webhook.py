"""One message to the operator's own address: bounded, never followed elsewhere, its address in no log or message."""

from ipaddress import ip_address
from urllib.parse import urlsplit

import requests

from benchhealth.ingest.network.transport import open_session

CONNECT_SECONDS, ANSWER_SECONDS = 5.0, 10.0
ATTEMPTS = 2


class WebhookError(Exception):
    """The message was not delivered, or the address may not be used; the address itself is a secret and not named."""


def check(address: str) -> None:
    """Raise WebhookError unless the address is https, or http on this machine, without a password in it."""
    url = urlsplit(address)
    if "@" in url.netloc or not url.hostname:
        raise WebhookError("the webhook is no address of the form https://HOST/PATH (credentials go into its path)")
    if url.scheme != "https" and not (url.scheme == "http" and _is_loopback(url.hostname)):
        raise WebhookError(f"the webhook at {url.hostname} must be https (http is for this machine alone)")


def post(address: str, body: bytes) -> None:
    """Send JSON. Raises WebhookError where it was not taken within two attempts of at most 15 seconds each.

    A redirect counts as a refusal, and nothing of the answer's body is read.
    """
    check(address)
    host = urlsplit(address).hostname or ""
    failure = "nobody answered"
    for _ in range(ATTEMPTS):
        try:
            with (
                open_session(direct=_is_loopback(host)) as session,
                session.post(
                    address,
                    data=body,
                    headers={"Content-Type": "application/json"},
                    timeout=(CONNECT_SECONDS, ANSWER_SECONDS),
                    allow_redirects=False,
                    stream=True,
                ) as answer,
            ):
                if answer.status_code // 100 == 2:
                    return
                failure = f"it answered {answer.status_code}"
        except (requests.RequestException, OSError, ValueError) as error:
            failure = type(error).__name__  # its words hold the address
    raise WebhookError(f"the webhook at {host} did not take the message: {failure}")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
