// Where the program is: what the setting says, on the path, or where Cargo puts it.

const { execFile } = require("child_process");
const os = require("os");
const path = require("path");

const HOW_TO_GET_IT =
  "The program `omerta` was not found: install it with `cargo install --path .` in its folder, or say where it is in the setting `omerta.path`.";

/** Whether a command can be started and is the program. */
function answers(command) {
  return new Promise((resolve) => {
    execFile(command, ["--version"], { timeout: 10000 }, (error, out) => {
      resolve(!error && /^omerta /.test(out));
    });
  });
}

function candidates(setting) {
  const name = process.platform === "win32" ? "omerta.exe" : "omerta";
  const home = path.join(os.homedir(), ".cargo", "bin", name);
  return setting ? [setting] : [name, home];
}

/** The first command that is the program; nothing where there is none. */
async function findProgram(setting) {
  for (const command of candidates(setting)) {
    if (await answers(command)) {
      return command;
    }
  }
  return undefined;
}

module.exports = { findProgram, candidates, HOW_TO_GET_IT };
