#![cfg_attr(fuzzing, no_main)]

agenticschema_fuzz::target!(jsonld);
