FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/tmp
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin padf
COPY . /build
RUN pip install --no-cache-dir "/build[app]" && rm -rf /build

USER padf
WORKDIR /tmp
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["padf", "app", "--host", "0.0.0.0", "--port", "8501"]
