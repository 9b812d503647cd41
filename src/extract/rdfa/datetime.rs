//! Datatypes by lexical form (HTML+RDFa 1.1 section 3.1, rule 9).

use crate::{graph::XSD, text};
use alloc::string::String;

/// The XML Schema datatype whose lexical form the text has, or empty.
pub(super) fn datatype(lexical: &str) -> String {
    match name(lexical.as_bytes()) {
        "" => String::new(),
        name => text::joined(XSD, name),
    }
}

fn name(text: &[u8]) -> &'static str {
    if Scan(text).duration() {
        return "duration";
    }
    let mut scan = Scan(text);
    let mut name = "time";
    if !scan.time() {
        scan = Scan(text);
        scan.eat(b'-');
        if scan.digits() < 4 {
            return "";
        }
        name = if !scan.part(b'-') {
            "gYear"
        } else if !scan.part(b'-') {
            "gYearMonth"
        } else if !scan.eat(b'T') {
            "date"
        } else if scan.time() {
            "dateTime"
        } else {
            return "";
        };
    }
    if scan.zone_and_end() { name } else { "" }
}

/// What is left to look at.
#[derive(Clone, Copy)]
struct Scan<'a>(&'a [u8]);

impl Scan<'_> {
    #[inline(never)]
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    #[inline(never)]
    fn digits(&mut self) -> usize {
        let n = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        self.0 = &self.0[n..];
        n
    }

    /// `separator` and two digits, or nothing.
    #[inline(never)]
    fn part(&mut self, separator: u8) -> bool {
        let mut ahead = *self;
        let found = ahead.eat(separator) && ahead.digits() == 2;
        if found {
            *self = ahead;
        }
        found
    }

    /// `hh:mm:ss`, with a fraction or without.
    #[inline(never)]
    fn time(&mut self) -> bool {
        self.digits() == 2 && self.part(b':') && self.part(b':') && (!self.eat(b'.') || self.digits() > 0)
    }

    /// Nothing, `Z` or an offset; then the end.
    fn zone_and_end(&mut self) -> bool {
        let _ = self.eat(b'Z') || ((self.part(b'+') || self.part(b'-')) && self.part(b':'));
        self.0.is_empty()
    }

    /// `P1Y2M3DT4H5M6.7S`, at least one part, none empty after `T`.
    fn duration(&mut self) -> bool {
        self.eat(b'-');
        if !self.eat(b'P') {
            return false;
        }
        let mut units: &[u8] = b"YMD";
        let (mut parts, mut time) = (0, false);
        loop {
            if !time && self.eat(b'T') {
                (units, parts, time) = (b"HMS", 0, true);
            }
            if self.digits() == 0 {
                return parts > 0 && self.0.is_empty();
            }
            let fraction = self.eat(b'.');
            if fraction && self.digits() == 0 {
                return false;
            }
            let Some(at) = units.iter().position(|&unit| self.eat(unit)) else { return false };
            if fraction && units[at] != b'S' {
                return false;
            }
            units = &units[at + 1..];
            parts += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lexical_forms() {
        for (text, want) in [
            ("2012", "gYear"),
            ("2012Z", "gYear"),
            ("12012", "gYear"),
            ("2012-03", "gYearMonth"),
            ("2012-03-18", "date"),
            ("-0044-03-15", "date"),
            ("2012-03-18+01:00", "date"),
            ("00:00:00", "time"),
            ("00:00:00.5Z", "time"),
            ("2012-03-18T00:00:00", "dateTime"),
            ("2012-03-18T00:00:00.25-08:00", "dateTime"),
            ("P2011Y06M28DT00H00M00S", "duration"),
            ("PT1H30M", "duration"),
            ("-P1D", "duration"),
            ("PT0.5S", "duration"),
            ("P", ""),
            ("PT", ""),
            ("P1DT", ""),
            ("P1S", ""),
            ("P1M1Y", ""),
            ("PT1.5H", ""),
            ("PT1HT1M", ""),
            ("2012-03-18T00:00", ""),
            ("12:30", ""),
            ("201", ""),
            ("2012-3-18", ""),
            ("2012-03-18 ", ""),
            ("18 March 2012", ""),
            ("", ""),
        ] {
            assert_eq!(name(text.as_bytes()), want, "{text}");
        }
    }
}
