/** One statement of a file of DuckDB's tests. What is expected of it is not read: the two are held against one another. */
export interface TestStatement {
  readonly sql: string
  readonly line: number
  /** Its rows count, and not only whether it runs. */
  readonly hasRows: boolean
}

export type TestFile = { readonly statements: readonly TestStatement[] } | { readonly leftOut: string }

/** These are in every DuckDB that the product has. */
const BUILT_IN = new Set([
  'core_functions',
  'icu',
  'json',
  'no_extension_autoloading',
  'skip_reload',
  'noforcestorage',
])
/** Commands that need a file, a second connection or another process. */
const OTHER_PROCESS = new Set([
  'load',
  'restart',
  'reconnect',
  'unzip',
  'concurrentloop',
  'concurrentforeach',
])
const NO_STATEMENT = new Set(['hash-threshold', 'set', 'tags', 'sleep', 'reset', 'continue', 'test-env'])
const NEEDS_FILES = /__TEST_DIR__|\{DATA_DIR\}|\{TEST_DIR\}|\{TEMP_DIR\}|\bdata\/|\.(?:csv|parquet|db|json)'/i

class LeftOut extends Error {}

interface Record {
  readonly words: readonly string[]
  readonly body: readonly string[]
  readonly line: number
}

/** A command with the lines that belong to it, up to an empty line. */
function recordsOf(text: string): Record[] {
  const records: Record[] = []
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const command = lines[at]?.trim() ?? ''
    if (command === '' || command.startsWith('#')) continue
    const line = at + 1
    const body: string[] = []
    const words = command.split(/\s+/)
    if (words[0] === 'statement' || words[0] === 'query')
      while (at + 1 < lines.length && (lines[at + 1] ?? '').trim() !== '') body.push(lines[++at] ?? '')
    records.push({ words, body, line })
  }
  return records
}

/** Numbers of `loop`, or words of `foreach`, of which some stand for several. */
const LISTS: Readonly<{ [name: string]: string }> = {
  '<integral>': 'tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint',
  '<signed>': 'tinyint smallint integer bigint hugeint',
  '<unsigned>': 'utinyint usmallint uinteger ubigint uhugeint',
  '<numeric>':
    'tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint float double',
  '<alltypes>':
    'tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint float double bool interval varchar',
}
const MOST_ROUNDS = 1000

function roundsOf([kind, , ...values]: readonly string[]): string[] {
  if (kind === 'foreach') return values.flatMap((value) => LISTS[value]?.split(' ') ?? [value])
  const [from, until] = values.map(Number)
  if (from === undefined || until === undefined || !(until - from <= MOST_ROUNDS))
    throw new LeftOut('a long loop')
  return Array.from({ length: until - from }, (_, at) => String(from + at))
}

const endOfLoop = (records: readonly Record[], from: number): number => {
  let depth = 0
  for (let at = from; at < records.length; at++) {
    const [word] = records[at]?.words ?? []
    if (word === 'loop' || word === 'foreach') depth++
    if (word === 'endloop' && --depth === 0) return at
  }
  throw new LeftOut('a loop without an end')
}

function statementsOf(records: readonly Record[], variables: ReadonlyMap<string, string>): TestStatement[] {
  const statements: TestStatement[] = []
  let isSkipped = false
  for (let at = 0; at < records.length; at++) {
    const record = records[at]
    if (!record) continue
    const [word = '', second = '', third = '', fourth = ''] = record.words
    if (word === 'mode') isSkipped = second === 'skip'
    else if (word === 'halt') break
    else if (isSkipped || NO_STATEMENT.has(word)) continue
    else if (word === 'loop' || word === 'foreach') {
      const end = endOfLoop(records, at)
      for (const value of roundsOf(record.words))
        statements.push(...statementsOf(records.slice(at + 1, end), new Map([...variables, [second, value]])))
      at = end
    } else if (word === 'require') requireKnown(second)
    else if (OTHER_PROCESS.has(word)) throw new LeftOut(word)
    else if (word === 'statement' || word === 'query') {
      if (isOfConnection(word === 'statement' ? [third] : [third, fourth]))
        throw new LeftOut('a second connection')
      statements.push({ sql: sqlOf(record.body, variables), line: record.line, hasRows: word === 'query' })
    } else throw new LeftOut(word)
  }
  return statements
}

function requireKnown(what: string): void {
  if (!BUILT_IN.has(what)) throw new LeftOut(`require ${what}`)
}

const isOfConnection = (words: readonly string[]): boolean => words.some((word) => /^con\w*$/i.test(word))

function sqlOf(body: readonly string[], variables: ReadonlyMap<string, string>): string {
  const end = body.findIndex((line) => line.startsWith('----'))
  const lines = body.slice(0, end < 0 ? body.length : end).filter((line) => !/^#(?:\s|$)/.test(line))
  let sql = lines.join('\n')
  for (const [name, value] of variables)
    sql = sql.replaceAll(`\${${name}}`, value).replaceAll(`{${name}}`, value)
  if (NEEDS_FILES.test(sql)) throw new LeftOut('a file')
  return sql
}

/** The statements of a file in the order in which they run, or why it is left out. */
export function readTestFile(text: string): TestFile {
  try {
    return { statements: statementsOf(recordsOf(text), new Map()) }
  } catch (error) {
    if (error instanceof LeftOut) return { leftOut: error.message }
    throw error
  }
}
