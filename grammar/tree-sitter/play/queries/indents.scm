[
  (common)
  (section)
  (cases)
] @indent.begin

"}" @indent.branch @indent.end
