// Scenarios in the editor's view of tests: found by the outline that the server gives, run by the program.

const vscode = require("vscode");
const path = require("path");
const { execFile } = require("child_process");
const { resultsOf, isOf } = require("./results");

/** How many files of scenarios are looked for in the folders that are open. */
const MOST_FILES = 500;

/** Asks the program for the results of a file, as JSON. */
function run(program, file, token) {
  return new Promise((resolve, reject) => {
    const words = ["test", "--format", "json", path.basename(file)];
    const child = execFile(
      program,
      words,
      { cwd: path.dirname(file), maxBuffer: 1 << 26 },
      (error, out, told) => {
        // Scenarios that do not hold are no error of the program.
        try {
          resolve(resultsOf(JSON.parse(out)));
        } catch {
          reject(new Error(told || String(error)));
        }
      },
    );
    token.onCancellationRequested(() => child.kill());
  });
}

function addTests(context, parts) {
  const controller = vscode.tests.createTestController("omerta", "Omerta scenarios");
  context.subscriptions.push(controller);

  async function outline(uri) {
    const { client } = parts();
    if (!client || !uri.fsPath.endsWith(".play")) {
      return;
    }
    const found = await client.sendRequest("textDocument/documentSymbol", {
      textDocument: { uri: uri.toString() },
    });
    const file = controller.createTestItem(uri.toString(), path.basename(uri.fsPath), uri);
    for (const one of found || []) {
      if (one.detail !== "play") {
        continue;
      }
      const item = controller.createTestItem(`${uri}#${one.name}`, one.name, uri);
      const { start, end } = one.range;
      item.range = new vscode.Range(start.line, start.character, end.line, end.character);
      file.children.add(item);
    }
    controller.items.add(file);
  }

  async function runAll(request, token) {
    const asked = controller.createTestRun(request);
    const wanted = new Map();
    const add = (item) => {
      const home = item.parent || item;
      const all = wanted.get(home) || new Set();
      (item.parent ? [item] : [...item.children].map(([, child]) => child)).forEach((one) => all.add(one));
      wanted.set(home, all);
    };
    (request.include || [...controller.items].map(([, item]) => item)).forEach(add);
    // The program reads files: what is on the screen is what shall be run.
    const written = vscode.workspace.textDocuments.filter(
      (one) => one.isDirty && ["mafia", "play"].includes(one.languageId),
    );
    await Promise.all(written.map((one) => one.save()));
    for (const [file, items] of wanted) {
      items.forEach((item) => asked.started(item));
      try {
        const results = await run(parts().program, file.uri.fsPath, token);
        for (const item of items) {
          tell(asked, item, results);
        }
      } catch (error) {
        items.forEach((item) => asked.errored(item, new vscode.TestMessage(error.message)));
      }
    }
    asked.end();
  }

  controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, runAll, true);
  const look = (uri) => outline(uri).catch(() => {});
  const lookAt = (document) => look(document.uri);
  const files = vscode.workspace.createFileSystemWatcher("**/*.play");
  files.onDidCreate(look);
  files.onDidDelete((uri) => controller.items.delete(uri.toString()));
  context.subscriptions.push(
    files,
    vscode.workspace.onDidOpenTextDocument(lookAt),
    vscode.workspace.onDidSaveTextDocument(lookAt),
  );
  vscode.workspace.textDocuments.forEach(lookAt);
  vscode.workspace.findFiles("**/*.play", undefined, MOST_FILES).then((found) => found.forEach(look));
}

/** What came of a scenario: of all its cases together. */
function tell(asked, item, results) {
  const own = results.filter((result) => isOf(item.label, result.name));
  const broken = own.filter((result) => !result.holds);
  if (own.length === 0) {
    asked.skipped(item);
  } else if (broken.length === 0) {
    asked.passed(item);
  } else {
    const messages = broken.flatMap((result) => result.messages).map(({ line, words }) => {
      const message = new vscode.TestMessage(words);
      if (line) {
        message.location = new vscode.Location(item.uri, new vscode.Position(line - 1, 0));
      }
      return message;
    });
    asked.failed(item, messages.length ? messages : [new vscode.TestMessage("it does not hold")]);
  }
  const shown = broken.flatMap((result) => result.messages.map(({ line, words }) => `  line ${line}: ${words}`));
  const lines = [`${item.label}: ${broken.length ? "does not hold" : "holds"}`, ...shown];
  asked.appendOutput(`${lines.join("\n").replace(/\n/g, "\r\n")}\r\n`, undefined, item);
}

module.exports = { addTests };
