"""Writes tokenizer.json and reference.json beside this file: what transformers makes of tiny models whose weights follow a formula.

python reference.py            (torch 2.15, transformers 5.3, tokenizers 0.22)
python reference.py FOLDER     writes minilm.json: the same of the real all-MiniLM-L6-v2 in that folder
"""

import json, pathlib, sys

import numpy, torch, transformers
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
TEXTS = ["the cat sat on the mat", "a", "mats and hats", "xyzzy \u6a21\u578b \U0001f642", "the dog saw the red hat of a man and ran to the sea and sat on a mat and sang of the sea"]
MAX_TOKENS = 16
WORDS = """the a an of on in to and or cat dog man hat mat sea sun sky red blue big sat ran saw sang ate is was not old new one two three four five six seven eight nine ten
book page note text word line file data code test time year day week house door room tree bird fish road river lake hill stone fire water bread milk salt tea cup query passage""".split()


def tokenizer():
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + WORDS + ["##s", "##ing", "##ed", "##er"]
    vocabulary += [f"[unused{number}]" for number in range(100 - len(vocabulary))]
    special = [{"id": i, "content": t, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True} for i, t in enumerate(vocabulary[:5])]
    mark = lambda token: {"SpecialToken": {"id": token, "type_id": 0}}
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": special,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": [mark("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, mark("[SEP]")],
            "pair": [mark("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, mark("[SEP]"), {"Sequence": {"id": "B", "type_id": 1}}, mark("[SEP]")],
            "special_tokens": {t: {"id": t, "ids": [i], "tokens": [t]} for i, t in ((2, "[CLS]"), (3, "[SEP]"))}},
        "decoder": None,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
            "vocab": {token: number for number, token in enumerate(vocabulary)}},
    }


def weights(name, shape):
    seed = 2166136261
    for byte in name.encode():
        seed = (seed ^ byte) * 16777619 % 2**32
    x = (seed + numpy.arange(numpy.prod(shape), dtype=numpy.uint64) * 2654435761) % 2**32
    x ^= x >> 16
    x = x * 0x85EBCA6B % 2**32
    x ^= x >> 13
    x = x * 0xC2B2AE35 % 2**32
    x ^= x >> 16
    values = (x.astype(numpy.float64) / 2**32 - 0.5) * 0.5
    if "norm.weight" in name.lower():
        values += 1.0
    return torch.tensor(values.astype(numpy.float32).reshape(shape))


def tiny():
    (HERE / "tokenizer.json").write_text(json.dumps(tokenizer(), ensure_ascii=False) + "\n")
    tokens = Tokenizer.from_file(str(HERE / "tokenizer.json"))
    tokens.enable_truncation(MAX_TOKENS)
    bert = dict(vocab_size=100, hidden_size=32, num_attention_heads=4, num_hidden_layers=2, intermediate_size=64, max_position_embeddings=40, layer_norm_eps=1e-12)
    cases = [
        ("bert", "gelu", "mean", transformers.BertConfig(**bert, hidden_act="gelu")),
        ("bert", "gelu_new", "cls", transformers.BertConfig(**bert, hidden_act="gelu_new")),
        ("bert", "relu", "mean", transformers.BertConfig(**bert, hidden_act="relu")),
        ("xlm-roberta", "gelu", "mean", transformers.XLMRobertaConfig(**bert, hidden_act="gelu", type_vocab_size=1, pad_token_id=4)),
        ("distilbert", "gelu", "mean", transformers.DistilBertConfig(vocab_size=100, dim=32, n_heads=4, n_layers=2, hidden_dim=64, max_position_embeddings=40)),
    ]
    found = []
    for model_type, activation, pooling, config in cases:
        model = transformers.AutoModel.from_config(config).eval()
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                parameter.copy_(weights(name, tuple(parameter.shape)))
            vectors = []
            for text in TEXTS:
                ids = torch.tensor([tokens.encode(text).ids])
                state = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0]
                vector = state[0] if pooling == "cls" else state.mean(0)
                vectors.append([round(float(v), 7) for v in vector / vector.norm()])
        found.append({"model_type": model_type, "activation": activation, "pooling": pooling, "vectors": vectors})
    rows = ",\n".join(json.dumps(case) for case in found)
    (HERE / "reference.json").write_text('{"texts": %s,\n"cases": [\n%s\n]}\n' % (json.dumps(TEXTS), rows))


ODD = [
    "How do I reset the password of the database?", "a", "C++ DEC-0054 38.101 --flags GB/s", "\u5982\u4f55\u91cd\u7f6e\u6570\u636e\u5e93\u5bc6\u7801\uff1f", "\U0001f642\U0001f680 ship it \U0001f4e6",
    "Na\u00efve caf\u00e9 \u00fcber stra\u00dfe", "line one\nline two\ttabbed\r\n", "word " * 5000, "x" * 3000, "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0645\u0631\u062d\u0628\u0627 \u0928\u092e\u0938\u094d\u0924\u0947", "The committee decided, after long debate, to keep PostgreSQL 16.",
]


def real(folder):
    """What sentence-transformers does: cut at max_seq_length, mean of all tokens, length one. The first 48 components."""
    tokens = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokens.no_padding()
    tokens.enable_truncation(json.load(open(f"{folder}/sentence_bert_config.json"))["max_seq_length"])
    model = transformers.AutoModel.from_pretrained(folder).eval()
    vectors = []
    with torch.no_grad():
        for text in ODD:
            ids = torch.tensor([tokens.encode(text).ids])
            vector = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0].mean(0)
            vectors.append([round(float(v), 6) for v in (vector / vector.norm())[:48]])
    (HERE / "minilm.json").write_text('{"texts": %s,\n"vectors": [\n%s\n]}\n' % (json.dumps(ODD), ",\n".join(map(json.dumps, vectors))))


if __name__ == "__main__":
    real(sys.argv[1]) if len(sys.argv) > 1 else tiny()
