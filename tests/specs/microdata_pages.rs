//! Microdata pages through the whole path: what an agent is told.

use agenticschema::{Options, Page, page::Outcome};

/// Page, tool, answer.
const PAGES: &[(&str, &str, &str)] = &[
    (
        "<p id=x><span itemprop=color>red</span></p><div itemscope itemtype=https://schema.org/Product itemref=x>\
         <span itemprop=name>Desk Lamp</span><span itemprop=color>blue</span></div>",
        "get_product",
        r#"{"type":"Product","name":"Desk Lamp","color":["red","blue"]}"#,
    ),
    (
        "<div id=a itemscope itemtype=https://schema.org/Person itemref='a b'><span itemprop=name>Ann</span></div>\
         <div id=b itemprop=knows itemscope itemtype=https://schema.org/Person itemref='a b'><span itemprop=name>Bob\
         </span></div>",
        "get_person",
        r#"{"type":"Person","name":"Ann","knows":"Bob"}"#,
    ),
    (
        "<div itemprop=mainEntity itemscope itemtype=https://schema.org/Product><b itemprop=name>Desk Lamp</b></div>",
        "get_product",
        r#"{"type":"Product","name":"Desk Lamp"}"#,
    ),
    (
        "<div itemscope itemtype=https://schema.org/Offer><span itemprop=priceCurrency content=EUR>€</span>\
         <span itemprop=price content=1299.00>1.299,00</span>\
         <link itemprop=availability href=https://schema.org/InStock></div>",
        "get_offer",
        r#"{"type":"Offer","price":"1299.00","priceCurrency":"EUR","availability":"InStock"}"#,
    ),
    (
        "<div itemscope itemtype=https://schema.org/Product><span itemprop=name>Desk Lamp</span>\
         <a itemprop=url href=/p/1?x=1>x</a><img itemprop=image src=img/a.jpg></div>",
        "get_product",
        r#"{"type":"Product","name":"Desk Lamp","url":"https://shop.example.test/p/1?x=1","image":"https://shop.example.test/p/img/a.jpg"}"#,
    ),
    (
        "<div itemscope itemtype=https://schema.org/Product itemid=#p><b itemprop=name>Desk Lamp</b></div><div itemscope \
         itemtype=https://schema.org/Product itemid=https://shop.example.test/p/1#p><b itemprop=sku>L-1</b></div>",
        "get_product",
        r#"{"type":"Product","name":"Desk Lamp","sku":"L-1"}"#,
    ),
    (
        "<div itemscope><span itemprop=name>x</span></div><div itemscope itemtype=''><b itemprop=price>3</b></div>\
         <div itemscope itemtype=https://schema.org/Product><b itemprop=name>Desk Lamp</b></div>",
        "get_product",
        r#"{"type":"Product","name":"Desk Lamp"}"#,
    ),
    (
        "<div itemscope itemtype=https://schema.org/Product><b itemprop=name>Desk Lamp</b>\
         <b itemprop=https://vocab.example.test/ns#name>internal</b><div itemprop=description>Oak.<style>.x{}</style>\
         <script>var t=1;</script></div></div>",
        "get_product",
        r#"{"type":"Product","name":"Desk Lamp","description":"Oak."}"#,
    ),
];

#[test]
fn answers() {
    for (html, tool, want) in PAGES {
        let page = Page::from_html(html, "https://shop.example.test/p/1", &Options::default());
        let names: Vec<&str> = page.tools().map(|t| t.name()).collect();
        assert_eq!(names, [*tool], "{html}");
        assert_eq!(page.call(tool, "{}"), Outcome::Answer(want.to_string()), "{html}");
    }
}

#[test]
fn a_search_form_becomes_a_search_tool() {
    let html = "<div itemscope itemtype=https://schema.org/WebSite><link itemprop=url href=/><form \
                itemprop=potentialAction itemscope itemtype=https://schema.org/SearchAction><meta itemprop=target \
                content='https://shop.example.test/search?q={query}'><input itemprop=query-input type=text name=query \
                required></form></div>";
    let page = Page::from_html(html, "https://shop.example.test/", &Options::default());
    let tool = page.tools().find(|t| t.name().starts_with("search")).expect("a search tool");
    let Outcome::Plan(plan) = page.call(tool.name(), r#"{"query":"oak"}"#) else { panic!("no plan") };
    assert!(plan.contains(r#""url":"https://shop.example.test/search?q=oak""#), "{plan}");
    let Outcome::Answer(error) = page.call(tool.name(), "{}") else { panic!("the query is required") };
    assert!(error.contains("query"), "{error}");
}
