//! Words on a terminal: colours where they are wanted, and nothing of a page's text that a terminal would obey.

use std::io::IsTerminal;

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For standard output: colours if it is a terminal and `NO_COLOR` (<https://no-color.org>) is not set.
    pub fn stdout() -> Paint {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        Paint { on: std::io::stdout().is_terminal() && !refused && !dumb }
    }

    /// No colours.
    #[cfg(test)]
    pub fn none() -> Paint {
        Paint { on: false }
    }

    fn with(self, code: &str, words: &str) -> String {
        if self.on { format!("\x1b[{code}m{words}\x1b[0m") } else { words.to_string() }
    }

    /// For names.
    pub fn strong(self, words: &str) -> String {
        self.with("1", words)
    }

    /// For what may be skipped.
    pub fn faint(self, words: &str) -> String {
        self.with("2", words)
    }

    /// For keys.
    pub fn key(self, words: &str) -> String {
        self.with("36", words)
    }

    /// For warnings.
    pub fn warning(self, words: &str) -> String {
        self.with("33", words)
    }

    /// For errors.
    pub fn error(self, words: &str) -> String {
        self.with("31", words)
    }
}

/// One line without control characters and without those that turn the direction of text.
pub fn plain(words: &str) -> String {
    let unseen =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    words
        .chars()
        .filter(|c| !unseen(*c))
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys() {
        assert_eq!(plain("a\x1b[31mb\nc\u{9b}2Jd\u{202e}e\u{7}"), "a [31mb c 2Jde ");
        assert_eq!(Paint::none().strong("x"), "x");
        assert_eq!(Paint { on: true }.strong("x"), "\x1b[1mx\x1b[0m");
    }
}
