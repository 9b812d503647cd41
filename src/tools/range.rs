//! What a thing of several variants or offers costs, from lowest to highest: pages put the prices into the variants.

use crate::{json::Json, text};
use alloc::{string::ToString, vec::Vec};
use core::cmp::Ordering;

/// One offer that stands for all of them, in the terms of Schema.org's `AggregateOffer`; `None` where they differ
/// in their currency, or name no price. The availability is said where all agree, and `InStock` where one has it.
pub fn of(offers: &[Json]) -> Option<Json> {
    let said = |name: &str| -> Vec<&Json> { offers.iter().filter_map(|offer| offer.get(name)).collect() };
    let currencies = said("priceCurrency");
    if currencies.iter().any(|currency| *currency != currencies[0]) {
        return None;
    }
    let mut prices: Vec<&Json> = Vec::new();
    for name in ["price", "lowPrice", "highPrice"] {
        prices.extend(said(name).into_iter().filter(|price| digits(price).is_some()));
    }
    let (mut low, mut high) = (*prices.first()?, *prices.first()?);
    for price in prices {
        if compare(price, low) == Ordering::Less {
            low = price;
        }
        if compare(price, high) == Ordering::Greater {
            high = price;
        }
    }
    let mut members = Vec::new();
    let mut put = |name: &str, value: &Json| members.push((name.to_string(), value.clone()));
    if compare(low, high) == Ordering::Equal {
        put("price", low);
    } else {
        put("lowPrice", low);
        put("highPrice", high);
    }
    for name in ["priceCurrency", "availability"] {
        let values = said(name);
        let stocked = values.iter().find(|value| value.as_str() == Some("InStock"));
        if let Some(first) = values.first().filter(|first| values.iter().all(|value| value == *first)).or(stocked) {
            put(name, first);
        }
    }
    put("offerCount", &Json::Number(text::number(offers.len())));
    Some(Json::Object(members))
}

/// The digits of a price before and behind its point; `None` for what is written in another way.
fn digits(price: &Json) -> Option<(&str, &str)> {
    let (Json::Number(number) | Json::Text(number)) = price else { return None };
    let (whole, part) = text::split_once(number, b'.').unwrap_or((number, ""));
    let plain = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let zeros = whole.bytes().take_while(|b| *b == b'0').count();
    (!whole.is_empty() && plain(whole) && plain(part)).then(|| (text::rest(whole, zeros), part))
}

/// Compares prices as numbers, without making numbers of them: no digit is lost, and no code is needed for it.
fn compare(a: &Json, b: &Json) -> Ordering {
    let (a, b) = (digits(a).unwrap_or_default(), digits(b).unwrap_or_default());
    let parts = || {
        let longest = a.1.len().max(b.1.len());
        let at = |s: &str, i: usize| s.as_bytes().get(i).copied().unwrap_or(b'0');
        (0..longest).map(|i| at(a.1, i).cmp(&at(b.1, i))).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    a.0.len().cmp(&b.0.len()).then_with(|| a.0.cmp(b.0)).then_with(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_compared_as_numbers() {
        let text = |s: &str| Json::Text(s.to_string());
        for (a, b, order) in [
            ("9", "10", Ordering::Less),
            ("129.00", "129", Ordering::Equal),
            ("0129.5", "129.45", Ordering::Greater),
            ("0.9", "1", Ordering::Less),
            ("149.00", "149.01", Ordering::Less),
        ] {
            assert_eq!(compare(&text(a), &text(b)), order, "{a} {b}");
            assert_eq!(compare(&text(b), &text(a)), order.reverse(), "{b} {a}");
        }
        for odd in ["", "12,50", "from 5", ".5", "1e9", "-3"] {
            assert!(digits(&text(odd)).is_none(), "{odd}");
        }
    }
}
