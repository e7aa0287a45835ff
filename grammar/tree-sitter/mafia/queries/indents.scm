[
  (overlay)
  (section)
  (parts)
  (block)
  (menu)
  (cast_item)
  (policy_item)
  (group)
] @indent.begin

["}" ")"] @indent.branch @indent.end
