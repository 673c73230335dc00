"""The words that JSON Schemas of our own documents are written with."""

from __future__ import annotations

from typing import Any, Final

JsonMap = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
"""In which language all schemas are written."""

WHOLE: Final = {"type": "integer"}
COUNT: Final = {"type": "integer", "minimum": 0}
POSITIVE: Final = {"type": "integer", "minimum": 1}
NUMBER: Final = {"type": "number"}
SHARE: Final = {"type": "number", "minimum": 0, "maximum": 1}
TEXT: Final = {"type": "string"}
FLAG: Final = {"type": "boolean"}
ANYTHING: Final[JsonMap] = {}


def described(schema: JsonMap, description: str) -> JsonMap:
    """A schema that says what it is about."""
    return {**schema, "description": description}


def or_null(schema: JsonMap, description: str) -> JsonMap:
    """A schema that null follows too."""
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"], "description": description}
    return {"anyOf": [schema, {"type": "null"}], "description": description}


def listed(items: JsonMap, description: str) -> JsonMap:
    """A list of one kind of thing."""
    return {"type": "array", "items": items, "description": description}


def pair(first: JsonMap, second: JsonMap, description: str) -> JsonMap:
    """A list of exactly two things."""
    return {
        "type": "array",
        "prefixItems": [first, second],
        "items": False,
        "minItems": 2,
        "description": description,
    }


def keyed(names: JsonMap, values: JsonMap, description: str) -> JsonMap:
    """An object with any of these names, all with one kind of value."""
    return {"type": "object", "description": description, "propertyNames": names, "additionalProperties": values}


def ref(name: str) -> JsonMap:
    """A definition of the same document."""
    return {"$ref": f"#/$defs/{name}"}


def closed(description: str, optional: tuple[str, ...] = (), /, **properties: JsonMap) -> JsonMap:
    """An object with these properties and no others. A trailing underscore of a name is dropped (`pass_`, `for_`)."""
    named = {name.rstrip("_"): schema for name, schema in properties.items()}
    return {
        "type": "object",
        "description": description,
        "properties": named,
        "required": [name for name in named if name not in optional],
        "additionalProperties": False,
    }


INDEX: Final = described(COUNT, "Load index of an entry: its place among all that were loaded, from 0.")
