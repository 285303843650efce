# One image: the dashboard by default, `benchhealth nightly` as a second command on the same volume.
FROM python:3.11-slim AS build
WORKDIR /app
COPY requirements.lock pyproject.toml README.md LICENSE ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY analytics analytics
COPY warehouse warehouse
COPY ingest ingest
COPY dashboard dashboard
COPY pipeline pipeline
COPY data data
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation -e .

FROM python:3.11-slim
RUN useradd --create-home --uid 10001 benchhealth && mkdir /state && chown benchhealth /state
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
USER benchhealth
ENV PATH=/venv/bin:$PATH BENCHHEALTH_HOME=/state PORT=8501
VOLUME /state
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD python -c "import os,urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=4)"
CMD ["sh", "-c", "benchhealth init && exec benchhealth serve --host 0.0.0.0 --port $PORT"]
