"""The questions that programs can ask by name, with the function that makes each reply."""

from collections.abc import Mapping

from benchhealth.dashboard.replies.benchmark import ABOUT, ANSWER, CORROBORATION
from benchhealth.dashboard.replies.cited import CITE, SEARCH
from benchhealth.dashboard.replies.models import CHECK, COMPARE, DIFFERENCE, MODELS
from benchhealth.dashboard.replies.reply import ReplySpec

REPLIES: Mapping[str, ReplySpec] = {
    spec.name: spec for spec in (SEARCH, ANSWER, ABOUT, MODELS, CHECK, COMPARE, DIFFERENCE, CORROBORATION, CITE)
}
