[
  (play)
  (common)
  (section)
  (cases)
] @fold
