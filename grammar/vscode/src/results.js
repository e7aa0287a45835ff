// What `omerta test --format json` says, scenario by scenario.

function resultsOf(document) {
  const results = [];
  for (const file of document.files) {
    for (const scenario of file.scenarios) {
      const said = scenario.problems.map((problem) =>
        [problem.place && `line ${problem.place.line}: ${problem.message}`, problem.label, problem.help]
          .filter(Boolean)
          .join("\n"),
      );
      results.push({ name: scenario.name, holds: scenario.passed, messages: said });
    }
  }
  return results;
}

module.exports = { resultsOf };
