//! The `wasm-bindgen` command, as far as wasm-pack calls it.
//!
//! The command's own package brings a test runner with a web server: four times as long to compile. This one is the
//! same library behind the same options, and being in the workspace, its version is the lock file's.

use std::{env, error::Error, path::PathBuf};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    let mut out_dir = PathBuf::from(".");
    let mut args = env::args().skip(1);
    let value = |option: &str, args: &mut dyn Iterator<Item = String>| {
        args.next().ok_or_else(|| format!("{option} needs a value"))
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--version" | "-V" => {
                println!("wasm-bindgen {}", wasm_bindgen_shared::version());
                return Ok(());
            }
            "--out-dir" => out_dir = value(&arg, &mut args)?.into(),
            "--out-name" => {
                bindgen.out_name(&value(&arg, &mut args)?);
            }
            "--target" => {
                match value(&arg, &mut args)?.as_str() {
                    "bundler" => bindgen.bundler(true)?,
                    "web" => bindgen.web(true)?,
                    "nodejs" => bindgen.nodejs(true)?,
                    "no-modules" => bindgen.no_modules(true)?,
                    other => return Err(format!("target {other} is not known here").into()),
                };
            }
            "--typescript" => {
                bindgen.typescript(true);
            }
            "--no-typescript" => {
                bindgen.typescript(false);
            }
            "--debug" => {
                bindgen.debug(true);
            }
            "--keep-debug" => {
                bindgen.keep_debug(true);
            }
            "--no-demangle" => {
                bindgen.demangle(false);
            }
            option if option.starts_with('-') => return Err(format!("option {option} is not known here").into()),
            input => {
                bindgen.input_path(input);
            }
        }
    }
    Ok(bindgen.generate(&out_dir)?)
}
