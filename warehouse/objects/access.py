"""How a bucket is reached: the usual AWS settings; the caller reads the environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from benchhealth.warehouse.sql import quoted


class AddressError(ValueError):
    """An address of facts or of generations that cannot be one."""


@dataclass(frozen=True)
class Access:
    """Credentials and endpoint of an object store: a URL, None for Amazon's own. Secrets are not shown."""

    endpoint: str | None = None
    region: str = "us-east-1"
    key_id: str | None = None
    secret_key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Access":
        """From AWS_ENDPOINT_URL, AWS_REGION (or AWS_DEFAULT_REGION), AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
        AWS_SESSION_TOKEN."""
        settings = {name: value for name, value in environment.items() if value}
        return cls(
            endpoint=settings.get("AWS_ENDPOINT_URL"),
            region=settings.get("AWS_REGION") or settings.get("AWS_DEFAULT_REGION") or "us-east-1",
            key_id=settings.get("AWS_ACCESS_KEY_ID"),
            secret_key=settings.get("AWS_SECRET_ACCESS_KEY"),
            token=settings.get("AWS_SESSION_TOKEN"),
        )

    def secret(self) -> str:
        """The SQL statement that gives DuckDB these credentials as a secret."""
        values = {"REGION": self.region, "KEY_ID": self.key_id, "SECRET": self.secret_key, "SESSION_TOKEN": self.token}
        options = [f"{name} {quoted(value)}" for name, value in values.items() if value]
        if self.endpoint is not None:
            url = urlsplit(self.endpoint)
            secure = "true" if url.scheme == "https" else "false"
            options += [f"ENDPOINT {quoted(url.netloc)}", f"USE_SSL {secure}", "URL_STYLE 'path'"]
        return f"CREATE OR REPLACE SECRET benchhealth (TYPE s3, {', '.join(options)})"
