[
  (overlay)
  (section)
  (parts)
  (block)
  (menu)
  (cast_item)
  (group)
] @indent.begin

["}" ")"] @indent.branch @indent.end
