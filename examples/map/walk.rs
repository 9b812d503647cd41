use agenticschema::{
    Page,
    guard::ParameterKind,
    json::{self, Json},
    page::Outcome,
};

/// Every answer of every reader: the default one, each section, each page.
pub fn answers(page: &Page) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for tool in page.tools().filter(|t| t.name().starts_with("get_") || t.name().starts_with("list_")) {
        let mut calls = vec![String::from("{}")];
        for parameter in tool.parameters() {
            if let ParameterKind::Choice(words) = &parameter.kind {
                calls.extend(words.iter().map(|word| format!("{{\"section\":\"{word}\"}}")));
            }
        }
        for call in calls {
            let mut arguments = call.clone();
            for _ in 0..200 {
                let Outcome::Answer(answer) = page.call(tool.name(), &arguments) else { break };
                let next = json::parse_strict(&answer).and_then(|a| a.get("next").cloned());
                out.push((format!("{} {arguments}", tool.name()), answer));
                let Some(Json::Number(next)) = next else { break };
                let comma = if call == "{}" { "" } else { "," };
                arguments = format!("{}{comma}\"page\":{next}}}", &call[..call.len() - 1]);
            }
        }
    }
    out
}
