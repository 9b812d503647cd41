//! The graph: Schema.org entities and their properties, whatever syntax they came from.
//!
//! Extractors speak in statements (subject, predicate, object) to a [`Sink`]. The [`Builder`] is the sink of the
//! pipeline: it keeps what is Schema.org's, merges nodes of one IRI and links references. Tests use sinks of their
//! own to see every statement.

mod build;
mod normalize;
pub mod vocabulary;

pub use build::Builder;

use crate::profiles::Profile;
use alloc::{string::String, vec::Vec};

/// `rdf:type`
pub const RDF_TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/// The namespace of XML Schema datatypes.
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// The syntax that a node was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// A `script type="application/ld+json"`.
    JsonLd,
    /// `itemscope`, `itemprop`.
    Microdata,
    /// `typeof`, `property`.
    Rdfa,
}

/// A node that an extractor opened with [`Sink::node`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// The object of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// A node of this page, also when it was opened for an IRI.
    Node(NodeId),
    /// An IRI that may or may not be a node of this page: links, `@id` references, enumeration members.
    Iri(String),
    /// A literal. `language` is a BCP 47 tag or empty; `datatype` is an absolute IRI or empty for plain text.
    /// Numbers and booleans have their lexical form and `xsd:integer`, `xsd:double` or `xsd:boolean`.
    Literal {
        /// The lexical form.
        value: String,
        /// Language tag, or empty.
        language: String,
        /// Datatype IRI, or empty.
        datatype: String,
    },
    /// An ordered list (`@list`, `inlist`).
    List(Vec<Object>),
}

/// What extractors write to.
pub trait Sink {
    /// The syntax of the nodes opened from here on, and whether they stand in page furniture.
    fn origin(&mut self, _syntax: Syntax, _aside: bool) {}
    /// Opens a node. `iri` is its absolute IRI, `None` a blank node. Nodes opened with the same IRI are one node.
    fn node(&mut self, iri: Option<&str>) -> NodeId;
    /// States that `subject` has `predicate` (an absolute IRI; [`RDF_TYPE`] for a type) with the value `object`.
    fn statement(&mut self, subject: NodeId, predicate: &str, object: Object);
}

/// Index of an entity in [`Graph::entities`].
pub type EntityIndex = usize;

/// A Schema.org entity.
#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// Absolute IRI, or empty.
    pub id: String,
    /// Schema.org class names without prefix (`Product`), in source order. Foreign types are left out.
    pub types: Vec<String>,
    /// Whether the node had a type at all, Schema.org's or not.
    pub typed: bool,
    /// Of its types' profiles the one that says most.
    pub profile: Option<Profile>,
    /// Properties in source order, each once.
    pub properties: Vec<Property>,
    /// The syntax it was first read from.
    pub syntax: Option<Syntax>,
    /// How often another entity refers to it.
    pub references: u32,
    /// Whether it stands in page furniture (`aside`, `nav`, `footer`, or a `WPSideBar` and the like).
    pub aside: bool,
}

/// A property and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Schema.org term without prefix (`offers`).
    pub name: String,
    /// Values in source order.
    pub values: Vec<Value>,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text, with its language tag or an empty string.
    Text(String, String),
    /// A URL or an IRI that is no entity of this page.
    Iri(String),
    /// A number as written.
    Number(String),
    /// `true` or `false`.
    Boolean(bool),
    /// Another entity.
    Entity(EntityIndex),
}

/// The entities of a page.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// In source order: JSON-LD, microdata, RDFa.
    pub entities: Vec<Entity>,
}

impl Entity {
    /// The values of a property; empty if it has none.
    pub fn values(&self, name: &str) -> &[Value] {
        self.properties.iter().find(|p| p.name == name).map_or(&[], |p| &p.values)
    }

    /// Whether it has the property.
    pub fn has(&self, name: &str) -> bool {
        self.properties.iter().any(|p| p.name == name)
    }

    /// Whether it is of this class (exactly; subclasses are `vocabulary`'s business).
    pub fn is(&self, class: &str) -> bool {
        self.types.iter().any(|t| t == class)
    }
}

impl Value {
    /// The text of a literal or IRI; `None` for an entity.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(s, _) | Value::Iri(s) | Value::Number(s) => Some(s),
            Value::Boolean(true) => Some("true"),
            Value::Boolean(false) => Some("false"),
            Value::Entity(_) => None,
        }
    }
}
