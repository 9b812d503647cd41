//! RDFa pages through the whole path: what an agent is told, and what it is not.

use agenticschema::{Options, Page, page::Outcome};

/// Page, its first tool (empty: none), what the answer says, and what no answer says.
const PAGES: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "<div vocab='https://schema.org/' typeof=Product><span property=name>Desk Lamp</span><div property=offers \
         typeof=Offer><span property=price content=10>ten</span><meta property=priceCurrency content=EUR></div></div>",
        "get_product",
        &[r#""name":"Desk Lamp""#, r#""price":"10""#, r#""priceCurrency":"EUR""#],
        &["ten"],
    ),
    ("<div typeof=Product><span property=name>x</span></div>", "", &[], &[]),
    (
        "<div vocab='https://schema.org/' typeof=Person><span property=name>Ann Example</span>\
         <span vocab='http://xmlns.com/foaf/0.1/' property=name>annie</span></div>",
        "get_person",
        &[r#""name":"Ann Example""#],
        &["annie"],
    ),
    (
        "<div prefix='schema: https://vocab.example.test/'><div typeof='schema:Product'>\
         <span property='schema:name'>x</span></div></div>",
        "",
        &[],
        &[],
    ),
    (
        "<article typeof='sioc:Item foaf:Document schema:Article' about=/node/1>\
         <span property='schema:headline dc:title'>Lamps</span></article>",
        "get_article",
        &[r#""headline":"Lamps""#],
        &[],
    ),
    (
        "<div vocab='http://schema.org' typeof=Product><span property=name>Desk Lamp</span><div rel=offers>\
         <div typeof=Offer><span property=price>10</span></div></div><a rel='nofollow noopener' href=/x>x</a></div>",
        "get_product",
        &[r#""name":"Desk Lamp""#, r#""price":"10""#],
        &["nofollow", "noopener"],
    ),
    (
        "<div typeof=WebPage vocab='https://schema.org/'><span property=name>Page</span><span rel=mentions \
         resource='urn:isbn:0' typeof=Book><meta property=name content='A Book'></span></div>",
        "get_book",
        &[r#""type":"Book""#, r#""name":"A Book""#],
        &[],
    ),
    (
        "<div vocab='https://schema.org/' typeof=Product><span property=name>Desk Lamp</span>\
         <span property=brand resource='https://b.example.test/#b'>our brand</span><a property=url href=/lamp>x</a></div>",
        "get_product",
        &[r#""brand":"https://b.example.test/#b""#, r#""url":"https://shop.example.test/lamp""#],
        &["our brand"],
    ),
    (
        "<div vocab='https://schema.org/'><div typeof=Product resource='#p'><span property=name>Desk Lamp</span></div>\
         <p resource='#p'>SKU <span property=sku>L-1</span></p><p about='#p' property=color>red</p></div>",
        "get_product",
        &[r#""name":"Desk Lamp""#, r#""sku":"L-1""#, r#""color":"red""#],
        &[],
    ),
    (
        "<div vocab='https://schema.org/' typeof=Recipe><span property=name>Soup</span><ol><li \
         property=recipeInstructions inlist>Boil</li><li property=recipeInstructions inlist>Stir</li></ol></div>",
        "get_recipe",
        &[r#""recipeInstructions":["Boil","Stir"]"#],
        &[],
    ),
    (
        "<html prefix='og: http://ogp.me/ns#' vocab='https://schema.org/' typeof=WebPage><head>\
         <meta property='og:title' content='OG title'><meta property='product:price:amount' content=9>\
         <meta property='fb:admins' content=1></head><body><p property=name>Page</p></body></html>",
        "get_web_page",
        &[r#""name":"Page""#],
        &["OG title", "amount", "admins"],
    ),
    ("<div vocab='https://schema.org/' about='#me'><span property=name>Ann</span></div>", "", &[], &[]),
    (
        "<html lang=en><div vocab='https://schema.org/' typeof=Product><span property=name lang=de>Lampe</span>\
         <span property=name lang=en>Lamp</span></div></html>",
        "get_product",
        &[r#""name":"Lamp""#],
        &["Lampe"],
    ),
    (
        "<div vocab='http://schema.org/' typeof=Person resource='#a'><link property='rdfa:copy' href='#p'></div>\
         <div vocab='http://schema.org/' resource='#p' typeof='rdfa:Pattern'><b property=name>Ann</b></div>",
        "get_person",
        &[r#""name":"Ann""#],
        &["Pattern"],
    ),
];

#[test]
fn answers() {
    for (html, tool, seen, unseen) in PAGES {
        let page = Page::from_html(html, "https://shop.example.test/p/1", &Options::default());
        let names: Vec<&str> = page.tools().map(|t| t.name()).collect();
        assert_eq!(names.first().copied().unwrap_or(""), *tool, "{html}");
        let answers: Vec<String> = names
            .iter()
            .map(|name| match page.call(name, "{}") {
                Outcome::Answer(answer) => answer,
                other => panic!("{html}: {other:?}"),
            })
            .collect();
        for text in *seen {
            assert!(answers[0].contains(text), "{html}\n{text}\n{answers:?}");
        }
        for text in *unseen {
            assert!(!answers.iter().any(|a| a.contains(text)), "{html}\n{text}\n{answers:?}");
        }
    }
}
