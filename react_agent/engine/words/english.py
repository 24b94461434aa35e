"""The words of the judges in English."""

from . import each, table

# --- what will be done: `objections.announced` -----------------------------------------------------------------------

FILLER = (
    r"ok(?:ay)?|sure(?: thing)?|certainly|of course|alright|yes|great|got it|first(?: of all)?|next|now|then|one moment.*"
    r"|just a (?:moment|second).*|please wait.*|hold on.*"
    r"|(?:in order )?to (?:answer|do|find|help|get|give|solve|determine|know|provide|compare|complete)\b.*"
)
"""Sentences and clauses that say nothing."""
WILL = (
    r"(?:(?:first|next|now|so|then),?\s)?(?:let (?:me|us)|let['’]s|i(?:['’]| wi)ll|i(?:['’]| a)m going to|i (?:need|have) to)\s"
    r"(?:(?:first|now|just|quickly|also|then|try to|need to|have to|go ahead and|go and)\s){0,3}"
)
"""How a sentence begins that announces something; the verb comes next."""
LOOKS_UP = (
    r"(?:check(?! in\b| out\b)|look (?:(?:it|that|this|them) )?(?:up|into|at|for)\b|(?:take|have) a look|search|query|fetch"
    r"|retrieve|calculate|compute|verify|consult|browse|download|find (?:out|the|that|it)\b|see(?:$| (?:if|whether|what|how)\b)"
    r"|(?:get|read|open) (?:the|that|it|this|these|those|your)\b"
    r"|(?:run|execute|perform|do|make) (?:an?|the|this|that|another) (?:\w+ ){0,2}(?:search|query|code|command|script"
    r"|calculation|request|call|lookup|tool|function)\b"
    r"|(?:call|use|invoke|run|try|ask) (?:\S+ ){0,4}(?:tool|function|api|search|calculator)\b)"
)
"""Verbs of things that are done with a tool."""
_LOOKING = (
    r"(?:checking(?! in\b| out\b)|searching|querying|fetching|retrieving|calculating|computing"
    r"|looking (?:it |that )?(?:up|into|at|for(?! work\b| a job\b)))\b"
)
LOOKING_UP = (
    rf"i(?:['’]| a)m (?:(?:now|currently|just|already) )?{_LOOKING}"
    rf"|(?:(?:now|currently) )?{_LOOKING}(?!.*\b(?:is|are|was|were|can|will|takes?|requires?|costs?|has|have)\b)"
)
"""The same as a sentence of its own."""
USING = r"(?:i(?:['’]| a)m )?(?:(?:now|currently) )?(?:calling|using|running|invoking) "
"""How a sentence begins that names a tool."""
FOLLOWS = r"(?:and|then|after that|so that)\b(?!.*\b(?:is|are|was|were)\b)\D*"
"""A clause behind an announcement that goes on with it."""
UP_TO_USER = (
    r"\b(?:when|once|if|after|until|unless|as soon as) you "
    r"(?:say|tell|ask|want|wish|like|need|let|give|send|agree|confirm|are)\b"
    r"|\bneed to (?:check|confirm|verify|find out|clarify) (?:with you|(?:which|what|where|whether|if) (?:\w+ )?you)\b"
)
"""What is announced waits for the user, or is asked of him."""
WORDING = r"\b(?:say|write)\b"
"""What is asked for is a wording, where the task quotes something."""
SENTENCES = (
    r"\bsentences?\b|\btranslat|phras|\b(?:reply|respond|write back) to\b"
    r"|\b(?:write|draft|compose)\b.{0,40}\b(?:reply|response|answer|message|note|text|line|letter|e?-?mail|sms|post)\b"
)
"""What is asked for is a wording, in any case."""
PLANS = (
    r"\bwhat (?:will|would|can|could|do|should) you (?:do|help)\b|\bwhat are you (?:going to|able to|planning|about to)\b"
    r"|\bhow (?:will|would|do) you\b|\bwhat(?:['’]s| is| are) (?:the|your) (?:plans?|next steps?|abilities|capabilities)\b"
)
"""What is asked for is what the assistant can or will do."""

# --- what failed: `objections.passing` -------------------------------------------------------------------------------

MAY_PASS = (
    r"\b(?:try|retry)(?:ing)? (?:it |this |the request )?(?:again|later)\b(?! with| using| tomorrow| next)|\bplease retry\b"
    r"|(?<![\w/.])time[ds]?[ -]?out(?:error)?\b(?! (?:must|should|has|have|value|parameter|setting|is not))"
    r"|\btemporarily\b|\btemporary (?:failure|error|problem|outage|issue)|\btransient (?:failure|error|problem)"
    r"|\b(?:currently|service) unavailable\b(?! in)|\boverloaded\b|\btoo many requests|\brate[ -]limit"
    r"|\bconnection (?:was |has been )?(?:reset|aborted|closed|dropped)"
    r"|\b(?:status|code|http|error)\W{0,3}(?:429|50[234])"
    r"(?=\W*$|[:,.;)\]]|\W{1,3}(?:bad|service|too many|gateway|server|from)\b)"
)
"""Failures after which the same call may succeed a little later."""
NO_RETRY = (
    r"(?:\b(?:not|never|without)|n['’]t) (?:re-?try|try|trying|repeat)|\b(?:exactly|only|just) once\b|\bonce only\b"
    r"|\bif (?:it|that|this) fails\b"
)
"""How a task forbids to try again."""

# --- what was done: `objections.claimed` -----------------------------------------------------------------------------

_MAIL = ("mail|send", "mailed|sent")
FORMS = {
    "send": ("send|mail", "sent|mailed"),
    "mail": _MAIL,
    "email": _MAIL,
    "post": ("post|publish", "posted|published"),
    "publish": ("publish|post", "published|posted"),
    "pay": ("pay", "paid"),
    "buy": ("buy|purchase|order", "bought|purchased|ordered"),
    "purchase": ("purchase|buy|order", "purchased|bought|ordered"),
    "order": ("order|buy", "ordered|bought"),
    "transfer": ("transfer|send", "transferred|sent"),
    "book": ("book|reserve", "booked|reserved"),
    "reserve": ("reserve|book", "reserved|booked"),
    "delete": ("delete|remove", "deleted|removed"),
    "remove": ("remove|delete", "removed|deleted"),
    "drop": ("drop|delete", "dropped|deleted"),
    "place": ("place|order", "placed|ordered"),
    "make": ("make", "made"),
    "do": ("do", "done"),
    "sell": ("sell", "sold"),
    "withdraw": ("withdraw", "withdrew|withdrawn"),
    "run": ("run", "ran"),
}
"""Verb of a tool → words of a wish, words of what is done, where these are not the verb and its past."""
THING = {"email": "e-?mail", "mail": "e-?mail|mail", "message": "message|mail", "sms": "sms|text message"}
"""What a tool acts on → how it may be called, where that is not the word itself."""
ORDERED = r"(?:^|[.;,:!]\s{0,4}|\b(?:please|then|and|also)\s{1,4})(?:e-?)?(?:<act>)\b"
"""An act that is ordered."""
PLAIN_ORDER = (
    r"(?:please\s)?(?:<act>)\s(?:the\s|my\s|our\s)?(?:<thing>)\s(?:(?:no\.?|number)\s?)?#?[A-Z]{0,4}-?\d[\w-]*(?!\w|['’:])"
)
"""An act on a thing with a number, at the beginning of a task."""
CONDITION = (
    r"\b(?:as long as|unless|when|in case|provided|until|before|after|or|once|assuming|simulate|preview|suppose|imagine)\b"
)
"""What makes an order hang on something."""
MENTIONED = r"\b(?:e-?)?(?:<act>)\b"
"""An act that is said to be done, by anybody."""
DONE = r"(?:^|\b(?:has|have|had|was|were|been|I|I've|and)\s)(?:(?:now|just|successfully|fully|also)\s){0,2}(?:e-?)?(?:<act>)\b"
"""An act that an answer says is done."""
NO_ORDER = (
    r"[?？]|\b(?:how|what|why|whether|can|could|should|would|if|draft|compose|write|word|translate|explain|describe|not|never|no|only"
    r"|without|nothing)\b|n['’]t"
)
"""What makes a task no plain order."""
DOUBT = (
    r"[?？]|\b(?:not|no|none|never|nothing|cannot|unable|fail(?:ed|s|ure)?|error|yet|if|once|will|would|should|could|can|may|please)\b"
    r"|n['’]t"
)
"""What makes an answer no plain claim."""

# --- what is to be reckoned: `objections.unbracketed`, `objections.unreckoned` ----------------------------------------

AFTERWARDS = (
    r"\b(?:then|and) (?:(?P<times>multipl(?:y|ied))|divided?)(?: (?:it|that|this|all(?: of (?:it|that))?"
    r"|(?:the|this|that) (?:sum|result|difference|total)))? by (?P<number>\d+(?:\.\d+)?)"
)
"""A last step of a sum, for all that stands before it."""
GOES_ON = r"\b(?:add|plus|subtract|minus|less)\b"
"""Behind that step another one follows, so that it is not for all."""
RECKONED = (
    r"\b(?:what(?:['’]s| is)|calculate|work out|tell me|find|and) the "
    r"(?:difference (?:in|of)\b|(?:price|cost|temperature|age) difference)"
    r"|\b(?:in total|altogether|in all)\b|\btotal (?:amount|cost|price|weight|spend(?:ing)?)\b"
    r"|\bthe (?:sum|total|average) of\b|\bby how (?:much|many)\b"
)
"""What is asked for has to be worked out of several numbers."""
EACH = r"\beach\b|\blist\b|\bis there\b|\bboth\b|\brespectively\b|\bexplain\b"
"""What is asked for are the numbers as well."""
HAS_RECKONED = r"total|\bsum|average|\bmean|\bavg|diff"
"""A result that may have it already."""

# --- several things: `engine.several` ---------------------------------------------------------------------------------

AND = r"\s+and\s+|\s+&\s+"
"""What stands between the last two things of a list."""
COMMA = r"\s*,\s+(?:and\s+)?"
"""What stands between the others."""

# --- numbers that are not in digits: `numbers` -----------------------------------------------------------------------

NUMBERS = each(
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
    " hundred thousand million dozen half quarter quarters twice"
)

# --- names of tools: `naming` ----------------------------------------------------------------------------------------

_STATES = "history log count list stat statistic total number status state progress tracking"
_READINGS = (
    f"{_STATES} info information price policy detail summary rate limit option availability eligibility schedule quote"
    " report result record metric amount date time title author name id calculator level form reason"
)
ACTS = table(
    ("send insert append remove reset wipe erase clear purge empty make do place execute exec eval notify confirm", ""),
    ("withdraw sell pay buy donate redeem", f"{_STATES} slip signal price"),
    ("create delete publish submit", "time date timestamp"),
    ("cancel approve invite subscribe unsubscribe restart reboot reject accept revoke grant", f"{_STATES} code date time"),
    ("install uninstall activate deactivate enable disable unlock terminate kill shutdown dismiss escalate refill", _STATES),
    ("unblock unfollow follow forward rollback reschedule dispatch deliver enroll destroy overwrite truncate", _STATES),
    ("migrate assign perform settle swap stake mint burn bid liquidate lend borrow top_up topup recharge", _STATES),
)
"""Verbs that are hardly things → the nouns that make a thing of one right before them: nobody creates a time or pays a slip."""
ACTS_OR_THINGS = table(
    ("run start stop open close lock push pull commit turn switch print launch invoke call dial", _STATES),
    ("ban block kick like share vote ship claim tip wire hire fire dispense unpublish issue release", _STATES),
    ("deploy reply merge archive register process handle tweet check_in check_out checkout", _STATES),
    ("transfer deposit charge trade", f"{_STATES} limit detail level summary eligibility"),
)
"""The same of verbs that may be things: behind a verb of looking, or where a description says so."""
THINGS = table(
    ("order purchase refund book", _READINGS),
    ("reserve schedule", f"{_STATES} price option availability date detail info"),
    ("drop trigger", "rate status count date condition"),
    ("mail email", "history log count list stat total number address content subject body domain validator template"),
    ("post", "history log count list stat total number code title author content id"),
    ("message comment", f"{_READINGS} content text"),
)
"""Things that are verbs as well → the nouns that, at the end of a name, make something to look up of one."""
DEEDS = each("payment withdrawal booking reservation cancellation")
"""Things that are an act where a name ends with them."""
WRITES = each(
    "write add update set save put store edit move rename copy upload record log modify change replace attach mark import"
)
"""What leaves something behind each time, which asks for no care as an act does, unless it has to do with one of these:"""
OF_WEIGHT = DEEDS | each("money fund cash transaction appointment cart credit")
LOOKS = each(
    "get list find search read check query lookup look fetch count is has describe track retrieve view show load browse watch"
    " monitor inspect scan validate verify calculate compute estimate compare convert parse preview summarize summarise"
    " translate classify analyze analyse extract explain detect predict forecast measure recommend suggest filter sort rank"
)
LOOKS_BEHIND = each("get list find search read check query lookup fetch count describe track view")
"""The same behind a thing; a show may be booked."""
TAIL = each("text page json data api tool service endpoint all v")
"""Words at the end that say nothing."""
BEFORE_A_PART = each("by for of from to in with at on")
COMMANDS = each("execute exec eval run")
"""Acts that do what they are told in the arguments."""
JOINS = each("and or then")
SAYS_IT_LOOKS = LOOKS | {"look", "returns"} | each(_READINGS)
"""First words of a description of something that looks; goods may be returned, but then not in the third person."""
A_PART_OF = r"(?:the|an?|all)\s(?:\w+\s){1,2}of\b"
"""How a description begins that names what is read."""
ALSO_ACTS = r"(?:\band|\bthen|,|;|\.)\s+(?:then\s+)?(?:<act>)(?:e?s)?\b"
