//! Every rule of the JSON-LD reader, one row each: a page, its diagnostics, and the graph that it becomes.

use crate::microdata_rules::show;
use agenticschema::{
    Code, Level,
    diagnostic::Diagnostics,
    dom::html,
    extract::{jsonld, microdata, rdfa},
    graph::{Builder, Graph},
    limits,
};
use std::time::{Duration, Instant};

const URL: &str = "https://shop.example.test/p/1";

fn read(page: &str) -> (Graph, Diagnostics) {
    let (mut graph, mut diagnostics) = (Builder::new(URL), Diagnostics::default());
    jsonld::read(&html::snapshot(page, URL), &mut graph, &mut diagnostics);
    (graph.finish(&mut diagnostics), diagnostics)
}

/// A block as a page; a page as it is.
fn page(source: &str) -> String {
    let is_page = source.starts_with("<script") || source.starts_with("<!-- <script");
    if is_page { source.into() } else { format!("<script type=application/ld+json>{source}</script>") }
}

/// Rule, page or block, the codes of its diagnostics, and its graph (one line per entity, see [`show`]).
#[rustfmt::skip]
const RULES: &[(&str, &str, &[Code], &[&str])] = &[
    // Contexts
    (
        "Schema.org's context in its spellings",
        r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Thing","name":"0"}</script><script type="application/ld+json">{"@context":"http://schema.org/","@type":"Thing","name":"1"}</script><script type="application/ld+json">{"@context":"HTTP://www.Schema.org","@type":"Thing","name":"2"}</script><script type="application/ld+json">{"@context":"schema.org","@type":"Thing","name":"3"}</script><script type="application/ld+json">{"@context":"//schema.org/","@type":"Thing","name":"4"}</script><script type="application/ld+json">{"@context":"https://schema.org/docs/jsonldcontext.json","@type":"Thing","name":"5"}</script>"#,
        &[],
        &[r#"0 Thing name="0""#, r#"1 Thing name="1""#, r#"2 Thing name="2""#, r#"3 Thing name="3""#, r#"4 Thing name="4""#, r#"5 Thing name="5""#],
    ),
    (
        "aliases of Schema.org's own context",
        r##"{"@context":"https://schema.org","type":"Thing","id":"#a","name":"A"}"##,
        &[],
        &[r#"0 Thing <https://shop.example.test/p/1#a> name="A""#],
    ),
    (
        "@vocab",
        r#"[{"@context":{"@vocab":"http://schema.org"},"@type":"Thing","name":"A"},{"@context":{"@vocab":"http://www.schema.org/"},"@type":"Thing","name":"B"}]"#,
        &[],
        &[r#"0 Thing name="A""#, r#"1 Thing name="B""#],
    ),
    (
        "prefixes",
        r#"{"@context":{"s":"http://schema.org/","t":"http://schema.org"},"@type":"s:Thing","s:name":"A","t:url":"u","name":"dropped"}"#,
        &[],
        &[r#"0 Thing name="A" url=<https://shop.example.test/p/u>"#],
    ),
    (
        "an address is written as browsers write it, under whatever term it stands",
        r#"{"@context":["https://schema.org",{"photo":{"@type":"@id"}}],"@type":"Thing","photo":"https:/x.test/{a b","image":{"@id":"https:/x.test/{a b"}}"#,
        &[],
        &[r#"0 Thing photo=<https://x.test/%7Ba%20b> image=<https://x.test/%7Ba%20b>"#],
    ),
    (
        "the schema prefix of Schema.org's context",
        r#"{"@context":"https://schema.org","@type":"schema:Thing","schema:name":"A"}"#,
        &[],
        &[r#"0 Thing name="A""#],
    ),
    (
        "full addresses as keys",
        r#"[{"@type":["https://schema.org/Thing"],"http://schema.org/name":[{"@value":"A"}]}]"#,
        &[],
        &[r#"0 Thing name="A""#],
    ),
    (
        "a type without scheme",
        r#"{"@context":"https://schema.org","@type":"schema.org/Thing","name":"A"}"#,
        &[],
        &[r#"0 Thing name="A""#],
    ),
    (
        "no context is read as Schema.org's",
        r#"{"@type":"Thing","name":"A"}"#,
        &[Code::UnknownContext],
        &[r#"0 Thing name="A""#],
    ),
    (
        "an empty context string is none",
        r#"{"@context":"","@type":"Thing","name":"A"}"#,
        &[Code::UnknownContext],
        &[r#"0 Thing name="A""#],
    ),
    (
        "a context that is none of Schema.org's",
        r#"{"@context":"https://vocab.example.test/","@type":"Thing","name":"A"}"#,
        &[Code::UnknownContext, Code::UnknownContext],
        &[],
    ),
    (
        "another vocabulary",
        r#"{"@context":{"@vocab":"https://vocab.example.test/ns#"},"@type":"Thing","name":"A"}"#,
        &[Code::UnknownContext, Code::UnknownContext],
        &[],
    ),
    (
        "another context beside Schema.org's",
        r#"{"@context":["https://schema.org","https://vocab.example.test/"],"@type":"Thing","name":"A"}"#,
        &[Code::UnknownContext],
        &[r#"0 Thing name="A""#],
    ),
    (
        "a foreign property of the same name",
        r#"{"@context":["https://schema.org",{"foaf":"http://xmlns.com/foaf/0.1/"}],"@type":"Person","name":"Ann","foaf:name":"annie","og:description":"x"}"#,
        &[],
        &[r#"0 Person name="Ann""#],
    ),
    (
        "a context of null",
        r#"{"@context":"https://schema.org","@type":"Thing","name":"A","about":{"@context":null,"@type":"https://schema.org/Thing","name":"dropped","https://schema.org/name":"B"}}"#,
        &[],
        &[r#"0 Thing name="A" about=#1"#, r#"1 Thing name="B""#],
    ),
    (
        "a term mapped to null",
        r#"{"@context":["https://schema.org",{"sku":null}],"@type":"Product","name":"A","sku":"x"}"#,
        &[],
        &[r#"0 Product name="A""#],
    ),
    (
        "keyword aliases and terms",
        r##"{"@context":{"@vocab":"https://schema.org/","a":"@type","uri":"@id","label":"https://schema.org/name","cost":"offers"},"a":"Product","uri":"#p","label":"A","cost":{"a":"Offer","price":"10"}}"##,
        &[],
        &[r#"0 Product <https://shop.example.test/p/1#p> name="A" offers=#1"#, r#"1 Offer price="10""#],
    ),
    (
        "terms that build on terms",
        r#"{"@context":{"c":"a:name","a":"b","b":"http://schema.org/"},"@type":"a:Thing","c":"A","b:url":"B"}"#,
        &[],
        &[r#"0 Thing name="A" url=<https://shop.example.test/p/B>"#],
    ),
    (
        "terms in a circle mean nothing",
        r#"{"@context":["https://schema.org",{"a":"b:x","b":"a:x"}],"@type":"Thing","name":"A","a":"B"}"#,
        &[],
        &[r#"0 Thing name="A""#],
    ),
    (
        "@base",
        r#"[{"@context":{"@vocab":"https://schema.org/","@base":"https://id.example.test/"},"@type":"Product","@id":"lamp","name":"A"},{"@context":"https://schema.org","@id":"https://id.example.test/lamp","sku":"1"}]"#,
        &[],
        &[r#"0 Product <https://id.example.test/lamp> name="A" sku="1""#],
    ),
    (
        "@type coercion",
        r#"{"@context":["https://schema.org",{"image":{"@id":"schema:image","@type":"@id"},"availability":{"@type":"@vocab"},"startDate":{"@type":"Date"}}],"@type":"Offer","image":"/a.jpg","availability":"InStock","startDate":"2027-05-01","url":"/a"}"#,
        &[],
        &[r#"0 Offer image=<https://shop.example.test/a.jpg> availability=<https://schema.org/InStock> startDate="2027-05-01" url=<https://shop.example.test/a>"#],
    ),
    (
        "@language",
        r#"{"@context":["https://schema.org",{"@language":"de","sku":{"@language":null},"alternateName":{"@language":"fr"}}],"@type":"Thing","name":"Lampe","sku":"u","alternateName":"Lampe de bureau","description":{"@value":"Lamp","@language":"en"}}"#,
        &[],
        &[r#"0 Thing name="Lampe"@de sku="u" alternateName="Lampe de bureau"@fr description="Lamp"@en"#],
    ),
    (
        "language maps",
        r#"{"@context":["https://schema.org",{"name":{"@container":"@language"}}],"@type":"Thing","name":{"de":"Lampe","en":["Lamp","Light"],"@none":"X","fr":null}}"#,
        &[],
        &[r#"0 Thing name="Lampe"@de|"Lamp"@en|"Light"@en|"X""#],
    ),
    (
        "index maps",
        r#"{"@context":["https://schema.org",{"review":{"@container":"@index"}}],"@type":"Product","review":{"a":{"@type":"Review","name":"A"},"b":[{"@type":"Review","name":"B"}]}}"#,
        &[],
        &["0 Product review=#1|#2", r#"1 Review name="A""#, r#"2 Review name="B""#],
    ),
    (
        "property-valued index maps",
        r#"{"@context":["https://schema.org",{"review":{"@container":"@index","@index":"position"}}],"@type":"Product","review":{"1":{"@type":"Review","name":"A"}}}"#,
        &[],
        &["0 Product review=#1", r#"1 Review name="A" position="1""#],
    ),
    (
        "id maps and type maps",
        r##"{"@context":["https://schema.org",{"review":{"@container":"@id"},"about":{"@container":"@type"}}],"@type":"Product","review":{"#r1":{"name":"A"},"@none":{"name":"B"}},"about":{"Person":{"name":"C"}}}"##,
        &[],
        &["0 Product review=#1|#2 about=#3", r#"1  <https://shop.example.test/p/1#r1> name="A""#, r#"2  name="B""#, r#"3 Person name="C""#],
    ),
    (
        "graph containers",
        r#"{"@context":["https://schema.org",{"subjectOf":{"@container":"@graph"}}],"@type":"Thing","name":"A","subjectOf":{"@type":"Article","name":"B"}}"#,
        &[],
        &[r#"0 Thing name="A" subjectOf=#1"#, r#"2 Article name="B""#],
    ),
    (
        "list and set containers",
        r#"{"@context":["https://schema.org",{"step":{"@container":"@list"},"tool":{"@container":"@set"}}],"@type":"HowTo","step":["a","b"],"tool":["x"]}"#,
        &[],
        &[r#"0 HowTo step="a"|"b" tool="x""#],
    ),
    (
        "reverse terms",
        r#"{"@context":["https://schema.org",{"reviews":{"@reverse":"https://schema.org/about"}}],"@type":"Product","name":"A","reviews":[{"@type":"Review","name":"B"},{"@type":"Review","name":"C"}]}"#,
        &[],
        &[r#"0 Product name="A""#, r#"1 Review name="B" about=#0"#, r#"2 Review name="C" about=#0"#],
    ),
    (
        "property-scoped contexts",
        r#"{"@context":["https://schema.org",{"about":{"@context":{"title":"schema:name"}}}],"@type":"Thing","title":"dropped by Schema.org","about":{"@type":"Thing","title":"A","about":{"title":"B"}}}"#,
        &[],
        &[r#"0 Thing title="dropped by Schema.org" about=#1"#, r#"1 Thing name="A" about=#2"#, r#"2  name="B""#],
    ),
    (
        "type-scoped contexts hold for their node only",
        r#"{"@context":["https://schema.org",{"Book":{"@id":"schema:Book","@context":{"title":"schema:name"}}}],"@type":"Book","title":"A","about":{"title":"kept apart"}}"#,
        &[],
        &[r#"0 Book name="A" about=#1"#, r#"1  title="kept apart""#],
    ),
    (
        "contexts nest",
        r#"{"@context":"https://schema.org","@type":"Thing","name":"A","about":{"@context":{"label":"https://schema.org/name"},"@type":"Thing","label":"B"},"label":"not a name"}"#,
        &[],
        &[r#"0 Thing name="A" about=#1 label="not a name""#, r#"1 Thing name="B""#],
    ),
    (
        "@nest",
        r##"{"@context":["https://schema.org",{"data":"@nest"}],"@type":"Thing","data":{"@id":"#a","name":"A","data":[{"url":"u"}]}}"##,
        &[],
        &[r#"0 Thing <https://shop.example.test/p/1#a> name="A" url=<https://shop.example.test/p/u>"#],
    ),
    (
        "contexts in a row: the last one wins",
        r#"{"@context":["https://schema.org",{"a":"schema:name","b":"schema:url"},{"b":"schema:sku"},{"c":"schema:color","d":"schema:gtin"},{"d":null}],"@type":"Product","a":"A","b":"B","c":"C","d":"D"}"#,
        &[],
        &[r#"0 Product name="A" sku="B" color="C""#],
    ),
    (
        "a context that is not propagated",
        r#"{"@context":["https://schema.org",{"about":{"@context":{"@propagate":false,"title":"schema:name"}}}],"@type":"Thing","about":{"title":"A","mainEntity":{"title":"no name"}}}"#,
        &[],
        &["0 Thing about=#1", r#"1  name="A" mainEntity=#2"#, r#"2  title="no name""#],
    ),
    // Nodes and values
    (
        "arrays and null at the root",
        r#"[null,[{"@context":"https://schema.org","@type":"Thing","name":"A"}],{"@context":"https://schema.org","@type":"Thing","name":"B"},"x",1]"#,
        &[],
        &[r#"0 Thing name="A""#, r#"1 Thing name="B""#],
    ),
    (
        "@graph at any level",
        r#"{"@context":"https://schema.org","@graph":[{"@graph":[{"@type":"Thing","name":"A"}]},{"@type":"Thing","name":"B"}]}"#,
        &[],
        &[r#"0 Thing name="A""#, r#"1 Thing name="B""#],
    ),
    (
        "@graph beside properties",
        r##"{"@context":"https://schema.org","@id":"#page","@type":"Article","headline":"A","@graph":[{"@type":"Product","name":"B"}]}"##,
        &[],
        &[r#"0 Article <https://shop.example.test/p/1#page> headline="A""#, r#"1 Product name="B""#],
    ),
    (
        "@included",
        r#"{"@context":"https://schema.org","@type":"WebPage","name":"A","@included":[{"@type":"Product","name":"B"}]}"#,
        &[],
        &[r#"0 WebPage name="A""#, r#"1 Product name="B""#],
    ),
    (
        "@set and @list",
        r#"{"@context":"https://schema.org","@type":"Product","name":{"@set":["A"]},"color":{"@list":["red",["blue"]]}}"#,
        &[],
        &[r#"0 Product name="A" color="red"|"blue""#],
    ),
    (
        "spaces around terms",
        r#"{"@context":"https://schema.org","@type":"Product "," name":"A"}"#,
        &[],
        &[r#"0 Product name="A""#],
    ),
    (
        "@reverse",
        r##"{"@context":"https://schema.org","@type":"Product","@id":"#p","@reverse":{"itemOffered":[{"@type":"Demand","price":"10"},{"@id":"#o"}]}}"##,
        &[],
        &["0 Product <https://shop.example.test/p/1#p>", r#"1 Demand price="10" itemOffered=#0"#, "2  <https://shop.example.test/p/1#o> itemOffered=#0"],
    ),
    (
        "typed values",
        r#"{"@context":"https://schema.org","@type":"Event","startDate":{"@value":"2027-05-01","@type":"Date"},"price":{"@value":1.50},"isAccessibleForFree":{"@value":true},"name":{"@value":null},"x":{"@type":"@json","@value":{"a":[1]}}}"#,
        &[],
        &[r#"0 Event startDate="2027-05-01" price=1.50 isAccessibleForFree=true x="{\"a\":[1]}""#],
    ),
    (
        "numbers and booleans as written",
        r#"{"@context":"https://schema.org","@type":"Offer","price":19.90,"sku":12345678901234567891,"gtin":1e999,"value":-0.5e-3,"isFamilyFriendly":false}"#,
        &[],
        &[r#"0 Offer price=19.90 sku=12345678901234567891 gtin="1e999" value=-0.5e-3 isFamilyFriendly=false"#],
    ),
    (
        "mixed languages",
        r#"{"@context":"https://schema.org","@type":"Thing","name":["X",{"@value":"灯","@language":"zh"},{"@value":"Y","@language":"not a tag"}]}"#,
        &[],
        &[r#"0 Thing name="X"|"灯"@zh|"Y""#],
    ),
    (
        "duplicate keys keep all values",
        r#"{"@context":"https://schema.org","@type":"Product","@type":"Thing","name":"A","name":"B","sku":["1"],"sku":["2"]}"#,
        &[],
        &[r#"0 Product+Thing name="A"|"B" sku="1"|"2""#],
    ),
    (
        "names of JavaScript's objects are data",
        r#"{"@context":"https://schema.org","@type":"Thing","name":"A","__proto__":{"name":"B"},"constructor":"C","toString":"D","hasOwnProperty":1}"#,
        &[],
        &[r#"0 Thing name="A" __proto__=#1 constructor="C" toString="D" hasOwnProperty=1"#, r#"1  name="B""#],
    ),
    (
        "several types",
        r#"{"@context":"https://schema.org","@type":["NewsArticle",null,"Recipe",{"a":1}],"name":"A"}"#,
        &[],
        &[r#"0 NewsArticle+Recipe name="A""#],
    ),
    (
        "a relative url is resolved, other addresses stay text, references become links",
        r##"{"@context":"https://schema.org","@type":"Thing","image":"/a.jpg","url":{"@id":"/a"},"about":{"@id":"#b"},"sameAs":["https://a.example.test/"]}"##,
        &[],
        &[r#"0 Thing image="/a.jpg" url=<https://shop.example.test/a> about=<https://shop.example.test/p/1#b> sameAs="https://a.example.test/""#],
    ),
    (
        "entities in text, once",
        r#"{"@context":"https://schema.org","@type":"Thing","name":"The &quot;Oak&quot; &amp; &#8211; &#x26;amp; &amp;#038; &copy=1 AT&T"}"#,
        &[],
        &[r#"0 Thing name="The \"Oak\" & – &amp; &#038; &copy=1 AT&T""#],
    ),
    (
        "an object inside a value object's place",
        r#"{"@context":"https://schema.org","@type":"Thing","name":{"@value":{"a":1}},"about":{},"url":[[],[["u"]]]}"#,
        &[],
        &[r#"0 Thing about=#1 url=<https://shop.example.test/p/u>"#],
    ),
    // Identifiers
    (
        "one id in several blocks",
        r##"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","@id":"#p","name":"A","offers":{"@id":"#o"}}</script><script type="application/ld+json">{"@context":"https://schema.org","@id":"#o","@type":"Offer","price":"10"}</script>"##,
        &[],
        &[r#"0 Product <https://shop.example.test/p/1#p> name="A" offers=#1"#, r#"1 Offer <https://shop.example.test/p/1#o> price="10""#],
    ),
    (
        "blank nodes of one block",
        r#"{"@context":"https://schema.org","@graph":[{"@type":"Product","offers":{"@id":"_:o"}},{"@id":"_:o","@type":"Offer","price":"10"}]}"#,
        &[],
        &["0 Product offers=#1", r#"1 Offer price="10""#],
    ),
    (
        "blank nodes of two blocks are two",
        r#"<script type="application/ld+json">{"@context":"https://schema.org","@id":"_:b0","@type":"Product","name":"A"}</script><script type="application/ld+json">{"@context":"https://schema.org","@id":"_:b0","@type":"Product","name":"B"}</script>"#,
        &[],
        &[r#"0 Product name="A""#, r#"1 Product name="B""#],
    ),
    (
        "placeholders are no ids",
        r#"{"@context":"https://schema.org","@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"item":{"@id":"undefined","name":"Home"}},{"@type":"ListItem","position":2,"item":{"@id":"undefined","name":"Lamps"}},{"@type":"ListItem","item":{"@id":"[object Object]"}}]}"#,
        &[Code::PlaceholderId],
        &["0 BreadcrumbList itemListElement=#1|#3|#5", "1 ListItem position=1 item=#2", r#"2  name="Home""#, "3 ListItem position=2 item=#4", r#"4  name="Lamps""#, "5 ListItem"],
    ),
    (
        "an empty id of one node is the page",
        r#"{"@context":"https://schema.org","@type":"WebPage","@id":"","name":"A"}"#,
        &[],
        &[r#"0 WebPage <https://shop.example.test/p/1> name="A""#],
    ),
    (
        "an empty id of several nodes is a placeholder",
        r#"[{"@context":"https://schema.org","@type":"Thing","@id":"","name":"A"},{"@context":"https://schema.org","@type":"Thing","@id":"","name":"B"}]"#,
        &[Code::PlaceholderId],
        &[r#"0 Thing name="A""#, r#"1 Thing name="B""#],
    ),
    (
        "an id that is no string",
        r#"{"@context":"https://schema.org","@type":"Thing","@id":7,"name":"A"}"#,
        &[],
        &[r#"0 Thing name="A""#],
    ),
    (
        "an id with a space",
        r#"[{"@context":"https://schema.org","@type":"Thing","@id":"https://a.example.test/a b","name":"A"},{"@context":"https://schema.org","@id":"https://a.example.test/a b","url":"u"}]"#,
        &[],
        &[r#"0 Thing <https://a.example.test/a%20b> name="A" url=<https://shop.example.test/p/u>"#],
    ),
    // Blocks
    (
        "the type attribute",
        r#"<script type="application/ld+json;profile=&quot;x&quot;">{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}</script><script type=" APPLICATION/LD&#x2B;JSON ">{"@context":"https://schema.org","@type":"Event","name":"Fair"}</script><script type="application/json">{"@type":"Person"}</script><script type="application/ld+jsonx">{"@type":"Person"}</script><script type="text/plain" data-type="application/ld+json">{"@type":"Person"}</script>"#,
        &[],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#, r#"1 Event name="Fair""#],
    ),
    (
        "blocks that are no part of the page",
        r#"<!-- <script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}</script> --><template><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}</script></template><textarea><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}</script></textarea>"#,
        &[],
        &[],
    ),
    (
        "an empty block",
        "<script type=\"application/ld+json\">\n \n</script><script type=\"application/ld+json\">[]</script><script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Desk Lamp\",\"sku\":\"L-1\"}</script>",
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "curly quotes cost only their block",
        r#"<script type="application/ld+json">{“@type”:”Product”,“name”:”Lamp”}</script><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}</script>"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "br tags cost only their block",
        "<script type=\"application/ld+json\">{<br />\n\"@context\":\"https://schema.org\",<br />\n\"@type\":\"Product\",\"name\":\"Lamp\"}</script><script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Desk Lamp\",\"sku\":\"L-1\"}</script>",
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "a script around the block cost only their block",
        "<script type=\"application/ld+json\">window.addEventListener('DOMContentLoaded', function() {\n{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Lamp\"}\n});</script><script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Desk Lamp\",\"sku\":\"L-1\"}</script>",
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "a quote that is not escaped cost only their block",
        r#"<script type="application/ld+json">{"@context":"https://schema.org","name":"The "Oak" lamp","@type":"Product"}</script><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}</script>"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "a block cut off",
        r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp","offers":{"@type":"Offer","price":"10","url":"https://sh</script><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}</script>"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Lamp" offers=#1"#, r#"1 Offer price="10""#, r#"2 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "several roots",
        r#"{"@context":"https://schema.org","@type":"Thing","name":"A"}{"@context":"https://schema.org","@type":"Thing","name":"B"}"#,
        &[Code::JsonParseError],
        &[r#"0 Thing name="A""#, r#"1 Thing name="B""#],
    ),
    (
        "a block encoded twice",
        r#""{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Desk Lamp\"}""#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp""#],
    ),
    (
        "a block with entities for quotes",
        "{&quot;@context&quot;:&quot;https://schema.org&quot;,&quot;@type&quot;:&quot;Product&quot;,&quot;name&quot;:&quot;Desk Lamp&quot;}",
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp""#],
    ),
    // Damage
    (
        "Trailing comma before } or ]",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","image":["/a.jpg",],"sku":"L-1",}"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" image="/a.jpg" sku="L-1""#],
    ),
    (
        "Raw line break and tab inside a string value",
        "{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Desk Lamp\",\"description\":\"First line\nSecond\tline\"}",
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" description="First line\nSecond\tline""#],
    ),
    (
        "JavaScript /* */ comment inside the block",
        r#"/* seo */{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp" /* end */}"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp""#],
    ),
    (
        "Block wrapped in <!-- -->",
        "<!--\n{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Desk Lamp\",\"sku\":\"L-1\"}\n-->",
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "CDATA wrapper in /* */ comments",
        r#"/*<![CDATA[*/{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}/*]]>*/"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "One closing brace too many at the end",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}}"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "U+FEFF at the start of the block",
        "\u{feff}{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Desk Lamp\",\"sku\":\"L-1\"}",
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "No-break space used as whitespace between tokens",
        "{\u{a0}\"@context\":\"https://schema.org\",\u{a0}\"@type\":\"Product\",\"name\":\"Desk Lamp\"}",
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp""#],
    ),
    (
        r"JavaScript \xNN escape in a string (template engine output)",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","description":"Oak \x26 steel"}"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" description="Oak & steel""#],
    ),
    (
        "Missing value after a colon (empty template variable)",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","gtin13":,"sku":"L-1"}"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#],
    ),
    (
        "Number with a leading zero",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":00123}"#,
        &[Code::JsonParseError],
        &[r#"0 Product name="Desk Lamp" sku="00123""#],
    ),
    (
        "Valid JSON with &quot; and &amp; inside a value must not be decoded before parsing",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","description":"The &quot;Oak&quot; model &amp; stand"}"#,
        &[],
        &[r#"0 Product name="Desk Lamp" description="The \"Oak\" model & stand""#],
    ),
    (
        "Twice-encoded entity (&amp;#038;) in a name",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Lamp stop &amp;#038; start"}"#,
        &[],
        &[r#"0 Product name="Lamp stop &#038; start""#],
    ),
    (
        "Integer beyond 2^53 (gtin, order number) keeps its digits",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":12345678901234567891}"#,
        &[],
        &[r#"0 Product name="Desk Lamp" sku=12345678901234567891"#],
    ),
    (
        "Number literal too large for a double",
        r#"{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":1e999}"#,
        &[],
        &[r#"0 Product name="Desk Lamp" sku="1e999""#],
    ),
    (
        "Top-level array of nodes, some null or nested arrays",
        r#"[null,[{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","sku":"L-1"}],{"@context":"https://schema.org","@type":"Event","name":"Fair"}]"#,
        &[],
        &[r#"0 Product name="Desk Lamp" sku="L-1""#, r#"1 Event name="Fair""#],
    ),
];

#[test]
fn rules() {
    for (rule, source, codes, want) in RULES {
        let (graph, diagnostics) = read(&page(source));
        let got: Vec<Code> = diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(
            (show(&graph), &got[..]),
            (want.iter().map(|s| s.to_string()).collect(), *codes),
            "{rule}: {source}"
        );
    }
}

/// One thing published in three syntaxes is one entity: by its IRI, however it is written.
#[test]
fn one_entity_in_three_syntaxes() {
    let page = r##"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",
         "@id":"https://shop.example.test/p/1#p","name":"Desk Lamp"}</script>
       <div itemscope itemtype="https://schema.org/Product" itemid="/p/1#p"><span itemprop="sku">L-1</span></div>
       <div vocab="https://schema.org/" typeof="Product" resource="#p"><span property="color">red</span></div>"##;
    let (mut graph, mut diagnostics) = (Builder::new(URL), Diagnostics::default());
    let snapshot = html::snapshot(page, URL);
    jsonld::read(&snapshot, &mut graph, &mut diagnostics);
    microdata::read(&snapshot, &mut graph, &mut diagnostics);
    rdfa::read(&snapshot, &mut graph, &mut diagnostics);
    let want = r#"0 Product <https://shop.example.test/p/1#p> name="Desk Lamp" sku="L-1" color="red""#;
    assert_eq!(show(&graph.finish(&mut diagnostics)), [want]);
}

#[test]
fn diagnostics_name_the_block() {
    let good = r#"<script type=application/ld+json>{"@context":"https://schema.org","@type":"Thing"}</script>"#;
    let (_, diagnostics) = read(&format!("{good}<script type=application/ld+json>{{\"@type\":\"Thing\",}}</script>"));
    let messages: Vec<_> = diagnostics.iter().map(|d| d.message()).collect();
    assert!(messages[0].contains("trailing comma") && messages[0].contains("block 2, byte 16"), "{messages:?}");
    assert!(messages[1].contains("no @context") && messages[1].contains("block 2"), "{messages:?}");
    let (_, diagnostics) = read("<script type=application/ld+json> \n</script>");
    assert!(diagnostics.iter().all(|d| d.level == Level::Info));
}

/// Pages that make a careless reader recurse, copy or search without end: name, block, entities kept, whether a bound
/// is reported. The time for all of them is generous: a step that is not linear takes minutes.
#[test]
fn size_is_bounded() {
    let node = r#"{"@context":"https://schema.org","@type":"Product","name":"A","isRelatedTo":"#;
    let scoped = |terms: usize| {
        let terms: Vec<String> = (0..terms).map(|i| format!("\"t{i}\":\"https://v.example.test/{i}\"")).collect();
        format!("{{{}}}", terms.join(","))
    };
    let nodes = |n: usize, node: &str| (0..n).map(|i| node.replace('$', &i.to_string())).collect::<Vec<_>>().join(",");
    let long = "x".repeat(1_000_000);
    let rows: Vec<(&str, String, usize, bool)> = vec![
        ("200 nodes deep", format!("{}1{}", node.repeat(200), "}".repeat(200)), limits::DEPTH, true),
        ("20,000 nodes deep", format!("{}1{}", node.repeat(20_000), "}".repeat(20_000)), limits::DEPTH, true),
        (
            "100,000 arrays deep",
            format!(
                "{{\"@context\":\"https://schema.org\",\"name\":\"A\",\"x\":{}{}}}",
                "[".repeat(100_000),
                "]".repeat(100_000)
            ),
            1,
            true,
        ),
        (
            "20,000 nodes",
            format!(
                "{{\"@context\":\"https://schema.org\",\"@graph\":[{}]}}",
                nodes(20_000, r#"{"@type":"Product","name":"n$"}"#)
            ),
            20_000,
            false,
        ),
        (
            "5,000 nodes of one id",
            format!(
                "{{\"@context\":\"https://schema.org\",\"@graph\":[{}]}}",
                nodes(5_000, r##"{"@id":"#p","@type":"Product","name":"n$"}"##)
            ),
            1,
            false,
        ),
        (
            "20,000 blank nodes",
            format!(
                "{{\"@context\":\"https://schema.org\",\"@graph\":[{}]}}",
                (0..20_000)
                    .map(|i| format!("{{\"@id\":\"_:b{i}\",\"about\":{{\"@id\":\"_:b{}\"}}}}", 19_999 - i))
                    .collect::<Vec<_>>()
                    .join(",")
            ),
            20_000,
            false,
        ),
        (
            "10 MB of text",
            format!(
                "{{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"description\":\"{}\"}}",
                "y".repeat(10_000_000)
            ),
            1,
            true,
        ),
        ("a block that is too long", format!("{{\"a\":\"{}\"}}", "y".repeat(limits::BLOCK)), 0, true),
        (
            "1,000 contexts in a row",
            format!(
                "{{\"@context\":[\"https://schema.org\",{}],\"@type\":\"Product\",\"t0\":\"A\",\"t999\":\"B\"}}",
                (0..1_000).map(|i| format!("{{\"t{i}\":\"schema:p{i}\"}}")).collect::<Vec<_>>().join(",")
            ),
            1,
            false,
        ),
        (
            "a context of 10,000 terms, each built on the next",
            format!(
                "{{\"@context\":[\"https://schema.org\",{{{},\"t10000\":\"schema:name\"}}],\"@type\":\"Product\",\"t9990\":\"A\"}}",
                (0..10_000).map(|i| format!("\"t{i}\":\"t{}\"", i + 1)).collect::<Vec<_>>().join(",")
            ),
            1,
            false,
        ),
        (
            "a big scoped context for each of 5,000 nodes",
            format!(
                "{{\"@context\":[\"https://schema.org\",{{\"Product\":{{\"@id\":\"schema:Product\",\"@context\":{}}}}}],\"@graph\":[{}]}}",
                scoped(5_000),
                nodes(5_000, r#"{"@context":{"a":"schema:b"},"@type":"Product","name":"n$"}"#)
            ),
            5_000,
            true,
        ),
        (
            "a long vocabulary for each of 20,000 names",
            format!(
                "{{\"@context\":{{\"@vocab\":\"https://{long}/\",\"s\":\"http://schema.org/\"}},\"s:name\":\"A\",\"x\":[{}]}}",
                nodes(20_000, r#"{"a":1}"#)
            ),
            1,
            false,
        ),
        (
            "a long language for each of 100,000 values",
            format!(
                "{{\"@context\":[\"https://schema.org\",{{\"@language\":\"{long}\"}}],\"@graph\":[{}]}}",
                nodes(20_000, r#"{"name":["$","b","c","d","e"]}"#)
            ),
            20_000,
            false,
        ),
    ];
    let started = Instant::now();
    for (name, block, entities, bound) in rows {
        let (graph, diagnostics) = read(&page(&block));
        assert_eq!(show(&graph).len(), entities, "{name}");
        let reported = diagnostics.has(Code::DepthLimit) || diagnostics.has(Code::FieldTruncated);
        assert_eq!(reported, bound, "{name}");
    }
    assert!(started.elapsed() < Duration::from_secs(120), "{:?}", started.elapsed());
}
