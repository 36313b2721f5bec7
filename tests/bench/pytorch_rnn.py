"""The recurrent encoder-decoder of awend's preset rnn-small in PyTorch (for pytorch_step.py).

Bidirectional GRU encoder, GRU decoder with additive attention (Bahdanau et al., 2015), dense
bridge.  Batches are padded: the encoder is nn.GRU over packed sequences, and attention masks the
padding.  Written as one would for speed: what does not depend on the state, such as the keys of
attention, the readout and the projection, is computed for all positions at once.
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class RecurrentNetwork(nn.Module):
    def __init__(self, o, dropout):
        super().__init__()
        d, embedding, inner = o.d_model, o.d_embedding, o.d_attention
        # nn.GRU requires the lengths in host memory.
        self.lengths = torch.full((o.sentences,), o.length)
        self.dropout = nn.Dropout(dropout)
        self.source_embedding = nn.Embedding(o.vocabulary, embedding)
        self.target_embedding = nn.Embedding(o.vocabulary, embedding)
        self.encoder = nn.GRU(embedding, d, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * d, d)
        self.attention_key = nn.Linear(2 * d, inner)
        self.attention_query = nn.Linear(d, inner, bias=False)
        self.attention_v = nn.Linear(inner, 1, bias=False)
        self.decoder = nn.GRUCell(embedding + 2 * d, d)
        self.merge = nn.Linear(d + 2 * d + embedding, d)
        self.output = nn.Linear(d, o.vocabulary)
        for table in (self.source_embedding, self.target_embedding, self.output):
            nn.init.normal_(table.weight, std=table.weight.shape[1] ** -0.5)

    def encode(self, source):
        """Outputs (sentences, length, 2 d) and the first state of the decoder."""
        x = self.dropout(self.source_embedding(source))
        packed = pack_padded_sequence(x, self.lengths, batch_first=True)
        outputs, last = self.encoder(packed)
        memory, _ = pad_packed_sequence(outputs, batch_first=True)
        return memory, torch.tanh(self.bridge(torch.cat([last[0], last[1]], -1)))

    def attend(self, state, keys, memory, padding):
        scores = self.attention_v(torch.tanh(self.attention_query(state)[:, None] + keys))
        weights = torch.softmax(scores.squeeze(-1).masked_fill(padding, float("-inf")), -1)
        return torch.bmm(weights[:, None], memory).squeeze(1)

    def forward(self, source, target):
        """Logits (sentences, length, vocabulary); `target` starts with the start token."""
        memory, state = self.encode(source)
        places = torch.arange(memory.shape[1], device=memory.device)
        padding = places >= self.lengths.to(memory.device)[:, None]
        keys = self.attention_key(memory)
        embedded = self.dropout(self.target_embedding(target))
        states, contexts = [], []
        for x in embedded.unbind(1):
            context = self.attend(state, keys, memory, padding)
            state = self.decoder(torch.cat([x, context], -1), state)
            states.append(state)
            contexts.append(context)
        merged = torch.cat([torch.stack(states, 1), torch.stack(contexts, 1), embedded], -1)
        return self.output(self.dropout(torch.tanh(self.merge(merged))))
