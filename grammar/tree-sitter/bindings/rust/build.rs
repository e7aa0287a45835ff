//! Compiles the generated parsers.

fn main() {
    for grammar in ["mafia", "play"] {
        let source = std::path::Path::new(grammar).join("src");
        let files = [source.join("parser.c"), source.join("scanner.c")];
        for file in &files {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        cc::Build::new()
            .std("c11")
            .include(&source)
            .files(&files)
            .warnings(false)
            .compile(&format!("tree-sitter-{grammar}"));
    }
}
