import { Lexer, TOKEN, type TokenKind } from '@boathouse/sql'

interface Word {
  readonly text: string
  readonly kind: TokenKind
  /** Blanks stood before it. */
  readonly isApart: boolean
}

/** Beyond it nobody reads on, and a page would be slow. */
const LONGEST = 50_000

const INDENT = '  '

/** Begin a line of their own in a query, outside of brackets. */
const CLAUSES = new Set(
  'select from where group having qualify window order limit offset union intersect except with'.split(' '),
)
/** Of a join, whose first word begins the line. */
const JOINS = new Set('join inner outer left right full cross natural asof positional semi anti'.split(' '))

function wordsOf(sql: string): Word[] | null {
  const words: Word[] = []
  const lexer = new Lexer(sql)
  let isApart = false
  while (lexer.next()) {
    const text = sql.slice(lexer.start, lexer.end)
    // A comment may end with its line, and what has lines of its own was laid out by somebody.
    if (lexer.kind === TOKEN.comment || (lexer.kind === TOKEN.whitespace && text.includes('\n'))) return null
    if (lexer.kind === TOKEN.whitespace) isApart = true
    else {
      words.push({ text, kind: lexer.kind, isApart })
      isApart = false
    }
  }
  return words
}

/** Puts words one behind the other; a line break takes the place of the blanks before a word. */
function createLines() {
  let text = ''
  return {
    add: ({ text: word, isApart }: Word) => {
      text += isApart && /\S$/.test(text) ? ` ${word}` : word
    },
    break: (indent: number) => {
      text = `${text.trimEnd()}\n${INDENT.repeat(indent)}`
    },
    text: () => text,
  }
}

/** One column or constraint a line. */
function tableLines(words: readonly Word[]): string {
  const lines = createLines()
  let depth = 0
  for (const word of words) {
    if (word.text === ')' && --depth === 0) lines.break(0)
    lines.add(word)
    if (word.text === '(' && ++depth === 1) lines.break(1)
    if (word.text === ',' && depth === 1) lines.break(1)
  }
  return lines.text()
}

/** One clause a line, and of a list that is selected one item. */
function queryLines(words: readonly Word[]): string {
  const lines = createLines()
  let depth = 0
  let clause = ''
  words.forEach((word, at) => {
    const name = word.kind === TOKEN.word ? word.text.toLowerCase() : ''
    const before = words[at - 1]?.text.toLowerCase() ?? ''
    if (word.text === ')') depth--
    // LEFT and RIGHT are functions too.
    const isName = before === '.' || (/^(?:left|right)$/.test(name) && words[at + 1]?.text === '(')
    const begins = depth === 0 && !isName && (CLAUSES.has(name) || (JOINS.has(name) && !JOINS.has(before)))
    if (begins && at > 0) lines.break(0)
    if (begins) clause = name
    lines.add(word)
    if (word.text === '(') depth++
    if (word.text === ',' && depth === 0 && clause === 'select') lines.break(1)
  })
  return lines.text()
}

const isWord = (word: Word | undefined, name: string): boolean =>
  word?.kind === TOKEN.word && word.text.toLowerCase() === name

/** A definition on lines, as the engine gives it on one. Only blanks between words are others. */
export function prettyDdl(sql: string): string {
  const words = sql.length > LONGEST ? null : wordsOf(sql.trim())
  if (!words || !isWord(words[0], 'create')) return sql
  const as = words.findIndex((word) => isWord(word, 'as'))
  if (as > 0) {
    const head = createLines()
    for (const word of words.slice(0, as + 1)) head.add(word)
    return `${head.text()}\n${queryLines(words.slice(as + 1))}`
  }
  return words.some(({ text }) => text === '(') ? tableLines(words) : sql
}
