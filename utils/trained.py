"""A trained model together with its vocabularies: it reads and writes text, and can be saved."""

import json
from dataclasses import asdict, dataclass

import numpy as np

from utils.data import EOS, PAD, DataError, Vocabulary
from utils.files import whole_file
from utils.model import Config, decode, init_params
from utils.stages import exact_match

_FORMAT = "attention, stage by stage: trained model 1"


@dataclass(frozen=True)
class TrainedModel:
    """Parameters and everything that is needed to use them on text.

    Attributes
    ----------
    config : utils.model.Config
    params : dict of str to array
    source_vocabulary, target_vocabulary : utils.data.Vocabulary
    max_len : int
        The longest target of the training data, in words with its EOS.
    lower : bool
        Whether texts are made lower-case before they are read.
    """

    config: Config
    params: dict
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    max_len: int
    lower: bool

    def write(self, text):
        """Decode one text.

        Returns
        -------
        written : str
            Without the closing EOS.
        a : (U, T) float
            The attention weights of every character written.

        Raises utils.data.DataError at a character that training has not seen.
        """
        ids, a = decode(self.params, self.config, self.numbers(text), self.max_len)
        characters = ids[0][ids[0] > EOS]
        return self.target_vocabulary.text(characters), a[0][ids[0] > EOS]

    def numbers(self, text):
        """A text as the model reads it: (1, T) int. DataError when it is empty or has an unknown character."""
        if not text:
            raise DataError("There is nothing to decode: the text is empty.")
        return self.source_vocabulary.numbers([text.lower() if self.lower else text])

    def exact_match(self, sources, targets):
        """The share of sentences written without a single wrong character.

        Parameters
        ----------
        sources : (N, T) int
        targets : (N, U) int

        Returns
        -------
        float
            From 0 to 1.
        """
        right = 0
        for first in range(0, len(sources), 1024):
            rows = slice(first, first + 1024)
            gold = targets[rows]
            ids, _ = decode(self.params, self.config, sources[rows], gold.shape[1])
            ids = np.pad(ids, ((0, 0), (0, gold.shape[1] - ids.shape[1])), constant_values=PAD)
            right += exact_match(ids, gold, EOS) * len(gold)
        return right / len(sources)

    def save(self, path):
        """Write the model to a file, all or nothing. Arrays and plain text only, no pickles."""
        about = {
            "format": _FORMAT,
            "config": asdict(self.config),
            "source_vocabulary": asdict(self.source_vocabulary),
            "target_vocabulary": asdict(self.target_vocabulary),
            "max_len": self.max_len,
            "lower": self.lower,
        }
        with whole_file(path) as part, part.open("wb") as file:
            np.savez(file, about=np.array(json.dumps(about)), **self.params)

    @classmethod
    def load(cls, path):
        """Read a model that `save` wrote; DataError when the file is not one."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                about = json.loads(str(arrays["about"]))
                params = {name: arrays[name] for name in arrays.files if name != "about"}
            config = Config(**about["config"])
            shapes = {name: array.shape for name, array in init_params(config, np.random.RandomState(0)).items()}
            if about["format"] != _FORMAT or {name: array.shape for name, array in params.items()} != shapes:
                raise ValueError
            model = cls(
                config,
                params,
                Vocabulary(**about["source_vocabulary"]),
                Vocabulary(**about["target_vocabulary"]),
                about["max_len"],
                about["lower"],
            )
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror or error}).") from None
        except Exception:  # whatever damaged bytes do to NumPy
            raise DataError(f"{path}: not a model that --save wrote.") from None
        return model
