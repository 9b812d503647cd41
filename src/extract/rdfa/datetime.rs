//! Datatypes by lexical form (HTML+RDFa 1.1 section 3.1, rule 9).

const XSD_DURATION: &str = "http://www.w3.org/2001/XMLSchema#duration";
const XSD_DATE_TIME: &str = "http://www.w3.org/2001/XMLSchema#dateTime";
const XSD_DATE: &str = "http://www.w3.org/2001/XMLSchema#date";
const XSD_TIME: &str = "http://www.w3.org/2001/XMLSchema#time";
const XSD_YEAR_MONTH: &str = "http://www.w3.org/2001/XMLSchema#gYearMonth";
const XSD_YEAR: &str = "http://www.w3.org/2001/XMLSchema#gYear";

/// The XML Schema datatype whose lexical form the text has, or empty.
pub(super) fn datatype(text: &str) -> &'static str {
    let mut scan = Scan(text.as_bytes());
    if scan.duration() {
        return XSD_DURATION;
    }
    scan = Scan(text.as_bytes());
    let datatype = if scan.time() {
        XSD_TIME
    } else {
        scan = Scan(text.as_bytes());
        scan.eat(b'-');
        if scan.digits() < 4 {
            return "";
        }
        match () {
            () if !scan.part(b'-') => XSD_YEAR,
            () if !scan.part(b'-') => XSD_YEAR_MONTH,
            () if !scan.eat(b'T') => XSD_DATE,
            () if scan.time() => XSD_DATE_TIME,
            () => return "",
        }
    };
    if scan.zone_and_end() { datatype } else { "" }
}

/// What is left to look at.
#[derive(Clone, Copy)]
struct Scan<'a>(&'a [u8]);

impl Scan<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    fn digits(&mut self) -> usize {
        let n = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        self.0 = &self.0[n..];
        n
    }

    /// `separator` and two digits, or nothing.
    fn part(&mut self, separator: u8) -> bool {
        let mut ahead = *self;
        let found = ahead.eat(separator) && ahead.digits() == 2;
        if found {
            *self = ahead;
        }
        found
    }

    /// `hh:mm:ss`, with a fraction or without.
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
            ("2012", XSD_YEAR),
            ("2012Z", XSD_YEAR),
            ("12012", XSD_YEAR),
            ("2012-03", XSD_YEAR_MONTH),
            ("2012-03-18", XSD_DATE),
            ("-0044-03-15", XSD_DATE),
            ("2012-03-18+01:00", XSD_DATE),
            ("00:00:00", XSD_TIME),
            ("00:00:00.5Z", XSD_TIME),
            ("2012-03-18T00:00:00", XSD_DATE_TIME),
            ("2012-03-18T00:00:00.25-08:00", XSD_DATE_TIME),
            ("P2011Y06M28DT00H00M00S", XSD_DURATION),
            ("PT1H30M", XSD_DURATION),
            ("-P1D", XSD_DURATION),
            ("PT0.5S", XSD_DURATION),
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
            assert_eq!(datatype(text), want, "{text}");
        }
    }
}
