// Starts the program as a language server and puts scenarios into the editor's own view of tests.
//
// All that is known of rules and scenarios comes from the program; here it is only found, started and asked.

const vscode = require("vscode");
const path = require("path");
const { spawn } = require("child_process");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { findProgram, HOW_TO_GET_IT } = require("./program");
const { addTests } = require("./tests");
const { openGame, beginOwn, goOn } = require("./begin");

let client;

/** Says that there is no program, and how to get it. */
async function missing() {
  const open = "Open the setting";
  const chosen = await vscode.window.showWarningMessage(HOW_TO_GET_IT, open);
  if (chosen === open) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "omerta.path");
  }
}

async function start() {
  const program = await findProgram(vscode.workspace.getConfiguration("omerta").get("path"));
  if (!program) {
    // Nobody has to answer before the commands are there.
    missing();
    return undefined;
  }
  client = new LanguageClient(
    "omerta",
    "Omerta",
    { command: program, args: ["lsp"], transport: TransportKind.stdio },
    {
      documentSelector: [{ language: "mafia" }, { language: "play" }],
      middleware: { executeCommand: async (command, words, next) => showAt(words, await next(command, words)) },
    },
  );
  await client.start();
  return program;
}

/** Goes to where a stepped game stands, and opens what is told there. */
async function showAt(words, range) {
  const editor = vscode.window.activeTextEditor;
  if (range && range.start && editor && editor.document.uri.toString() === vscode.Uri.parse(words[0]).toString()) {
    const at = new vscode.Position(range.start.line, range.start.character);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    await toldAt(editor.document.uri, at);
    // The editor takes a moment to lay what it was told over the text.
    await new Promise((done) => setTimeout(done, 250));
    await vscode.commands.executeCommand("editor.action.showHover");
  }
  return range;
}

/** Waits until something is told at a place: the words of a step may come behind its answer. */
function toldAt(uri, at) {
  const isTold = () =>
    vscode.languages
      .getDiagnostics(uri)
      .some((told) => told.severity === vscode.DiagnosticSeverity.Information && told.range.contains(at));
  return new Promise((resolve) => {
    if (isTold()) {
      resolve();
      return;
    }
    const heard = vscode.languages.onDidChangeDiagnostics(() => isTold() && done());
    const timer = setTimeout(done, 1000);
    function done() {
      clearTimeout(timer);
      heard.dispose();
      resolve();
    }
  });
}

/** The file in front: of the editor that is written in, or of one beside it. */
function inFront(ending) {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const files = editors.filter(Boolean).map((editor) => editor.document.uri.fsPath);
  return files.find((file) => file.endsWith(ending));
}

/** The program in a terminal that stays when it has ended, beside the file in front. */
function inTerminal(program, words, file) {
  const execution = new vscode.ProcessExecution(program, [...words, path.basename(file)], { cwd: path.dirname(file) });
  const task = new vscode.Task({ type: "omerta", words }, vscode.TaskScope.Workspace, path.basename(file), "Omerta", execution, []);
  task.presentationOptions = { focus: true, clear: true, showReuseMessage: false };
  return vscode.tasks.executeTask(task);
}

/** What the program says of a file, where the editor shows what is printed: no folder has to be trusted for that. */
function shown(output, program, words, file) {
  output.clear();
  output.show(true);
  const child = spawn(program, [...words, path.basename(file)], { cwd: path.dirname(file) });
  [child.stdout, child.stderr].forEach((stream) => stream.on("data", (text) => output.append(String(text))));
  child.on("error", (error) => output.append(error.message));
}

/** Does something with the file in front, or says that one is wanted. */
function withFile(ending, run) {
  const file = inFront(ending);
  return file ? run(file) : vscode.window.showInformationMessage(`Open a file that ends in ${ending} first.`);
}

/** Plays the rules in front, by as many as somebody says. */
async function play(program, file) {
  const many = await vscode.window.showInputBox({
    title: "How many play?",
    prompt: "Leave it empty for the usual number",
    validateInput: (many) => (/^\d*$/.test(many.trim()) ? undefined : "A number, or nothing"),
  });
  if (many !== undefined) {
    await inTerminal(program, many.trim() ? ["play", "--players", many.trim()] : ["play"], file);
  }
}

/** A command of the server for the line on which the cursor stands. */
function here(command) {
  const editor = vscode.window.activeTextEditor;
  if (editor && client) {
    const words = [editor.document.uri.toString(), editor.selection.active.line];
    return client.sendRequest("workspace/executeCommand", { command, arguments: words }).then((range) => showAt(words, range));
  }
  return undefined;
}

async function activate(context) {
  let program = await start();
  const output = vscode.window.createOutputChannel("Omerta runs");
  context.subscriptions.push(output);
  // Whoever was told how to get the program may have got it since.
  const withProgram = (run) => async () => {
    program = program || (await start());
    return program && run(context, program);
  };
  const commands = {
    "omerta.open": withProgram(openGame),
    "omerta.new": withProgram(beginOwn),
    "omerta.play": withProgram(() => withFile(".mafia", (file) => play(program, file))),
    "omerta.run": withProgram(() => withFile(".play", (file) => shown(output, program, ["run"], file))),
    "omerta.stepHere": () => here("omerta.step"),
    "omerta.leaveHere": () => here("omerta.endStepping"),
    "omerta.acceptHere": () => here("omerta.acceptSnapshot"),
    "omerta.restart": async () => {
      await deactivate();
      program = await start();
    },
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  addTests(context, () => ({ program, client }));
  const isDone = (step) => vscode.commands.executeCommand("setContext", `omerta.${step}`, true);
  const areRules = (document) => document.languageId === "mafia";
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument((document) => areRules(document) && isDone("opened")),
    vscode.workspace.onDidChangeTextDocument((change) => areRules(change.document) && change.contentChanges.length && isDone("changed")),
  );
  await goOn(context);
  return { program: () => program, client: () => client };
}

async function deactivate() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop();
  }
}

module.exports = { activate, deactivate };
