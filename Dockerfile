# One image: the dashboard by default, `deploy/nights.sh` for the nights on the same volume. It runs without root and over
# a root file system that cannot be written: only /state and /tmp are. Checked by tests/deploy/test_image.py (hadolint,
# and that all it copies is there) and test_sandbox.py (its commands under those limits). A tag can be moved to another
# image, the digest behind it cannot: OPERATIONS.md (*Upgrade*) says how both are renewed.
FROM python:3.11.13-slim-bookworm@sha256:86adf8dbadc3d6e82ee5dd2c74bec2e1c2467cdad47886280501df722372d2e1 AS build
WORKDIR /app
# requirements-full.lock: with what a login, a lake and generations at an object address need.
ARG LOCK=requirements.lock
COPY requirements.lock requirements-full.lock pyproject.toml README.md LICENSE ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r "$LOCK"
COPY benchhealth benchhealth
COPY analytics analytics
COPY warehouse warehouse
COPY ingest ingest
COPY dashboard dashboard
COPY api api
COPY pipeline pipeline
COPY data data
COPY deploy/nights.sh deploy/nights.sh
# Compiled here, because nothing can be written later: without it every start would compile everything anew.
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation -e . \
    && /venv/bin/python -m compileall -q analytics warehouse ingest dashboard api pipeline

FROM python:3.11.13-slim-bookworm@sha256:86adf8dbadc3d6e82ee5dd2c74bec2e1c2467cdad47886280501df722372d2e1
# The folder of files for downloads is there from the start, so that it can be a volume over a state that is only read.
RUN useradd --no-create-home --uid 10001 benchhealth \
    && mkdir -p /state/published/files /backups && chown -R 10001:10001 /state /backups
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
USER 10001:10001
ENV PATH=/venv/bin:$PATH BENCHHEALTH_HOME=/state HOME=/tmp PORT=8501 PYTHONDONTWRITEBYTECODE=1
VOLUME /state
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m \
    CMD ["python", "-c", "import os,urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=4)"]
CMD ["sh", "-c", "benchhealth init && exec benchhealth serve --host 0.0.0.0 --port \"$PORT\""]
