"""How surely something is a call, from the strongest to the weakest; the weaker, the stricter the gate.

| level      | what stands there                                       | gate beyond a known name and valid arguments      |
|------------|---------------------------------------------------------|---------------------------------------------------|
| `native`   | a native tool call of the server                        | none                                              |
| `marked`   | a special token or tag around it                        | neither quoted nor plainly shown as an example    |
| `labelled` | behind an action label                                  | none                                              |
| `whole`    | the message is that one value                           | no placeholder                                    |
| `fenced`   | alone in a code fence                                   | no example announced, no prose behind             |
| `line`     | a value on lines of its own, or code that ends the reply | no example announced, only short prose around     |
"""

from __future__ import annotations

NATIVE = "native"
MARKED = "marked"
LABELLED = "labelled"
WHOLE = "whole"
FENCED = "fenced"
LINE = "line"

STRONG = (NATIVE, MARKED, LABELLED)
