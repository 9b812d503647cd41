//! Every rule of the microdata reader, one row each: a page, and the graph that it becomes.

use agenticschema::{
    diagnostic::{Code, Diagnostics},
    dom,
    extract::microdata,
    graph::{Builder, Entity, Graph, Value},
    limits,
};

const URL: &str = "https://shop.example.test/p/1";

fn read(html: &str) -> (Graph, Diagnostics) {
    let (mut graph, mut diagnostics) = (Builder::new(URL), Diagnostics::default());
    microdata::read(&dom::html::snapshot(html, URL), &mut graph, &mut diagnostics);
    (graph.finish(&mut diagnostics), diagnostics)
}

/// One line per entity that has a type or a property: `number type+type <id> property=value|value …`. Text is in
/// quotes, an address in angle brackets, another entity is `#number`; `(aside)` marks page furniture.
pub(crate) fn show(graph: &Graph) -> Vec<String> {
    let value = |value: &Value| match value {
        Value::Text(text, language) if language.is_empty() => format!("{text:?}"),
        Value::Text(text, language) => format!("{text:?}@{language}"),
        Value::Iri(iri) => format!("<{iri}>"),
        Value::Entity(to) => format!("#{to}"),
        other => other.as_text().unwrap_or_default().to_string(),
    };
    let line = |(i, e): (usize, &Entity)| {
        let mut line = format!("{i} {}", e.types.join("+"));
        if !e.id.is_empty() {
            line += &format!(" <{}>", e.id);
        }
        if e.aside {
            line += " (aside)";
        }
        for property in &e.properties {
            let values: Vec<String> = property.values.iter().map(value).collect();
            line += &format!(" {}={}", property.name, values.join("|"));
        }
        line
    };
    let told = |(_, e): &(usize, &Entity)| !e.types.is_empty() || !e.properties.is_empty();
    graph.entities.iter().enumerate().filter(told).map(line).collect()
}

/// Rule, page, graph.
const RULES: &[(&str, &str, &[&str])] = &[
    (
        "values by element",
        "<div itemscope itemtype=https://schema.org/CreativeWork><meta itemprop=name content=Work>\
         <data itemprop=identifier value=77>seventy</data><meter itemprop=position value=3 max=5>three</meter>\
         <time itemprop=dateCreated datetime=2027-01-02>2 Jan</time><time itemprop=dateModified>2027-02-03</time>\
         <object itemprop=image data=https://cdn.example.test/o.svg></object>\
         <link itemprop=license href=https://l.example.test/></div>",
        &["0 CreativeWork name=\"Work\" identifier=\"77\" position=\"3\" dateCreated=\"2027-01-02\" \
           dateModified=\"2027-02-03\" image=<https://cdn.example.test/o.svg> license=<https://l.example.test/>"],
    ),
    (
        "addresses by element",
        "<div itemscope itemtype=https://schema.org/Thing><audio itemprop=a src=1></audio><embed itemprop=b src=2>\
         <iframe itemprop=c src=3></iframe><img itemprop=d src=4><video itemprop=e src=5><source itemprop=f src=6>\
         <track itemprop=g src=7></video><a itemprop=h href=8>x</a><map><area itemprop=i href=9></map></div>",
        &["0 Thing a=<https://shop.example.test/p/1> b=<https://shop.example.test/p/2> \
           c=<https://shop.example.test/p/3> d=<https://shop.example.test/p/4> e=<https://shop.example.test/p/5> \
           f=<https://shop.example.test/p/6> g=<https://shop.example.test/p/7> h=<https://shop.example.test/p/8> \
           i=<https://shop.example.test/p/9>"],
    ),
    (
        "addresses are resolved against the document base",
        "<base href=/b/><div itemscope itemtype=https://schema.org/Product><a itemprop=url href=/p/1?x=1>x</a>\
         <img itemprop=image src=' img/a.jpg '><link itemprop=license href=//l.example.test></div>",
        &["0 Product url=<https://shop.example.test/p/1?x=1> image=<https://shop.example.test/b/img/a.jpg> \
           license=<https://l.example.test/>"],
    ),
    (
        "content on any element",
        "<div itemscope itemtype=https://schema.org/Offer><span itemprop=priceCurrency content=EUR>€</span>\
         <span itemprop=price content=1299.00>1.299,00</span><time itemprop=validFrom content=2027-01-01>today</time>\
         <link itemprop=availability href=https://schema.org/InStock content=in_stock><a itemprop=sku content=L1>x</a>\
         </div>",
        &["0 Offer priceCurrency=\"EUR\" price=\"1299.00\" validFrom=\"2027-01-01\" \
           availability=<https://schema.org/InStock> sku=\"L1\""],
    ),
    (
        "empty and missing values are none, text on the page is a value",
        "<div itemscope itemtype=https://schema.org/Product><meta itemprop=a><meta itemprop=b content=''>\
         <img itemprop=c><a itemprop=d href=''>x</a><span itemprop=e> </span><a itemprop=f>Ann</a>\
         <data itemprop=g>7</data><input itemprop=h value=8><link itemprop=i href='https://['></div>",
        &["0 Product f=\"Ann\" g=\"7\" h=\"8\""],
    ),
    (
        "text: white space collapsed, a line per block, no code",
        "<div itemscope itemtype=https://schema.org/Product><h1 itemprop=name>\n   Desk\n     Lamp\n </h1>\
         <div itemprop=description>Oak.<style>.x{color:red}</style><script>var t=1;</script><p>LED.</div></div>",
        &["0 Product name=\"Desk Lamp\" description=\"Oak.\\nLED.\""],
    ),
    (
        "what is hidden still counts",
        "<div itemscope itemtype=https://schema.org/Product hidden><i itemprop=name style=display:none>Lamp</i></div>",
        &["0 Product name=\"Lamp\""],
    ),
    (
        "languages",
        "<html lang=en><div itemscope itemtype=https://schema.org/Product><b itemprop=name lang=de>Lampe</b>\
         <b itemprop=name>Lamp</b><data itemprop=sku value=1></data></div>",
        &["0 Product name=\"Lampe\"@de|\"Lamp\"@en sku=\"1\""],
    ),
    (
        "several types and several names",
        "<div itemscope itemtype='http://schema.org/Product\n https://schema.org/Vehicle'>\
         <b itemprop='name  model name'>T</b></div>",
        &["0 Product+Vehicle name=\"T\" model=\"T\""],
    ),
    (
        "spellings of Schema.org",
        "<div itemscope itemtype=http://www.schema.org/Product><b itemprop=name>1</b></div>\
         <div itemscope itemtype=HTTPS://SCHEMA.ORG/Product><b itemprop=name>2</b></div>\
         <div itemscope itemtype=http://data-vocabulary.org/Product><b itemprop=name>3</b></div>\
         <div itemscope itemtype=https://schema.org/Product/><b itemprop=name>4</b></div>\
         <div itemscope itemtype=//schema.org/Product><b itemprop=name>5</b></div>\
         <div itemscope itemtype=www.schema.org/Product><b itemprop=name>6</b></div>",
        &[
            "0 Product name=\"1\"",
            "1 Product name=\"2\"",
            "2 Product name=\"3\"",
            "3 Product name=\"4\"",
            "4 Product name=\"5\"",
            "5 Product name=\"6\"",
        ],
    ),
    (
        "names of other vocabularies stay theirs",
        "<div itemscope itemtype=https://schema.org/Product><b itemprop=name>Lamp</b>\
         <b itemprop=https://vocab.example.test/ns#name>internal</b><b itemprop=dc:title>t</b>\
         <b itemprop=https://schema.org/sku>L1</b></div>\
         <div itemscope itemtype=https://vocab.example.test/Product><b itemprop=name>x</b></div>\
         <div itemscope itemtype='https://vocab.example.test/A https://schema.org/Product'><b itemprop=name>y</b></div>\
         <div itemscope itemtype=Product><b itemprop=name>z</b></div>",
        &["0 Product name=\"Lamp\" sku=\"L1\"", "2 Product"],
    ),
    (
        "without type: nothing at the top, the vocabulary of the item above inside",
        "<div itemscope><b itemprop=name>x</b></div><div itemscope itemtype=''><b itemprop=price>3</b></div>\
         <div itemscope itemtype=https://schema.org/Product><div itemprop=brand itemscope><b itemprop=name>A</b>\
         <i itemprop=logo itemscope><b itemprop=url>l</b></i></div></div>",
        &["2 Product brand=#3", "3  name=\"A\" logo=#4", "4  url=\"l\""],
    ),
    (
        "items in items",
        "<div itemscope itemtype=https://schema.org/Product><div itemprop=offers itemscope \
         itemtype=https://schema.org/Offer><b itemprop=price>1</b></div><b itemprop=name>Lamp</b>\
         <div itemscope itemtype=https://schema.org/Person><b itemprop=name>Ann</b></div></div>",
        &["0 Product offers=#1 name=\"Lamp\"", "1 Offer price=\"1\"", "2 Person name=\"Ann\""],
    ),
    (
        "a property in a property",
        "<div itemscope itemtype=https://schema.org/Product><p itemprop=description>An <b itemprop=material>oak</b> \
         lamp</p></div>",
        &["0 Product description=\"An oak lamp\" material=\"oak\""],
    ),
    (
        "an item with itemprop and no item around it is an item",
        "<b itemprop=name>lost</b><div itemprop=mainEntity itemscope itemtype=https://schema.org/Product>\
         <b itemprop=name>Lamp</b></div>",
        &["0 Product name=\"Lamp\""],
    ),
    (
        "itemid is resolved, items of one id are one",
        "<div itemscope itemtype=https://schema.org/Product itemid=#p><b itemprop=name>Lamp</b></div>\
         <div itemscope itemtype=https://schema.org/Product itemid=https://shop.example.test/p/1#p>\
         <b itemprop=sku>L1</b></div><div itemscope itemtype=https://schema.org/Offer itemid=''></div>",
        &["0 Product <https://shop.example.test/p/1#p> name=\"Lamp\" sku=\"L1\"", "1 Offer"],
    ),
    (
        "itemref: values in tree order, unknown and doubled ids",
        "<p id=x><b itemprop=color>red</b></p><p id=x><b itemprop=color>none</b></p>\
         <div itemscope itemtype=https://schema.org/Product itemref='y x nowhere x'><b itemprop=color>blue</b></div>\
         <p id=y itemprop=color>green</p>",
        &["0 Product color=\"red\"|\"blue\"|\"green\""],
    ),
    (
        "itemref to an item is that item and not its properties",
        "<div itemscope itemtype=https://schema.org/Product itemref='o p'></div>\
         <div id=o itemprop=offers itemscope itemtype=https://schema.org/Offer><b itemprop=price>1</b></div>\
         <div id=p itemscope itemtype=https://schema.org/Person><b itemprop=name>Ann</b></div>",
        &["0 Product offers=#1", "1 Offer price=\"1\"", "2 Person name=\"Ann\""],
    ),
    (
        "one item as the value of two",
        "<div itemscope itemtype=https://schema.org/Product itemref=b></div>\
         <div itemscope itemtype=https://schema.org/Product itemref=b></div>\
         <div id=b itemprop=brand itemscope itemtype=https://schema.org/Brand><b itemprop=name>A</b></div>",
        &["0 Product brand=#2", "1 Product brand=#2", "2 Brand name=\"A\""],
    ),
    (
        "itemref to an element around, inside, and to itself adds nothing twice",
        "<div id=o><b itemprop=sku>1</b><div id=s itemscope itemtype=https://schema.org/Product itemref='i s o'>\
         <p id=i><b itemprop=name>Lamp</b></p></div></div>",
        &["0 Product sku=\"1\" name=\"Lamp\""],
    ),
    (
        "itemref in a circle ends",
        "<div id=a itemscope itemtype=https://schema.org/Person itemref='a b'><b itemprop=name>Ann</b></div>\
         <div id=b itemprop=knows itemscope itemtype=https://schema.org/Person itemref='a b'><b itemprop=name>Bob</b></div>",
        &["0 Person name=\"Ann\" knows=#1", "1 Person name=\"Bob\""],
    ),
    (
        "an item that contains itself is cut",
        "<div itemscope itemtype=https://schema.org/Person><div id=r><b itemprop=name>1</b><div itemprop=knows itemscope \
         itemtype=https://schema.org/Person><b itemprop=name>2</b><div itemprop=knows itemscope \
         itemtype=https://schema.org/Person itemref=r></div></div></div></div>",
        &["0 Person name=\"1\" knows=#1", "1 Person name=\"2\" knows=#2", "2 Person name=\"1\""],
    ),
    (
        "page furniture",
        "<main><div itemscope itemtype=https://schema.org/Product></div></main><aside><p itemscope \
         itemtype=https://schema.org/Product></p></aside><nav><ol itemscope itemtype=https://schema.org/BreadcrumbList>\
         </ol></nav><footer><p itemscope itemtype=https://schema.org/Organization></p></footer>\
         <p itemscope itemtype=https://schema.org/Person></p>",
        &["0 Product", "1 Product (aside)", "2 BreadcrumbList (aside)", "3 Organization (aside)", "4 Person"],
    ),
    (
        "the control of a search form",
        "<div itemscope itemtype=https://schema.org/WebSite><link itemprop=url href=/><form itemprop=potentialAction \
         itemscope itemtype=https://schema.org/SearchAction><meta itemprop=target content='/s?q={q}'>\
         <input itemprop=query-input name=q required><select itemprop=x-input name=s></select></form></div>",
        &[
            "0 WebSite url=<https://shop.example.test/> potentialAction=#1",
            "1 SearchAction target=\"/s?q={q}\" query-input=\"required name=q\" x-input=\"name=s\"",
        ],
    ),
    (
        "names that are special elsewhere",
        "<div itemscope itemtype=https://schema.org/Product><i itemprop=constructor>a</i><i itemprop=__proto__>b</i></div>",
        &["0 Product constructor=\"a\" __proto__=\"b\""],
    ),
    (
        "itemprop-reverse (Microdata to RDF, experimental)",
        "<div itemscope itemtype=https://schema.org/Mall><b itemprop=name>M</b><div itemprop-reverse=containedIn itemscope \
         itemtype=https://schema.org/Bakery></div><link itemprop-reverse=location href=/e>\
         <meta itemprop-reverse=location content=x></div>",
        &["0 Mall name=\"M\"", "1 Bakery containedIn=#0", "2  <https://shop.example.test/e> location=#0"],
    ),
    (
        "XHTML syntax",
        "<html xmlns=http://www.w3.org/1999/xhtml><body><div itemscope=itemscope itemtype=https://schema.org/Product>\
         <meta itemprop=name content=Lamp /><a itemprop=url href=/p/1>x</a></div></body></html>",
        &["0 Product name=\"Lamp\" url=<https://shop.example.test/p/1>"],
    ),
];

#[test]
fn rules() {
    for (rule, html, want) in RULES {
        assert_eq!(show(&read(html).0), *want, "{rule}");
    }
}

#[test]
fn loops_are_reported() {
    for (html, reported) in [
        ("<i id=a itemscope itemref=a></i>", true),
        ("<i id=a><b itemscope itemref=a></b></i>", true),
        ("<i itemscope><i id=a><b itemprop=x itemscope><b itemprop=y itemscope itemref=a></b></b></i></i>", true),
        ("<i itemscope itemref='a a'></i><p id=a itemprop=x>1</p>", false),
    ] {
        assert_eq!(read(html).1.has(Code::DepthLimit), reported, "{html}");
    }
}

/// Name, page, entities, values of all entities, the diagnostic that goes with it.
#[test]
fn size_is_bounded() {
    let item = "<div itemscope itemtype=https://schema.org/Product>";
    let rows: Vec<(&str, String, usize, usize, Option<Code>)> = vec![
        ("items", (0..10_000).map(|i| format!("{item}<b itemprop=name>{i}</b></div>")).collect(), 10_000, 10_000, None),
        (
            "properties",
            format!("{item}{}</div>", (0..10_000).map(|i| format!("<b itemprop=p{i}>v</b>")).collect::<String>()),
            1,
            limits::PROPERTIES,
            Some(Code::FieldTruncated),
        ),
        (
            "values",
            format!("{item}{}</div>", "<b itemprop=name>v</b>".repeat(10_000)),
            1,
            limits::VALUES,
            Some(Code::FieldTruncated),
        ),
        (
            "items that share a big element",
            format!("<div id=s>{}</div>", "<b itemprop=color>v</b>".repeat(1_000))
                + &"<p itemscope itemtype=https://schema.org/Product itemref=s></p>".repeat(1_000),
            1_000,
            // Two nodes for a value: the element and its text.
            limits::ITEMREF / 2,
            Some(Code::DepthLimit),
        ),
        (
            "references",
            format!("<p itemscope itemtype=https://schema.org/Product itemref='{}'></p>", "x ".repeat(300_000)),
            1,
            0,
            Some(Code::DepthLimit),
        ),
        (
            "names and types",
            format!(
                "<p itemscope itemtype='{}'><b itemprop='{}'>v</b></p>",
                (0..1_000).map(|i| format!("https://schema.org/T{i} ")).collect::<String>(),
                (0..1_000).map(|i| format!("p{i} ")).collect::<String>()
            ),
            1,
            limits::TOKENS,
            None,
        ),
        (
            "text of nested properties",
            format!("{item}{}{}</div>", "<b itemprop=name>".repeat(100), "x".repeat(limits::STRING * 4)),
            1,
            0,
            Some(Code::FieldTruncated),
        ),
    ];
    for (name, html, entities, values, code) in rows {
        let (graph, diagnostics) = read(&html);
        assert_eq!(graph.entities.len(), entities, "{name}");
        let got: usize = graph.entities.iter().flat_map(|e| &e.properties).map(|p| p.values.len()).sum();
        if values > 0 {
            assert!(got <= values && got >= values * 9 / 10, "{name}: {got} values");
        }
        if let Some(code) = code {
            assert!(diagnostics.has(code), "{name}");
        }
    }
}

/// Nesting that a parser lets through does not end in recursion here.
#[test]
fn depth_is_no_recursion() {
    let nested = "<div itemprop=isPartOf itemscope itemtype=https://schema.org/CreativeWork>".repeat(500);
    assert!(read(&nested).0.entities.len() > 100);
    let chain: String = (0..5_000)
        .map(|i| {
            format!("<p id=i{i} itemprop=next itemscope itemtype=https://schema.org/Thing itemref=i{}></p>", i + 1)
        })
        .collect();
    let (graph, _) = read(&chain);
    assert_eq!(graph.entities.len(), 5_000);
}
