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
const { resultsOf, isOf } = require("../src/results");

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
  const item = (id, label, uri) => registered.items[label] = { id, label, uri, children: collection() };
  const controller = { items: collection(), createTestItem: item, createRunProfile: (...words) => registered.profiles.push(words) };
  controller.createTestRun = () => registered.run;

  registered.controller = controller;
  return {
    workspace: {
      getConfiguration: () => ({ get: () => program }),
      onDidOpenTextDocument: nothing,
      onDidSaveTextDocument: nothing,
      workspaceFolders: registered.folders,
      onDidChangeTextDocument: (hear) => ((registered.changed = hear), nothing()),
      openTextDocument: async (uri) => registered.shown.push(uri.fsPath),
      createFileSystemWatcher: () => ({ onDidCreate: nothing, onDidDelete: nothing }),
      findFiles: async () => [{ fsPath: path.join(folder, "tiny.play"), toString: () => "file:///tiny.play" }],
      textDocuments: [{ uri: { fsPath: "x.txt" }, isDirty: true, languageId: "mafia", save: async () => registered.saved++ }],
    },
    window: {
      showWarningMessage: async (words) => registered.warned.push(words),
      activeTextEditor: registered.editor,
      visibleTextEditors: [],
      showQuickPick: async (items) => items.find((item) => item.label === registered.choice),
      showOpenDialog: async () => [{ fsPath: folder }],
      showInputBox: async () => "our rules",
      showTextDocument: async () => {},
      createOutputChannel: () => ({ clear: () => (registered.said = ""), show() {}, append: (text) => (registered.said += text) }),
    },
    commands: {
      registerCommand: (name, run) => ((registered.commands[name] = run), nothing()),
      executeCommand: async (name) => registered.done.push(name),
    },
    languages: {
      getDiagnostics: () => registered.told,
      onDidChangeDiagnostics: (hear) => ((registered.hear = hear), { dispose() {} }),
    },
    DiagnosticSeverity: { Information: 2 },
    Uri: { parse: (uri) => uri, file: (fsPath) => ({ fsPath }) },
    TextEditorRevealType: {},
    Selection: class {
      constructor(at) {
        this.at = at;
      }
    },
    tests: { createTestController: () => controller },
    TestRunProfileKind: { Run: 1 },
    Range: class {},
    Position: class {
      constructor(line) {
        this.line = line;
      }
    },
    Location: class {
      constructor(uri, at) {
        this.at = at;
      }
    },
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
  assert.strictEqual(results[1].messages[0].line, 10, results[1].messages[0].words);
  // A title with the values of a case in it stands for all its cases, and for no other scenario.
  assert(isOf("a game of {n}: {who}", "a game of 5: Ann") && isOf("a wolf", "a wolf (n = 3)"));
  assert(!isOf("a game of {n}", "one game of 5") && !isOf("a wolf", "a wolf that is bitten") && !isOf("who?", "wh"));

  // The extension begins: it finds the program, starts it, and registers what the manifest promises.
  const registered = { told: [], commands: {}, profiles: [], warned: [], items: {}, saved: 0, done: [], shown: [], folders: [] };
  registered.editor = { document: { uri: "file:///tiny.play" }, revealRange() {} };
  const kept = new Map();
  const globalState = { get: (key) => kept.get(key), update: async (key, value) => kept.set(key, value) };
  const started = [];
  const load = Module._load;
  Module._load = (name, ...rest) => {
    if (name === "vscode") {
      return standIn(folder, registered);
    }
    if (name === "vscode-languageclient/node") {
      class LanguageClient {
        constructor(id, title, server, client) {
          started.push(server);
          registered.middleware = client.middleware;
        }
        async start() {}
        async stop() {}
        async sendRequest() {
          const at = { start: { line: 3, character: 0 }, end: { line: 5, character: 0 } };
          const named = (name, detail) => ({ name, detail, range: at });
          return [named("evening", "common"), named("a wolf that is bitten loses", "play"), named("nobody wins, it says", "play")];
        }
      }
      return { LanguageClient, TransportKind: { stdio: 0 } };
    }
    return load(name, ...rest);
  };
  const { activate, deactivate } = require("../src/extension");
  const running = await activate({ subscriptions: [], globalState });
  assert.strictEqual(running.program(), program);
  assert.deepStrictEqual(started[0].args, ["lsp"]);
  const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, "..", "package.json"), "utf8"));
  const promised = manifest.contributes.commands.map((command) => command.command);
  assert.deepStrictEqual(Object.keys(registered.commands).sort(), promised.sort());
  assert.strictEqual(registered.profiles.length, 1);
  assert.deepStrictEqual(registered.warned, []);
  // A step leads to where the game stands, and opens what is told there; commands that lead nowhere move nothing.
  const step = (range) => registered.middleware.executeCommand("omerta.step", ["file:///tiny.play", 3], async () => range);
  await step(null);
  assert.deepStrictEqual(registered.done, []);
  const stepped = step({ start: { line: 7, character: 2 } });
  await new Promise((done) => setTimeout(done, 20));
  assert.strictEqual(registered.editor.selection.at.line, 7);
  assert.deepStrictEqual(registered.done, [], "what is told there has not come yet");
  registered.told.push({ severity: 2, range: { contains: (at) => at.line === 7 } });
  registered.hear();
  await stepped;
  assert.deepStrictEqual(registered.done, ["editor.action.showHover"]);
  // Files that nobody has opened have their tests, what is unsaved is saved, and what failed is told at its line.
  await new Promise((done) => setTimeout(done, 50));
  assert(!registered.items.evening && registered.items["nobody wins, it says"]);
  const told = { passed: [], failed: [], output: "" };
  registered.run = {
    started() {},
    skipped: (one) => assert.fail(`${one.label} is skipped`),
    errored: (one, message) => assert.fail(message),
    passed: (one) => told.passed.push(one.label),
    failed: (one, messages) => told.failed.push([one.label, messages[0].location.at.line]),
    appendOutput: (text) => (told.output += text),
    end() {},
  };
  // A game that is opened is a copy in a new folder; its rules come to the front when the folder's window is there.
  registered.done = [];
  registered.choice = "The village";
  await registered.commands["omerta.open"]();
  await registered.commands["omerta.open"]();
  assert(fs.existsSync(path.join(folder, "village", "village.play")) && fs.existsSync(path.join(folder, "village-2")));
  assert.deepStrictEqual(registered.done, ["vscode.openFolder", "vscode.openFolder"]);
  registered.choice = "A house rule";
  await registered.commands["omerta.new"]();
  const { folder: made, rules } = kept.get("omerta.made");
  assert(fs.existsSync(rules) && rules.endsWith("our-rules.mafia") && made.endsWith("our rules"), rules);
  const { goOn } = require("../src/begin");
  await goOn({ globalState });
  assert.deepStrictEqual(registered.shown, [], "another window is not its own");
  registered.folders.push({ uri: { fsPath: made } });
  await goOn({ globalState });
  await goOn({ globalState });
  assert.deepStrictEqual(registered.shown, [rules]);
  registered.choice = undefined;
  registered.done = [];
  await registered.commands["omerta.open"]();
  assert.deepStrictEqual(registered.done, [], "who chooses nothing gets nothing");
  // Every step of the walk has its page and leads to commands that there are.
  for (const { media, description } of manifest.contributes.walkthroughs[0].steps) {
    assert(fs.existsSync(path.join(__dirname, "..", media.markdown)), media.markdown);
    const commands = [...description.matchAll(/command:(omerta\.\w+)/g)].map(([, name]) => name);
    assert(commands.every((name) => registered.commands[name]), description);
  }

  // What a run says stays on the screen.
  registered.editor.document = { uri: { fsPath: path.join(folder, "tiny.play") } };
  await registered.commands["omerta.run"]();
  await new Promise((done) => setTimeout(done, 3000));
  assert(registered.said.includes("nobody wins, it says"), registered.said);

  const [, , run] = registered.profiles[0];
  await run({}, { onCancellationRequested() {} });
  assert.deepStrictEqual(told.passed, ["a wolf that is bitten loses"]);
  assert.deepStrictEqual(told.failed, [["nobody wins, it says", 9]]);
  assert(told.output.includes("line 10: "), told.output);
  assert.strictEqual(registered.saved, 1);
  await deactivate();
  fs.rmSync(folder, { recursive: true });
  console.log("the extension: all well");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
