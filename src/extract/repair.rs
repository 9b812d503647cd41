//! Broken JSON: what is repaired, one row per repair. The reader (`json/read.rs`) names the row where it makes the
//! repair; each row that was needed leaves one diagnostic that names the block and the place.
//!
//! Repairs never invent data: where a missing quote would have to be guessed, reading stops, and what was complete
//! before is kept.

use crate::{
    diagnostic::{Code, Diagnostics},
    text,
};
use alloc::{string::String, vec::Vec};

macro_rules! repairs {
    ($($variant:ident $code:ident $message:literal;)+) => {
        /// A repair, or a reason why something was left out.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Repair { $(#[doc = $message] $variant,)+ }

        impl Repair {
            /// The code it is reported with.
            pub fn code(self) -> Code { match self { $(Repair::$variant => Code::$code,)+ } }
            /// What was wrong and what was done.
            pub fn message(self) -> &'static str { match self { $(Repair::$variant => $message,)+ } }
        }
    };
}

repairs! {
    TrailingComma JsonParseError "A trailing comma was removed";
    DoubledComma JsonParseError "A doubled comma was removed";
    MissingComma JsonParseError "A missing comma was added";
    MissingBracket JsonParseError "A missing closing bracket was added";
    StrayBracket JsonParseError "A stray closing bracket was removed";
    Comment JsonParseError "A comment was removed";
    HtmlComment JsonParseError "An HTML comment was removed";
    Cdata JsonParseError "A CDATA wrapper was removed";
    OddSpace JsonParseError "An odd space was removed";
    RawControl JsonParseError "A raw control character was kept";
    HexEscape JsonParseError "A \\x escape was decoded";
    BadEscape JsonParseError "An odd escape was read as its character";
    LoneSurrogate JsonParseError "Half a surrogate pair was replaced";
    NotAValue JsonParseError "A word that is no JSON value was left out";
    WordCase JsonParseError "A misspelt true, false or null was read";
    EmptyValue JsonParseError "A property without a value was left out";
    LeadingZero JsonParseError "A number with a leading zero was kept as text";
    BareText JsonParseError "A value without quotes was kept as text";
    UnquotedKey JsonParseError "A name without quotes was read";
    SingleQuotes JsonParseError "Single quotes were read as double quotes";
    SeveralRoots JsonParseError "Several JSON values were read";
    AfterRoot JsonParseError "What follows the JSON value was left out";
    EntityBlock JsonParseError "A block with entities for quotes was decoded";
    DoubleEncoded JsonParseError "A block inside a JSON string was read";
    NoObject JsonParseError "The block holds no object or array";
    Truncated JsonParseError "The block ends too early: what is complete was kept";
    Unreadable JsonParseError "The block is unreadable from here (an unescaped quote?): what is complete was kept";
    Deep DepthLimit "Values nested too deeply were left out";
    Long DepthLimit "A block longer than is read was left out";
}

/// The repairs made in one block: each kind once, with where it was first needed and how often.
#[derive(Debug, Default)]
pub struct Repairs {
    made: Vec<Made>,
}

#[derive(Debug)]
struct Made {
    repair: Repair,
    at: usize,
    times: usize,
}

impl Repairs {
    /// Notes a repair at a byte of the block.
    pub fn note(&mut self, repair: Repair, at: usize) {
        match self.made.iter_mut().find(|m| m.repair == repair) {
            Some(made) => made.times += 1,
            None => self.made.push(Made { repair, at, times: 1 }),
        }
    }

    /// Whether the block was JSON as it stood.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// The kinds of repair made, in the order they were first needed.
    pub fn kinds(&self) -> impl Iterator<Item = Repair> {
        self.made.iter().map(|m| m.repair)
    }

    /// Reports each kind once. `block` is the number of the block on the page, from 1.
    pub fn report(&self, block: usize, diagnostics: &mut Diagnostics) {
        for made in &self.made {
            let mut place = String::from("JSON-LD block ");
            place.push_str(&text::number(block));
            place.push_str(", byte ");
            place.push_str(&text::number(made.at));
            if made.times > 1 {
                place.push_str(", ");
                place.push_str(&text::number(made.times));
                place.push_str(" times");
            }
            diagnostics.report(made.repair.code(), made.repair.message(), &place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    /// Block, the repairs named, the values read (one per line).
    const TABLE: &[(&str, &[Repair], &str)] = &[
        (r#"{"a":[1,2]}"#, &[], r#"{"a":[1,2]}"#),
        ("", &[], ""),
        (" \n", &[], ""),
        ("null", &[], ""),
        ("[]", &[], "[]"),
        // Commas
        (r#"{"a":1,}"#, &[Repair::TrailingComma], r#"{"a":1}"#),
        (r#"{"a":[1,],}"#, &[Repair::TrailingComma], r#"{"a":[1]}"#),
        (r#"{"a":1,,"b":2}"#, &[Repair::DoubledComma], r#"{"a":1,"b":2}"#),
        (r#"{,"a":1}"#, &[Repair::DoubledComma], r#"{"a":1}"#),
        ("[1,,2]", &[Repair::DoubledComma], "[1,2]"),
        (r#"{"a":1 "b":2}"#, &[Repair::MissingComma], r#"{"a":1,"b":2}"#),
        ("{\"a\":\"x\"\n\"b\":2}", &[Repair::MissingComma], r#"{"a":"x","b":2}"#),
        (r#"[{"a":1}{"b":2}]"#, &[Repair::MissingComma], r#"[{"a":1},{"b":2}]"#),
        // Brackets
        (r#"{"a":[1,2}"#, &[Repair::MissingBracket], r#"{"a":[1,2]}"#),
        (r#"[{"a":1]"#, &[Repair::MissingBracket], r#"[{"a":1}]"#),
        (r#"{"a":1],"b":2}"#, &[Repair::StrayBracket], r#"{"a":1,"b":2}"#),
        (r#"{"a":1}}"#, &[Repair::AfterRoot], r#"{"a":1}"#),
        (r#"{"a":1};"#, &[Repair::AfterRoot], r#"{"a":1}"#),
        (r#"{"a":1} and more {"b":2}"#, &[Repair::AfterRoot], r#"{"a":1}"#),
        (r#"{"a":1}{"b":2}"#, &[Repair::SeveralRoots], "{\"a\":1}\n{\"b\":2}"),
        (r#"{"a":1},{"b":2}"#, &[Repair::SeveralRoots], "{\"a\":1}\n{\"b\":2}"),
        (r#"{"a":1}}{"b":2}"#, &[Repair::AfterRoot, Repair::SeveralRoots], "{\"a\":1}\n{\"b\":2}"),
        // Comments and wrappers
        ("/* x */{\"a\"/**/:1 // y\n}", &[Repair::Comment], r#"{"a":1}"#),
        ("<!--\n{\"a\":1}\n-->", &[Repair::HtmlComment], r#"{"a":1}"#),
        ("<!-- x -->{\"a\":1}<!-- y -->", &[Repair::HtmlComment], r#"{"a":1}"#),
        ("{<!-- x -->\"a\":1}", &[Repair::HtmlComment], r#"{"a":1}"#),
        ("<![CDATA[{\"a\":1}]]>", &[Repair::Cdata], r#"{"a":1}"#),
        ("//<![CDATA[\n{\"a\":1}\n//]]>", &[Repair::Cdata], r#"{"a":1}"#),
        ("// <![CDATA[ {\"a\":1} // ]]>", &[Repair::Cdata], r#"{"a":1}"#),
        ("/*<![CDATA[*/{\"a\":1}/*]]>*/", &[Repair::Comment], r#"{"a":1}"#),
        ("<![CDATA[[1,[2]]]]>", &[Repair::Cdata], "[1,[2]]"),
        // Outside strings
        ("\u{feff}{\"a\":1}", &[Repair::OddSpace], r#"{"a":1}"#),
        ("{\u{a0}\"a\"\u{2028}:\u{0}1}", &[Repair::OddSpace], r#"{"a":1}"#),
        // Strings
        ("{\"a\":\"x\ny\tz\"}", &[Repair::RawControl], r#"{"a":"x\ny\tz"}"#),
        (r#"{"a":"\x26\x3C"}"#, &[Repair::HexEscape], r#"{"a":"&<"}"#),
        (r#"{"a":"it\'s 5\. \é \xg \u12"}"#, &[Repair::BadEscape], r#"{"a":"it's 5. é \\xg \\u12"}"#),
        ("{\"a\":\"x\\\ny\"}", &[Repair::BadEscape], r#"{"a":"xy"}"#),
        (r#"{"a":"\ud83d\ude00 \u00e9"}"#, &[], r#"{"a":"😀 é"}"#),
        (r#"{"a":"\ud83d x"}"#, &[Repair::LoneSurrogate], "{\"a\":\"\u{fffd} x\"}"),
        (r#"{"a":"\ude00\ud83d\u0041"}"#, &[Repair::LoneSurrogate], "{\"a\":\"\u{fffd}\u{fffd}A\"}"),
        (r#"{'a':'x "y"'}"#, &[Repair::SingleQuotes], r#"{"a":"x \"y\""}"#),
        (r#"{a:1,@type:"T",$b_2-c:3}"#, &[Repair::UnquotedKey], r#"{"a":1,"@type":"T","$b_2-c":3}"#),
        // Words and numbers
        (r#"{"a":NaN,"b":-Infinity,"c":undefined,"d":1}"#, &[Repair::NotAValue], r#"{"d":1}"#),
        (r#"{"a":True,"b":FALSE,"c":None}"#, &[Repair::WordCase], r#"{"a":true,"b":false,"c":null}"#),
        (r#"{"a":,"b":2,"c":}"#, &[Repair::EmptyValue], r#"{"b":2}"#),
        (r#"{"a":00123,"b":-07}"#, &[Repair::LeadingZero], r#"{"a":"00123","b":"-07"}"#),
        (
            r#"{"a":2024-01-02,"b":.5,"c":+1,"d":5.}"#,
            &[Repair::BareText],
            r#"{"a":"2024-01-02","b":".5","c":"+1","d":"5."}"#,
        ),
        (r#"{"a":19.90,"b":1e999,"c":12345678901234567891}"#, &[], r#"{"a":19.90,"b":1e999,"c":12345678901234567891}"#),
        (r#"{"a":1,"a":2}"#, &[], r#"{"a":1,"a":2}"#),
        // Encoded as a whole
        (r#"{&quot;a&quot;:&quot;x &amp;quot;&quot;}"#, &[Repair::EntityBlock], r#"{"a":"x &quot;"}"#),
        (r#"[{&#34;a&#x22;:1}]"#, &[Repair::EntityBlock], r#"[{"a":1}]"#),
        (r#""{\"a\":\"x\"}""#, &[Repair::DoubleEncoded], r#"{"a":"x"}"#),
        ("\"x\"", &[Repair::NoObject], ""),
        ("12", &[Repair::NoObject], ""),
        // Cut off: complete members are kept, at every level
        (r#"{"a":1,"b":{"c":"d","e":"f"#, &[Repair::Truncated], r#"{"a":1,"b":{"c":"d"}}"#),
        (r#"{"a":[{"b":1},{"c":2},{"d""#, &[Repair::Truncated], r#"{"a":[{"b":1},{"c":2}]}"#),
        (r#"{"a":"x","b":12"#, &[Repair::Truncated], r#"{"a":"x"}"#),
        (r#"{"a":"x","b":{"#, &[Repair::Truncated], r#"{"a":"x"}"#),
        (r#"{"a":"x"#, &[Repair::Truncated], ""),
        // Not understood: what is complete is kept, no quote is guessed
        (r#"{"a":1,"b":"The "Oak" lamp","c":2}"#, &[Repair::Unreadable], r#"{"a":1}"#),
        (r#"{"a":{"b":1},"c":["x "y" z"]}"#, &[Repair::Unreadable], r#"{"a":{"b":1}}"#),
        (r#"{"a":"x","b":1,299.00,"c":2}"#, &[Repair::Unreadable], r#"{"a":"x"}"#),
        (r#"{“a”:”x”}"#, &[Repair::Unreadable], ""),
        ("{<br />\n\"a\":1}", &[Repair::Unreadable], ""),
        ("window.addEventListener('load',function(){\n{\"a\":1}\n});", &[Repair::Unreadable], ""),
        ("var x = {\"a\":1};", &[Repair::Unreadable], ""),
        ("<p>x</p>", &[Repair::Unreadable], ""),
    ];

    #[test]
    fn each_repair() {
        for (block, repairs, want) in TABLE {
            let mut made = Repairs::default();
            let mut got = String::new();
            for value in json::parse(block, &mut made) {
                if !got.is_empty() {
                    got.push('\n');
                }
                got.push_str(&value.to_text());
            }
            assert_eq!(got, *want, "{block}");
            assert_eq!(made.kinds().collect::<Vec<_>>(), *repairs, "{block}");
            assert_eq!(
                json::parse_strict(block).is_some(),
                serde_json::from_str::<serde_json::Value>(block).is_ok(),
                "{block}"
            );
        }
    }

    #[test]
    fn a_diagnostic_names_block_and_place() {
        let mut made = Repairs::default();
        json::parse(r#"{"a":[1,],"b":[2,],}"#, &mut made);
        let mut diagnostics = Diagnostics::default();
        made.report(2, &mut diagnostics);
        let messages: Vec<_> = diagnostics.iter().map(|d| d.message()).collect();
        assert_eq!(messages.len(), 1);
        assert!(messages[0].contains("trailing comma"), "{messages:?}");
        assert!(messages[0].contains("block 2, byte 7, 3 times"), "{messages:?}");
    }
}
