-- A real editor and the real program: opens a ruleset with a slip, sees it, takes the repair, calls a mark otherwise.
-- Run by tests/editors/clients/neovim, which names the program and a folder.

local program, folder = vim.env.OMERTA, vim.env.FOLDER

local function fail(words)
  io.stdout:write("neovim: " .. words .. "\n")
  vim.cmd("cquit 1")
end

local function wait_for(what, holds)
  if not vim.wait(60000, holds, 50) then
    fail("never came: " .. what)
  end
end

local function run()
  vim.cmd("edit " .. folder .. "/tiny.mafia")
  local id = vim.lsp.start_client({ name = "omerta", cmd = { program, "lsp" }, root_dir = folder })
  vim.lsp.buf_attach_client(0, id)
  wait_for("the mistake", function()
    return #vim.diagnostic.get(0) > 0
  end)
  local found = vim.diagnostic.get(0)[1]
  local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, false)[1]
  local there = line:sub(found.col + 1, found.end_col)
  if there ~= "biten" then
    fail("the mistake stands at `" .. there .. "`: " .. line)
  end
  -- The repair.
  local client = vim.lsp.get_client_by_id(id)
  local function ask(method, params)
    local answer = client.request_sync(method, params, 20000, 0)
    if not answer or answer.err then
      fail(method .. ": " .. vim.inspect(answer and answer.err))
    end
    return answer.result
  end
  local document = vim.lsp.util.make_text_document_params(0)
  vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
  local range = vim.lsp.util.make_range_params(0, client.offset_encoding).range
  local actions = ask("textDocument/codeAction", {
    textDocument = document,
    range = range,
    context = { diagnostics = {} },
  })
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
  wait_for("the silence after the repair", function()
    return #vim.diagnostic.get(0) == 0
  end)
  -- Another name for the mark.
  local text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local edit
  for number, words in ipairs(text) do
    if words:match("^mark bitten") then
      edit = ask("textDocument/rename", {
        textDocument = document,
        position = { line = number - 1, character = 6 },
        newName = "gnawed",
      })
    end
  end
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
  local now = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  if now:find("bitten", 1, true) or not now:find('say "🐺"; mark prey as gnawed', 1, true) then
    fail("renamed to\n" .. now)
  end
  io.stdout:write("neovim: all well\n")
  vim.cmd("quitall!")
end

local done, told = pcall(run)
if not done then
  fail(tostring(told))
end
