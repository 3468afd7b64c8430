"""What is read out of packets that were put together by hand."""

import socket
import struct

import pytest

from space.watch import called, queried

SYN, SYN_ACK, ACK, RST_ACK = 0x02, 0x12, 0x10, 0x14
# A query for the address of hub.example.org: header, three labels, the root, type A, class IN.
QUERY = bytes.fromhex("abcd01000001000000000000") + b"\3hub\7example\3org\0" + bytes.fromhex("00010001")


def tcp(port, flags):
    return struct.pack("!HHIIBBHHH", 40000, port, 1, 0, 5 << 4, flags, 1000, 0, 0)


def udp(port, content):
    return struct.pack("!HHHH", 40000, port, 8 + len(content), 0) + content


def ipv4(target, protocol, content, options=b""):
    head = struct.pack(
        "!BBHHHBBH", 0x40 | 5 + len(options) // 4, 0, 20 + len(options) + len(content), 0, 0, 64, protocol, 0
    )
    return head + socket.inet_aton("10.0.0.1") + socket.inet_aton(target) + options + content


def ipv6(target, protocol, content):
    head = struct.pack("!IHBB", 6 << 28, len(content), protocol, 64)
    return head + socket.inet_pton(socket.AF_INET6, "fd00::1") + socket.inet_pton(socket.AF_INET6, target) + content


@pytest.mark.parametrize(
    ("packet", "host"),
    [
        (ipv4("93.184.216.34", 6, tcp(443, SYN)), "93.184.216.34 (port 443)"),
        (ipv4("93.184.216.34", 6, tcp(443, SYN), options=bytes(8)), "93.184.216.34 (port 443)"),
        (ipv6("2606:2800::1", 6, tcp(80, SYN)), "2606:2800::1 (port 80)"),
        (ipv4("192.0.2.9", 17, udp(123, b"what time is it")), "192.0.2.9 (port 123)"),
        (ipv4("10.255.255.53", 17, udp(53, QUERY)), "hub.example.org (looked up)"),
        (ipv4("127.0.0.53", 17, udp(53, QUERY)), "hub.example.org (looked up)"),
        (ipv6("fd00::53", 17, udp(53, QUERY)), "hub.example.org (looked up)"),
    ],
)
def test_a_call_to_another_host_is_named(packet, host):
    assert called(packet) == host


@pytest.mark.parametrize(
    "packet",
    [
        ipv4("127.0.0.1", 6, tcp(7860, SYN)),
        ipv6("::1", 6, tcp(7860, SYN)),
        ipv4("127.0.0.1", 17, udp(5000, b"")),
        *(ipv4("93.184.216.34", 6, tcp(443, flags)) for flags in (SYN_ACK, ACK, RST_ACK)),
        ipv4("93.184.216.34", 1, bytes(8)),
        ipv6("ff02::16", 0, bytes(16)),
        bytes(40),
    ],
)
def test_all_else_is_not(packet):
    assert called(packet) is None


def test_a_query_that_is_cut_off_gives_what_there_is():
    assert queried(QUERY[:20]) == "hub.exa"
    assert queried(QUERY[:12]) == ""
