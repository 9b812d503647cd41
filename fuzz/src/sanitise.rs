//! Page text → plain text.

use agenticschema::{guard::data, text};

/// Whatever the text, cleaning it leaves nothing to clean and nothing that cannot be seen; addresses likewise.
pub fn check(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    let plain = data::plain(&source);
    assert_eq!(data::plain(&plain), plain, "{source:?}");
    assert_seen(&plain);
    if let Some(value) = data::value(&source) {
        assert_seen(&value);
        assert_eq!(data::value(&value).as_deref(), Some(&*value), "{source:?}");
    }
    if let Some(address) = data::address(&source) {
        assert_seen(&address);
        let scheme = address.split([':', '/', '?', '#']).next().unwrap_or("").to_ascii_lowercase();
        assert!(
            !address.contains(':') || !["javascript", "data", "vbscript", "file"].contains(&scheme.as_str()),
            "{address:?}"
        );
    }
}

fn assert_seen(text: &str) {
    let unseen = text.chars().find(|&c| c != '\n' && (text::is_invisible(c) || c.is_control()));
    assert_eq!(unseen, None, "{text:?}");
}
