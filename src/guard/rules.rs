//! The rules of the guard, one row each. `tests/attacks/<id>-<case>/` holds the hostile pages of a rule; a rule
//! without one fails the tests.

/// A rule: what is never let through, and how that is said.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable identifier; the attack cases of the rule start with it.
    pub id: &'static str,
    /// What is refused, for `SECURITY.md`.
    pub refused: &'static str,
    /// The first half of the diagnostic, or the message of the call that is refused; empty for a rule that replaces
    /// something and has no need to speak.
    pub reason: &'static str,
}

macro_rules! rules {
    ($($name:ident $id:literal $refused:literal $reason:literal;)+) => {
        $(#[doc = $refused] pub static $name: Rule = Rule { id: $id, refused: $refused, reason: $reason };)+
        /// Every rule.
        pub static ALL: &[&Rule] = &[$(&$name,)+];
    };
}

rules! {
    // Actions.
    EFFECT "action-type"
        "An action of a type that may have an effect, or of no known type."
        "Only SearchAction, FindAction, ReadAction and ViewAction become tools, not this action";
    METHOD "action-method"
        "An action with another method than GET."
        "The action asks for another method than GET";
    TARGET "action-target"
        "An action without a target."
        "The action has no target with a URL template";
    COUNT "template-count"
        "More actions than a page may turn into tools."
        "The page declares more actions than become tools";
    // Arguments and parameters.
    ARGUMENT "argument-type"
        "An argument that is not text, or beyond its length."
        "The argument is not text, or too long";
    PARAMETER_NAME "parameter-name"
        "A parameter name that is more than a short identifier, in the schema of a tool."
        "";
    // Templates.
    TEMPLATE_SIZE "template-size"
        "A URL template or an expanded URL beyond its size, or too many parameters."
        "The URL template of the action is too long or has too many parameters";
    SYNTAX "template-syntax"
        "Unbalanced braces, and operators beyond simple and form-style expansion (RFC 6570)."
        "The URL template of the action cannot be read";
    NO_PARAMETER "template-parameter"
        "A template without a parameter: every call would be the same request."
        "The URL template of the action has no parameter";
    CHARACTER "template-character"
        "Backslashes and control characters: URL parsers disagree about them."
        "The URL template of the action contains a backslash or a control character";
    AUTHORITY "template-authority"
        "A parameter that could change scheme, user, host or port."
        "A parameter of the URL template could change the host of the request";
    FRAGMENT "template-fragment"
        "A parameter in the fragment: it is never sent."
        "A parameter of the URL template stands in the fragment, which is never sent";
    CLIMB "template-climb"
        "A path parameter, or what a call puts into it, that could leave the path of the template."
        "The path of the request would leave the path of the URL template";
    EFFECT_WORD "template-effect"
        "A template, or an argument at the root of the site, that names an effect: logout, delete, add to cart."
        "The address of the action looks like one that changes something";
    // Destinations.
    ADDRESS "destination-address"
        "What does not parse as an address."
        "The URL template of the action is not a valid address";
    SCHEME "destination-scheme"
        "Any scheme but http and https."
        "The action leads to another scheme than https";
    USERINFO "destination-userinfo"
        "A user name or password in the address: it disguises the host."
        "The URL template of the action has a user name in it";
    INSECURE "destination-insecure"
        "http on an https page."
        "The action leads from https to http";
    ORIGIN "destination-origin"
        "Another origin than the page's, unless the site owner allows its host (data-allow-hosts)."
        "The action leads to another origin";
}
