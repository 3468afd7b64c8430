"""Builds the interface and launches it, as it is done for an installed package too; `--help` says with what."""

from seq2seq_demo.interface.__main__ import create, serve

backend, demo = create()

if __name__ == "__main__":
    serve(backend, demo)
