//! Which addresses may be asked for what a page points at: those of the public internet. What lies in a private
//! network (routers, databases, the metadata services of clouds) trusts whoever is inside, and this program is.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks that are not public: the special-purpose registries of IANA (RFC 6890), and addresses of clouds.
const PRIVATE_V4: &[([u8; 4], u8, &str)] = &[
    ([0, 0, 0, 0], 8, "this network"),
    ([10, 0, 0, 0], 8, "private use"),
    ([100, 64, 0, 0], 10, "shared address space"),
    ([127, 0, 0, 0], 8, "loopback"),
    ([168, 63, 129, 16], 32, "the host of an Azure machine"),
    ([169, 254, 0, 0], 16, "link-local, with the metadata services of clouds"),
    ([172, 16, 0, 0], 12, "private use"),
    ([192, 0, 0, 0], 24, "protocol assignments"),
    ([192, 0, 2, 0], 24, "documentation"),
    ([192, 31, 196, 0], 24, "AS112"),
    ([192, 52, 193, 0], 24, "AMT"),
    ([192, 88, 99, 0], 24, "6to4 relays"),
    ([192, 168, 0, 0], 16, "private use"),
    ([192, 175, 48, 0], 24, "AS112"),
    ([198, 18, 0, 0], 15, "benchmarks"),
    ([198, 51, 100, 0], 24, "documentation"),
    ([203, 0, 113, 0], 24, "documentation"),
    ([224, 0, 0, 0], 4, "multicast"),
    ([240, 0, 0, 0], 4, "reserved, and broadcast"),
];

/// The same for IPv6. Of what is left only 2000::/3 is in use.
const PRIVATE_V6: &[([u16; 8], u8, &str)] = &[
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, "protocol assignments, and Teredo"),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, "documentation"),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "documentation"),
];

/// Forms of IPv6 that lead to an IPv4 address, and where in them it stands (in 16-bit groups).
const LEADS_TO_V4: &[([u16; 8], u8, usize)] = &[
    ([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, 6),
    ([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, 6),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, 1),
];

/// Whether an address is of the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    !PRIVATE_V4.iter().any(|(network, length, _)| {
        let shift = 32 - u32::from(*length);
        bits >> shift == u32::from(Ipv4Addr::from(*network)) >> shift
    })
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = u128::from(address);
    let inside = |network: &[u16; 8], length: u8| {
        let shift = 128 - u32::from(length);
        bits >> shift == u128::from(Ipv6Addr::from(*network)) >> shift
    };
    if let Some((_, _, at)) = LEADS_TO_V4.iter().find(|(network, length, _)| inside(network, *length)) {
        let groups = address.segments();
        return is_public_v4(Ipv4Addr::from(u32::from(groups[*at]) << 16 | u32::from(groups[at + 1])));
    }
    bits >> 125 == 1 && !PRIVATE_V6.iter().any(|(network, length, _)| inside(network, *length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_and_private() {
        for public in [
            "1.1.1.1",
            "93.184.215.14",
            "172.32.0.1",
            "100.128.0.1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for private in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.168.1.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:a9fe:a9fe",
            "64:ff9b::7f00:1",
            "64:ff9b:1::a00:1",
            "2002:7f00:1::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "3fff::1",
            "100::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
    }

    #[test]
    fn every_network_is_refused_from_its_first_address_to_its_last() {
        for (network, length, what) in PRIVATE_V4 {
            let first = u32::from(Ipv4Addr::from(*network));
            let last = first | (u64::from(u32::MAX) >> length) as u32;
            for address in [first, last] {
                assert!(!is_public_v4(address.into()), "{what}");
            }
        }
    }
}
