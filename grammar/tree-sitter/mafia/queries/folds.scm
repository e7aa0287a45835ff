[
  (overlay)
  (section)
  (parts)
  (block)
  (menu)
  (cast_item)
  (script_text)
] @fold
