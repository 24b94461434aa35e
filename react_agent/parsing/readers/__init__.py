"""One reader for each kind of part: from the mark that opens it to where it ends.

A reader is given the buffer and the mark, and is a `Reading`: it waits for text that it lacks.  Which mark comes next is found
by `scan`; what the part says is read by `bodies`, when the reply is judged.
"""
