// Scenarios in the editor's view of tests: found by the outline that the server gives, run by the program.

const vscode = require("vscode");
const path = require("path");
const { execFile } = require("child_process");
const { resultsOf } = require("./results");

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

  async function outline(document) {
    const { client } = parts();
    if (!client || document.languageId !== "play") {
      return;
    }
    const uri = document.uri;
    const found = await client.sendRequest("textDocument/documentSymbol", {
      textDocument: { uri: uri.toString() },
    });
    const file = controller.createTestItem(uri.toString(), path.basename(uri.fsPath), uri);
    for (const one of found || []) {
      if (one.detail && one.detail !== "play") {
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
  const look = (document) => outline(document).catch(() => {});
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidSaveTextDocument(look),
  );
  vscode.workspace.textDocuments.forEach(look);
}

/** What came of a scenario: of all its cases together. */
function tell(asked, item, results) {
  const own = results.filter((result) => result.name === item.label || result.name.startsWith(`${item.label} (`));
  const broken = own.filter((result) => !result.holds);
  if (own.length === 0) {
    asked.skipped(item);
  } else if (broken.length === 0) {
    asked.passed(item);
  } else {
    const messages = broken.flatMap((result) => result.messages).map((words) => new vscode.TestMessage(words));
    asked.failed(item, messages.length ? messages : [new vscode.TestMessage("it does not hold")]);
  }
}

module.exports = { addTests };
