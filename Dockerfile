# The dashboard, slim and without root.
FROM python:3.11-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    OVERLAPKIT_CACHE_DIR=/home/overlapkit/.cache/overlapkit

RUN useradd --create-home --uid 10001 overlapkit
WORKDIR /srv/overlapkit

COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt

COPY --chown=overlapkit:overlapkit app.py tune.py ./
COPY --chown=overlapkit:overlapkit .streamlit .streamlit
COPY --chown=overlapkit:overlapkit pages pages
COPY --chown=overlapkit:overlapkit overlapkit overlapkit
COPY --chown=overlapkit:overlapkit sample_corpora sample_corpora

USER overlapkit
EXPOSE 8501

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]

CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address=0.0.0.0", "--server.headless=true"]
