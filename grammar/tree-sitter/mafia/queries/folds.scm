[
  (overlay)
  (section)
  (parts)
  (block)
  (menu)
  (cast_item)
  (policy_item)
  (script_text)
] @fold
