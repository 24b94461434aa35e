"""JSON Schema for arguments written by a model: checked, explained, simplified, named.

In: a JSON Schema (Draft 2020-12) and a value.  Out: `checker` tells whether the value fits and says in words what is wrong;
`clean` is the same schema without what confuses weak models, `prepared` both at once; `type_name` is its type in a few
characters; `canonical` is the one spelling of a value by which arguments are compared.

Rules: schemas and values are untrusted, so depth, size and work are bounded; a reference never leaves the document, so
nothing is ever fetched; common schemas are judged without `jsonschema`, which is imported only for the others and for the
words of a problem.
Bending a value until it fits is left to `repair`.
"""

from .canonical_json import canonical
from .checking import MAX_KEPT, Checker, checker
from .cleaning import Prepared, clean, prepared
from .naming import type_name
from .problem import Lang, Problem

__all__ = ["MAX_KEPT", "Checker", "Lang", "Prepared", "Problem", "canonical", "checker", "clean", "prepared", "type_name"]
