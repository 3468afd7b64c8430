"""Sees every attempt to reach another host from inside a network namespace that has nothing but a loopback.

There all addresses lead to the loopback (see `isolation.enclose`), so an attempt ends at once, and is seen here.
"""

import ipaddress
import select
import socket
import struct
import threading
from types import TracebackType

_EVERYTHING = 0x0003  # ETH_P_ALL
_STATISTICS = (263, 6)  # SOL_PACKET, PACKET_STATISTICS: packets seen and packets missed, two unsigned ints
_SYN, _ACK, _DNS = 0x02, 0x10, 53


class Watch:
    """While entered, collects whom anybody in this namespace wants to reach.

    Attributes:
        hosts: names looked up and addresses called, in the order of their first time.
        missed: packets that came too fast to be looked at.
    """

    def __init__(self) -> None:
        self.hosts: dict[str, None] = {}
        self.missed = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)

    def __enter__(self) -> "Watch":
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_EVERYTHING))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 26)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self.missed = struct.unpack("II", self._socket.getsockopt(*_STATISTICS, 8))[1]
        self._socket.close()

    def _look(self) -> None:
        while True:
            readable, _, _ = select.select([self._socket], [], [], 0.1)
            if readable:
                packet, address = self._socket.recvfrom(512)
                # On a loopback each packet is seen twice: sent and received.
                host = called(packet) if address[2] == socket.PACKET_OUTGOING else None
                if host is not None:
                    self.hosts[host] = None
            elif self._ended.is_set():
                return


def called(packet: bytes) -> str | None:
    """Say whom an IP packet calls.

    Args:
        packet: an IPv4 or IPv6 packet from its header on, at least as far as the end of a name that is looked up.

    Returns:
        The name that a DNS query asks for, or address and port of the first packet of a conversation with any host
        but this one; None for all other packets.
    """
    if packet[0] >> 4 == 4:
        protocol, target, rest = packet[9], packet[16:20], packet[(packet[0] & 15) * 4 :]
    elif packet[0] >> 4 == 6:
        protocol, target, rest = packet[6], packet[24:40], packet[40:]
    else:
        return None
    is_first = protocol == socket.IPPROTO_TCP and rest[13] & (_SYN | _ACK) == _SYN
    if not is_first and protocol != socket.IPPROTO_UDP:
        return None
    address, port = ipaddress.ip_address(target), int.from_bytes(rest[2:4], "big")
    if protocol == socket.IPPROTO_UDP and port == _DNS:
        return f"{queried(rest[8:])} (looked up)"
    return None if address.is_loopback else f"{address} (port {port})"


def queried(message: bytes) -> str:
    """Read the name out of a DNS query, from the message's header on (RFC 1035, 4.1)."""
    labels, at = [], 12
    while at < len(message) and (size := message[at]):
        labels.append(message[at + 1 : at + 1 + size].decode("ascii", "replace"))
        at += 1 + size
    return ".".join(labels)
