//! The program: one call into the command-line face.

fn main() -> std::process::ExitCode {
    omerta::faces::command_line::main()
}
