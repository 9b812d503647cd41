//! The rules of the guard, one row each. `tests/attacks/<id>-<case>/` holds the hostile pages of a rule; a rule
//! without one fails the tests.

macro_rules! rules {
    ($($name:ident $id:literal $refused:literal $reason:literal;)+) => {
        /// A rule: what is never let through, and how that is said.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule { $(#[doc = $refused] $name,)+ }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)+];
            /// Stable identifier; the attack cases of the rule start with it.
            pub fn id(self) -> &'static str { match self { $(Rule::$name => $id,)+ } }
            /// What is refused, for `SECURITY.md`.
            pub fn refused(self) -> &'static str { match self { $(Rule::$name => $refused,)+ } }
            /// The first half of the diagnostic, or the message of the call that is refused; empty for a rule that
            /// replaces something and has no need to speak.
            pub const fn reason(self) -> &'static str { match self { $(Rule::$name => $reason,)+ } }
        }
    };
}

rules! {
    // Actions.
    Type "action-type"
        "An action of a type that may have an effect, or of no known type."
        "Only SearchAction, FindAction, ReadAction and ViewAction become tools";
    Method "action-method"
        "An action with another method than GET."
        "The action is no GET request";
    Target "action-target"
        "An action without a target."
        "The action has no target";
    Count "template-count"
        "More actions than a page may turn into tools."
        "Too many actions";
    // Arguments and parameters.
    Argument "argument-type"
        "An argument that is not text, or beyond its length."
        "The argument is missing or does not fit the schema";
    ParameterName "parameter-name"
        "A parameter name that is more than a short identifier, in the schema of a tool."
        "";
    Field "form-field"
        "A hidden field of a search form that is a secret or state of its sender, and a form that asks for a password."
        "";
    // Tools.
    Metadata "metadata-text"
        "Page text in the name, title, description or schema of a tool."
        "";
    Tools "tool-count"
        "More tools than agents can choose from (data-max-tools)."
        "The page offers more tools than the limit";
    // Data in answers.
    Markup "data-markup"
        "Tags and comments in text, and what scripts and hidden elements hold."
        "";
    Invisible "data-invisible"
        "Control, bidirectional, zero-width, tag and private-use characters, and halves of surrogate pairs."
        "";
    DataAddress "data-address"
        "Addresses that would run or open something: all but http, https, mailto, tel and geo. Host names are in ASCII."
        "";
    DataName "data-name"
        "Property and type names that are more than short identifiers."
        "";
    Prototype "data-prototype"
        "Names that JavaScript gives a meaning (__proto__, constructor, toString): they are ordinary data."
        "";
    DataSize "data-size"
        "Values, lists, nesting and answers beyond their bounds."
        "";
    // Responses to searches.
    ResponseOrigin "response-origin"
        "A response from another origin than the request's: redirects do not leave it."
        "The site led to another origin, which is not followed";
    ResponseCode "response-code"
        "Scripts, comments, hidden parts and data blocks of a result page, and anything that is neither page, text nor JSON."
        "";
    // Templates.
    Size "template-size"
        "A URL template or an expanded URL beyond its size, or too many parameters."
        "The URL or its parameters are too long";
    Syntax "template-syntax"
        "Unbalanced braces, and operators beyond simple and form-style expansion (RFC 6570)."
        "The URL template cannot be read";
    NoParameter "template-parameter"
        "A template without a parameter: every call would be the same request."
        "The URL template has no parameter";
    Character "template-character"
        "Backslashes and control characters: URL parsers disagree about them."
        "The URL template has a backslash or control character";
    Authority "template-authority"
        "A parameter that could change scheme, user, host or port."
        "A parameter could change the host";
    Fragment "template-fragment"
        "A parameter in the fragment: it is never sent."
        "A parameter stands in the fragment, which is never sent";
    Climb "template-climb"
        "A path parameter, or what a call puts into it, that could leave the path of the template."
        "The request would leave the path of the URL template";
    Effect "template-effect"
        "A template, or an argument at the root of the site, that names an effect: logout, delete, add to cart."
        "The URL looks like one that changes something";
    // Destinations.
    Address "destination-address"
        "What does not parse as an address."
        "The URL template is no valid address";
    Scheme "destination-scheme"
        "Any scheme but http and https."
        "The action leads to another scheme than https";
    Userinfo "destination-userinfo"
        "A user name or password in the address: it disguises the host."
        "The URL template has a user name";
    Insecure "destination-insecure"
        "http on an https page."
        "The action leads from https to http";
    Origin "destination-origin"
        "Another origin than the page's, unless the site owner allows its host (data-allow-hosts)."
        "The action leads to another origin";
}
