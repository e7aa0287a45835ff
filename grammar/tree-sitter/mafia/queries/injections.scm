; What stands between three quotes is Rhai.
((script_body) @injection.content
  (#set! injection.language "rhai"))
