// A folder to begin in: a bundled game whole, or rules of one's own. What there is, the program says.

const vscode = require("vscode");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFile } = require("child_process");

/** What a folder that was just made is kept under, until its window is open. */
const MADE = "omerta.made";
const FIRST_STEPS = "omerta.omerta#first-steps";

const OWN = [
  { label: "A house rule", detail: "A small change to a bundled game", words: ["--template", "house-rule"] },
  { label: "A card", detail: "A new role for a bundled game", words: ["--template", "role"] },
  { label: "A modification", detail: "With an option, for two bundled games", words: ["--template", "overlay"] },
  { label: "A game", detail: "Whole, and small", words: ["--template", "game"] },
];

/** What the program prints. */
function said(program, words) {
  return new Promise((resolve, reject) => {
    execFile(program, words, { maxBuffer: 1 << 24 }, (error, out, told) => (error ? reject(new Error(told || String(error))) : resolve(out)));
  });
}

/** The bundled games, as they are offered. */
async function games(program) {
  const all = JSON.parse(await said(program, ["list", "--json"]));
  return all
    .filter((one) => one.sort === "ruleset")
    .map(({ name, title, players }) => ({
      label: title,
      description: name,
      detail: players && (players.from === players.to ? `${players.from} players` : `${players.from} to ${players.to} players`),
      name,
      words: ["--copy", name],
    }));
}

/** A path that is not taken: the name, or the name with a number. */
function free(folder, name) {
  const wanted = (n) => path.join(folder, n === 1 ? name : `${name}-${n}`);
  let n = 1;
  while (fs.existsSync(wanted(n))) {
    n += 1;
  }
  return wanted(n);
}

/** Where the folder shall be; nothing where somebody thinks better of it. */
async function place() {
  const open = vscode.workspace.workspaceFolders;
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    // Beside what is open, and not inside it.
    defaultUri: vscode.Uri.file(open && open.length ? path.dirname(open[0].uri.fsPath) : os.homedir()),
    openLabel: "Put it here",
    title: "Where shall the new folder be?",
  });
  return chosen && chosen[0].fsPath;
}

/** Makes a folder and opens it; its rules come to the front when its window is there. */
async function make(context, program, what, name) {
  const home = await place();
  if (!home) {
    return;
  }
  const folder = free(home, name);
  let written;
  try {
    written = await said(program, ["new", folder, ...what.words]);
  } catch (error) {
    await vscode.window.showErrorMessage(error.message);
    return;
  }
  const files = written.split("\n").filter((line) => line.endsWith(".mafia"));
  const rules = files.find((file) => path.basename(file) === `${what.name}.mafia`) || files[0];
  const isOpen = (vscode.workspace.workspaceFolders || []).some((one) => folder.startsWith(one.uri.fsPath + path.sep));
  if (isOpen) {
    await show({ rules });
    return;
  }
  await context.globalState.update(MADE, { folder, rules, isFirst: what.words[0] === "--copy" });
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder));
}

async function openGame(context, program) {
  const what = await vscode.window.showQuickPick(await games(program), {
    title: "Which game?",
    placeHolder: "You get a copy of it with its scenarios, to read, play and change",
    matchOnDescription: true,
  });
  if (what) {
    await make(context, program, what, what.name);
  }
}

async function beginOwn(context, program) {
  const what = await vscode.window.showQuickPick(OWN, { title: "What is it to be?" });
  const name = what && (await vscode.window.showInputBox({ title: "What is it called?", value: "my-rules" }));
  if (name) {
    await make(context, program, what, path.basename(name.trim()) || "my-rules");
  }
}

/** Rules at the front; beside a game that was opened, the first steps. */
async function show({ rules, isFirst }) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(rules));
  await vscode.window.showTextDocument(document, { preview: false });
  if (isFirst) {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", FIRST_STEPS, true);
  }
}

/** Shows what was made, once, in the window that was opened for it. */
async function goOn(context) {
  const made = context.globalState.get(MADE);
  const here = (vscode.workspace.workspaceFolders || []).map((one) => one.uri.fsPath);
  if (made && here.includes(made.folder)) {
    await context.globalState.update(MADE, undefined);
    await show(made);
  }
}

module.exports = { games, free, openGame, beginOwn, goOn };
