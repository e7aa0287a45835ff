// Line ends of `.mafia` files.
//
// A line end ends a statement or a declaration, unless the next line goes on with it. Which of the two it
// is, the first word of the next line says; so this looks ahead over blank lines and comments and names
// the line end after what it finds.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

enum Token {
  END,
  AFTER,
  BEFORE_OR,
  BEFORE_AND,
  BEFORE_JOINT,
  BEFORE_SIGN,
  BEFORE_BRACKET,
  BEFORE_WHEN,
  BEFORE_THEN,
  BEFORE_LIMIT,
  BEFORE_TEXT,
  BEFORE_SCRIPT,
  BEFORE_BRACE,
  NEVER,
};

// How far the line is indented that the present declaration begins with.
typedef struct {
  uint16_t indent;
} Scanner;

static const char *const JOINTS[] = {"plus", "without", "where", "else", NULL};

void *tree_sitter_mafia_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_mafia_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_mafia_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_mafia_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  memset(payload, 0, sizeof(Scanner));
  if (length == sizeof(Scanner)) memcpy(payload, buffer, length);
}

static bool is_blank(int32_t c) {
  return c == ' ' || c == '\t' || c == '\r' || c == 0xFEFF || c == 0xA0 || c == 0x202F || c == 0x3000;
}

static void skip_blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
}

// Whether a letter may stand in a word; letters beyond ASCII are in no word that is looked for.
static bool in_word(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c > 127;
}

static void read_word(TSLexer *lexer, char *word, unsigned room) {
  unsigned length = 0;
  while (in_word(lexer->lookahead)) {
    if (length + 1 < room) word[length++] = lexer->lookahead < 128 ? (char)lexer->lookahead : '?';
    lexer->advance(lexer, false);
  }
  word[length] = 0;
}

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++) {
    if (strcmp(word, *list) == 0) return true;
  }
  return false;
}

// What the next line begins with: the line end that may stand before it if the line goes on.
static enum Token next_line(TSLexer *lexer, unsigned from) {
  bool indented = lexer->get_column(lexer) > from;
  switch (lexer->lookahead) {
    case '{':
      return BEFORE_BRACE;
    case ')':
      return BEFORE_BRACKET;
    case '+':
    case '-':
    case '*':
      return BEFORE_SIGN;
    case '"':
      for (int quotes = 0; quotes < 3; quotes++) {
        if (lexer->lookahead != '"') return BEFORE_TEXT;
        lexer->advance(lexer, false);
      }
      return BEFORE_SCRIPT;
    default:
      break;
  }
  char word[16];
  read_word(lexer, word, sizeof word);
  if (strcmp(word, "or") == 0) return BEFORE_OR;
  if (strcmp(word, "and") == 0) return BEFORE_AND;
  if (is_one_of(word, JOINTS)) return BEFORE_JOINT;
  if (strcmp(word, "during") == 0) return BEFORE_WHEN;
  if (strcmp(word, "then") == 0) return BEFORE_THEN;
  if (strcmp(word, "replaces") == 0) return BEFORE_LIMIT;
  if (strcmp(word, "needs") == 0 || strcmp(word, "refuses") == 0) return indented ? BEFORE_LIMIT : END;
  if (strcmp(word, "when") == 0) {
    // `when called` begins a part of a role.
    skip_blanks(lexer);
    read_word(lexer, word, sizeof word);
    return strcmp(word, "called") == 0 ? END : BEFORE_WHEN;
  }
  return END;
}

// Goes to the first letter of the next line that is neither blank nor a comment; says whether that was a `/`.
static bool find_next_line(TSLexer *lexer) {
  for (;;) {
    if (is_blank(lexer->lookahead) || lexer->lookahead == '\n') {
      lexer->advance(lexer, false);
    } else if (lexer->lookahead == '/') {
      lexer->advance(lexer, false);
      if (lexer->lookahead != '/') return true;
      while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
    } else {
      return false;
    }
  }
}

bool tree_sitter_mafia_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead != '\n') return false;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  bool divides = find_next_line(lexer);
  uint32_t column = lexer->get_column(lexer);
  enum Token found = divides ? BEFORE_SIGN : next_line(lexer, scanner->indent);
  if (valid[NEVER] || !valid[found]) found = valid[END] ? END : AFTER;
  if (!valid[found]) return false;
  if (found == END) scanner->indent = column > UINT16_MAX ? UINT16_MAX : (uint16_t)column;
  lexer->result_symbol = found;
  return true;
}
