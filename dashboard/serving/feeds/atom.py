"""What feeds are written with: elements of Atom, ids that stay the same, and days as instants."""

from datetime import date
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree

from benchhealth.dashboard.words.text import one_line

MEDIA_TYPE = "application/atom+xml; charset=utf-8"
ATOM = "http://www.w3.org/2005/Atom"


def feed_element(title: str, identity: str, subtitle: str, updated: object) -> ElementTree.Element:
    """The root element of an Atom feed; the caller adds links and entries."""
    ElementTree.register_namespace("", ATOM)
    root = ElementTree.Element(f"{{{ATOM}}}feed")
    add(root, "title", title)
    add(root, "id", identity)
    add(root, "updated", instant(updated))
    add(root, "subtitle", subtitle)
    add(add(root, "author"), "name", "benchhealth")
    add(root, "generator", "benchhealth")
    return root


def add(parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    """Append a new element to another and return it; its text is put in one line."""
    child = ElementTree.SubElement(parent, f"{{{ATOM}}}{tag}", attributes)
    if text is not None:
        child.text = one_line(text)
    return child


def add_entry(feed: ElementTree.Element, title: str, identity: str, day: object, href: str) -> ElementTree.Element:
    """Append an entry about what happened on a day, of which the page at `href` says more; the caller adds its text."""
    entry = add(feed, "entry")
    add(entry, "title", title)
    add(entry, "id", identity)
    add(entry, "updated", instant(day))
    add(entry, "link", rel="alternate", type="text/html", href=href)
    return entry


def feed_xml(root: ElementTree.Element) -> bytes:
    """The XML document of the feed as UTF-8 bytes."""
    body: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return body


def urn(*parts: str) -> str:
    """An id made of these parts, the same in every generation."""
    return uuid5(NAMESPACE_URL, "/".join(("benchhealth", *parts))).urn


def instant(day: object) -> str:
    """A day as RFC 3339; of changes only the day is known. Without any, the day that time is counted from."""
    return f"{day if isinstance(day, date) else date(1970, 1, 1)}T00:00:00Z"
