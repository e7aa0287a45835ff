// What `omerta test --format json` says, scenario by scenario.

function resultsOf(document) {
  const results = [];
  for (const file of document.files) {
    for (const scenario of file.scenarios) {
      const said = scenario.problems.map((problem) => ({
        line: problem.place && problem.place.line,
        words: [problem.message, problem.label, problem.help].filter(Boolean).join("\n"),
      }));
      results.push({ name: scenario.name, holds: scenario.passed, messages: said });
    }
  }
  return results;
}

/** Whether a scenario is one of those that a title stands for: its cases have their values in it, or behind it. */
function isOf(title, name) {
  const plain = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const parts = title.split(/\{[^{}]*\}/).map(plain);
  return new RegExp(`^${parts.join(".*")}( \\(.*\\))?$`, "s").test(name);
}

module.exports = { resultsOf, isOf };
