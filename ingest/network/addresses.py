"""Which addresses are public: a redirect, or a name, may lead to machines that only this one can reach."""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_RESERVED_NETWORKS = tuple(
    map(ip_network, ("168.63.129.16/32", "192.0.0.0/24", "2001::/23", "2001:db8::/32", "3fff::/20"))
)
"""Addresses among the public ones under which a cloud tells its machines about themselves, and that no host has:
protocols (Teredo is one) and documentation."""

_UNICAST = ip_network("2000::/3")
"""All that is given out of IPv6. What lies outside of it is of a machine or a site, or carries an IPv4 address."""

_TRANSLATED = ip_network("64:ff9b::/96")
"""An IPv4 address within an IPv6 one, by NAT64."""


class NotPublic(ValueError):  # noqa: N818  it says what happened
    """The host is at an address that is not public: nothing is sent there."""


def is_public(address_text: str) -> bool:
    """Whether an address is of the public internet, also where it carries another one within. Raises ValueError."""
    address = ip_address(address_text.partition("%")[0])
    if isinstance(address, IPv6Address):
        embedded = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED:
            embedded = IPv4Address(int(address) & 0xFFFFFFFF)
        if embedded is None and address not in _UNICAST:
            return False
        address = embedded or address
    return address.is_global and not address.is_multicast and not any(address in net for net in _RESERVED_NETWORKS)


def leads_inside(host: str) -> bool:
    """Whether the host is this machine or a private address by its very spelling, whoever looks the name up."""
    name = host.lower().rstrip(".")
    try:
        return not is_public(name)
    except ValueError:
        return name == "localhost" or name.endswith((".localhost", ".local", ".internal"))


def public_addresses(host: str, port: int) -> list[str]:
    """The addresses of a host, in the order in which they are to be tried: at least one.

    Raises NotPublic unless all are public, and socket.gaierror where the name is not known.
    """
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise socket.gaierror(socket.EAI_NONAME, f"no name: {host[:80]!r}") from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
    if hidden := [address for address in addresses if not is_public(address)]:
        raise NotPublic(f"{host} is at {hidden[0]}, which is not public")
    return addresses
