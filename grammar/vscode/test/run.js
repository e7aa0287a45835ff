// Tries the extension in Node, with a stand-in for the editor and the real program: `node test/run.js PATH-OF-PROGRAM`.

const assert = require("assert");
const Module = require("module");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFileSync } = require("child_process");

const program = process.argv[2];
assert(program, "name the program");

const { findProgram, candidates, HOW_TO_GET_IT } = require("../src/program");
const { resultsOf } = require("../src/results");

const RULES = `ruleset tiny "A tiny game"
use std.table
players 3..6
cast {
  players 3..6
  Wolf 1
  Sheep rest
}
team Pack "the pack"
team Flock "the flock"
role Wolf "a wolf" of Pack
role Sheep "a sheep" of Flock
mark bitten "bitten"
script {
  play Deal
  repeat { play Night }
}
scene Night {
  ask host for prey from living "Who is bitten?"
  mark prey as bitten
  do departure of prey
  judge
}
ending wolf-gone: win Flock when no living Wolf "the wolf is gone"
ending flock-gone: win Pack when number of (players without bitten) is 1 "one is left"
`;

const SCENARIOS = `ruleset tiny
seats Ann: Wolf, Bob: Sheep, Cid: Sheep

play "a wolf that is bitten loses"
Night 1 { host -> Ann }
expect winners Bob, Cid

play "nobody wins, it says"
Night 1 { host -> Ann }
expect nobody wins
`;

/** Enough of the editor for the extension to begin. */
function standIn(folder, registered) {
  const nothing = () => ({ dispose() {} });
  const collection = () => {
    const all = new Map();
    return {
      add: (item) => all.set(item.id, item),
      [Symbol.iterator]: () => all.entries(),
      get size() {
        return all.size;
      },
    };
  };
  const item = (id, label, uri) => ({ id, label, uri, children: collection() });
  const controller = { items: collection(), createTestItem: item, createRunProfile: (...words) => registered.profiles.push(words) };
  registered.controller = controller;
  return {
    workspace: {
      getConfiguration: () => ({ get: () => program }),
      onDidOpenTextDocument: nothing,
      onDidSaveTextDocument: nothing,
      textDocuments: [],
    },
    window: { showWarningMessage: async (words) => registered.warned.push(words) },
    commands: { registerCommand: (name) => (registered.commands.push(name), { dispose() {} }) },
    tests: { createTestController: () => controller },
    TestRunProfileKind: { Run: 1 },
    Range: class {},
    TestMessage: class {},
  };
}

async function main() {
  // Finding the program, and saying how to get it.
  assert.strictEqual(await findProgram(program), program);
  assert.strictEqual(await findProgram("/nowhere/omerta"), undefined);
  assert(candidates("").some((one) => one.includes(".cargo")));
  assert(HOW_TO_GET_IT.endsWith("."));

  // Results of scenarios, as the program gives them.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "omerta-"));
  fs.writeFileSync(path.join(folder, "tiny.mafia"), RULES);
  fs.writeFileSync(path.join(folder, "tiny.play"), SCENARIOS);
  let out;
  try {
    out = execFileSync(program, ["test", "--format", "json", "tiny.play"], { cwd: folder });
  } catch (failed) {
    out = failed.stdout;
  }
  const results = resultsOf(JSON.parse(out));
  assert.deepStrictEqual(results.map((one) => one.holds), [true, false]);
  assert(results[1].messages[0].includes("line 10"), results[1].messages[0]);

  // The extension begins: it finds the program, starts it, and registers what the manifest promises.
  const registered = { commands: [], profiles: [], warned: [] };
  const started = [];
  const load = Module._load;
  Module._load = (name, ...rest) => {
    if (name === "vscode") {
      return standIn(folder, registered);
    }
    if (name === "vscode-languageclient/node") {
      class LanguageClient {
        constructor(id, title, server) {
          started.push(server);
        }
        async start() {}
        async stop() {}
      }
      return { LanguageClient, TransportKind: { stdio: 0 } };
    }
    return load(name, ...rest);
  };
  const { activate, deactivate } = require("../src/extension");
  const running = await activate({ subscriptions: [] });
  assert.strictEqual(running.program(), program);
  assert.deepStrictEqual(started[0].args, ["lsp"]);
  const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, "..", "package.json"), "utf8"));
  const promised = manifest.contributes.commands.map((command) => command.command);
  assert.deepStrictEqual([...registered.commands].sort(), promised.sort());
  assert.strictEqual(registered.profiles.length, 1);
  assert.deepStrictEqual(registered.warned, []);
  await deactivate();
  fs.rmSync(folder, { recursive: true });
  console.log("the extension: all well");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
