// Line ends of `.play` files.
//
// A line end ends a line of the scenario, unless the next one goes on with it. Which of the two it is, the
// first sign of the next line says; so this looks ahead over blank lines and comments and names the line
// end after what it finds.

#include "tree_sitter/parser.h"

enum Token {
  END,
  AFTER,
  BEFORE_TEXT,
  BEFORE_BRACE,
  NEVER,
};

void *tree_sitter_play_external_scanner_create(void) { return NULL; }

void tree_sitter_play_external_scanner_destroy(void *payload) { (void)payload; }

unsigned tree_sitter_play_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}

void tree_sitter_play_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_blank(int32_t c) {
  return c == ' ' || c == '\t' || c == '\r' || c == 0xFEFF || c == 0xA0 || c == 0x202F || c == 0x3000;
}

// Goes to the first letter of the next line that is neither blank nor a comment.
static void find_next_line(TSLexer *lexer) {
  for (;;) {
    if (is_blank(lexer->lookahead) || lexer->lookahead == '\n') {
      lexer->advance(lexer, false);
    } else if (lexer->lookahead == '/') {
      while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
    } else {
      return;
    }
  }
}

bool tree_sitter_play_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead != '\n') return false;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  find_next_line(lexer);
  enum Token found = END;
  if (lexer->lookahead == '{') found = BEFORE_BRACE;
  if (lexer->lookahead == '"') found = BEFORE_TEXT;
  if (valid[NEVER] || !valid[found]) found = valid[END] ? END : AFTER;
  if (!valid[found]) return false;
  lexer->result_symbol = found;
  return true;
}
