"""Models: what is put to the test, one family per file; and the names of models and recipes.

The names are here, and not with what opens models, because help that lists them must not import
what they compute with. This is the one place that names what is in ``trained``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lydite.registry import Registry

MODELS_HINT = "'lydite models ls' lists the models; the path of a vector file works too"

MODELS: Registry[Callable[..., Any]] = Registry("model", group="lydite.models", hint=MODELS_HINT)
for _name, _target in {
    "vectors": "lydite.models.vectors:VectorFile",
    "glove-6b-50d": "lydite.models.vectors:glove_6b_50d",
    "sum": "lydite.models.composition:SumOfWords",
    "mean": "lydite.models.composition:MeanOfWords",
    "multiply": "lydite.models.composition:ProductOfWords",
    "bow": "lydite.models.baselines:BagOfWords",
    "pca": "lydite.models.principal_components:PrincipalComponents",
    "pv-dm": "lydite.trained.paragraph_vectors:DistributedMemory",
    "pv-dbow": "lydite.trained.paragraph_vectors:DistributedBagOfWords",
    "urae": "lydite.trained.urae:Urae",
    "ensemble": "lydite.models.combination:Ensemble",
    "retrained": "lydite.models.combination:Retrained",
    "overlap": "lydite.models.baselines:Overlap",
    "mitchell-lapata": "lydite.trained.cheung_penn.mitchell_lapata:MitchellLapata",
    "erk-pado": "lydite.trained.cheung_penn.erk_pado:ErkPado",
    "thater": "lydite.trained.cheung_penn.thater:Thater",
    "dinu-lapata": "lydite.trained.cheung_penn.dinu_lapata:DinuLapata",
    "backoff": "lydite.models.combination:BackedOff",
    "hybrid": "lydite.models.combination:Hybrid",
    "random": "lydite.models.baselines:RandomModel",
    "usem3": "lydite.models.universal_sentence_encoder:UniversalSentenceEncoder",
    "sentence-transformers": "lydite.models.sentence_transformers:SentenceTransformers",
    "endpoint": "lydite.models.endpoint:Endpoint",
    "additive": "lydite.models.additive:Additive",
    "nonce2vec": "lydite.models.nonce2vec:Nonce2Vec",
    "ppmi-svd": "lydite.trained.ppmi_svd:PpmiSvd",
    "pooled": "lydite.models.pooled:Pooled",
    "path": "lydite.models.taxonomic:PathSimilarity",
    "resnik": "lydite.models.taxonomic:ResnikSimilarity",
    "lin": "lydite.models.taxonomic:LinSimilarity",
    "jiang-conrath": "lydite.models.taxonomic:JiangConrathSimilarity",
}.items():
    MODELS.register(_name, _target)


#: What is made from raw data: classes that run, by the name of the command that runs them.
RECIPES: Registry[type[Any]] = Registry(
    "recipe", group="lydite.recipes", hint="'lydite train --help' lists them"
)
for _name, _target in {
    "oracle": "lydite.trained.oracle:OracleTraining",
    "ic": "lydite.trained.information_content:InformationContentTraining",
    "skipgram": "lydite.trained.skipgram:SkipgramTraining",
    "cbow": "lydite.trained.skipgram:CbowTraining",
    "structured-skipgram": "lydite.trained.skipgram:StructuredSkipgramTraining",
    "cwindow": "lydite.trained.skipgram:CwindowTraining",
    "cbow-attention": "lydite.trained.skipgram:CbowAttentionTraining",
    "glove": "lydite.trained.glove:GloveTraining",
    "lsa": "lydite.trained.lsa:LsaTraining",
    "ppmi-svd": "lydite.trained.ppmi_svd:PpmiSvdTraining",
    "retrofit": "lydite.trained.retrofitting:RetrofitTraining",
    "zoo": "lydite.trained.zoo.training:Zoo",
    "dinu-lapata": "lydite.trained.cheung_penn.dinu_lapata:DinuLapataTraining",
    "mitchell-lapata": "lydite.trained.cheung_penn.mitchell_lapata:MitchellLapataTraining",
    "erk-pado": "lydite.trained.cheung_penn.erk_pado:ErkPadoTraining",
    "thater": "lydite.trained.cheung_penn.thater:ThaterTraining",
    "pv-dm": "lydite.trained.paragraph_vectors:DistributedMemoryTraining",
    "pv-dbow": "lydite.trained.paragraph_vectors:DistributedBagOfWordsTraining",
    "parse": "lydite.trained.parsed.spacy:ParseTraining",
    "urae": "lydite.trained.urae:UraeTraining",
}.items():
    RECIPES.register(_name, _target)
