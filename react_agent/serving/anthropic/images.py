"""Messages with images.

    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "…"} | {"type": "url", "url": "…"}}

In: the body of a message request.  Out: where there are no tools, the messages of a chat completion with `image_url` parts; for
whoever only counts, the body without images.
"""

from __future__ import annotations

from collections.abc import Iterator

from react_agent.messages import Json
from react_agent.prompting.reading import REASONING
from react_agent.serving import fields
from react_agent.serving.refusal import Refusal

_OF_TOOLS = ("tool_use", "tool_result")


def without_images(body: Json) -> tuple[Json, int]:
    """The body with an empty text in the place of each image, and how many there were.

    Raises:
        Refusal: it is nested too deeply, or the messages are no list of objects.
    """
    fields.bounded(body)
    images: list[Json] = []
    messages = [_without_images(message, images) for message in fields.objects(body, "messages")]
    return {**body, "messages": messages}, len(images)


def _without_images(holder: Json, images: list[Json]) -> Json:
    """A message, or a block in it; `images` takes up what was in it."""
    if holder.get("type") == "image":
        images.append(holder)
        return {"type": "text", "text": ""}
    parts = holder.get("content")
    if not isinstance(parts, list):
        return holder
    return {**holder, "content": [_without_images(part, images) if isinstance(part, dict) else part for part in parts]}


def only_shown(body: Json) -> bool:
    """Whether there are images that a model can be shown as they are: beside no tools, and no traces of them."""
    kinds = [part.get("type") for message in fields.objects(body, "messages") for part in _parts(message)]
    return "image" in kinds and not body.get("tools") and not any(kind in _OF_TOOLS for kind in kinds)


def shown(body: Json, system: str) -> tuple[Json, ...]:
    """The messages of a chat completion.

    Raises:
        Refusal: an image cannot be passed on.
    """
    lead: list[Json] = [{"role": "system", "content": system}] if system else []
    return (*lead, *(_message(message, f"messages[{place}]") for place, message in enumerate(fields.objects(body, "messages"))))


def _message(message: Json, where: str) -> Json:
    role, said = message.get("role"), message.get("content")
    if isinstance(said, str):
        return {"role": role, "content": said}
    parts = list(_passed_on(message, where))
    if all(part["type"] == "text" for part in parts):
        return {"role": role, "content": "\n".join(part["text"] for part in parts)}
    if role != "user":
        raise Refusal(f"'{where}': images can stand in messages of the user only", param=where)
    return {"role": role, "content": parts}


def _passed_on(message: Json, where: str) -> Iterator[Json]:
    for place, part in enumerate(_parts(message)):
        if part.get("type") == "image":
            yield {"type": "image_url", "image_url": {"url": _url(part.get("source"), f"{where}.content[{place}].source")}}
        elif part.get("type") not in REASONING:
            yield {"type": "text", "text": fields.text(part, "text")}


def _url(source: object, where: str) -> str:
    match source:
        case {"type": "base64", "media_type": str(kind), "data": str(said)} if kind.startswith("image/"):
            return f"data:{kind};base64,{said}"
        case {"type": "url", "url": str(url)} if url.startswith(("https://", "http://")):
            return url
        case _:
            raise Refusal(
                f'\'{where}\' must be of type "base64" (with data, and a media_type image/…) or "url" (https or http): '
                "no other can be passed on",
                param=where,
            )


def _parts(message: Json) -> list[Json]:
    said = message.get("content")
    return [part for part in said if isinstance(part, dict)] if isinstance(said, list) else []
