# The app for those who host it themselves; see deploy/README.md.
FROM python:3.11.14-slim-bookworm

# Analytics stay off; nothing is asked of TensorFlow's GPU; logs appear as they are written.
ENV GRADIO_ANALYTICS_ENABLED=False \
    GRADIO_SERVER_NAME=0.0.0.0 \
    GRADIO_SERVER_PORT=7860 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TF_CPP_MIN_LOG_LEVEL=2

RUN useradd --uid 1000 --create-home app
WORKDIR /home/app/demo

# Requirements first: they change seldom, and their layer is then kept. Those of --mcp are small beside TensorFlow.
COPY requirements.txt requirements-mcp.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check -r requirements-mcp.txt

COPY app.py ./
COPY seq2seq_demo/ seq2seq_demo/
COPY assets/ assets/
COPY data/ data/
COPY trained/ trained/

USER 1000
EXPOSE 7860

# Answers as soon as the page is up; the models load behind it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['GRADIO_SERVER_PORT']}/gradio_api/startup-events\", timeout=4)"]

CMD ["python", "app.py"]
