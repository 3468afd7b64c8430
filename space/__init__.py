"""What turns this repository into a Hugging Face Space: the files, a rehearsal of it, the upload."""
