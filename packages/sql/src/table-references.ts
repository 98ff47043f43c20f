import type { PairedTokens } from './common-table-expressions.ts'
import { readCommonTableExpressions } from './common-table-expressions.ts'
import type { QualifiedName } from './names.ts'
import { readQualifiedName } from './names.ts'
import { matchParentheses } from './parentheses.ts'
import { significantTokens } from './significant-tokens.ts'

export interface TableReference {
  catalog?: string
  schema?: string
  name: string
  start: number
  end: number
}

const words = (list: string) => new Set(list.split(' '))

const WITHOUT_TABLES = words('SHOW GRANT REVOKE SET RESET USE KILL CALL')
const BETWEEN = words('IF NOT EXISTS ONLY LATERAL')
const ENDS_LIST = words(
  'SELECT WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH WINDOW QUALIFY UNION INTERSECT EXCEPT SET VALUES RETURNING WHEN',
)
const NOT_A_TABLE = new Set([
  ...ENDS_LIST,
  ...words(
    'FROM WITH TABLE INTO JOIN LEFT RIGHT FULL INNER CROSS NATURAL ASOF POSITIONAL ON USING AS CASE AND OR',
  ),
])
const UPDATES_NO_TABLE = words('DO THEN FOR ON OR')
const BEFORE_INTO = words('INSERT REPLACE IGNORE MERGE')

/** What stands between two parentheses: only a query's FROM names tables, EXTRACT(year FROM x) does not. */
interface Level {
  isQuery: boolean
  /** A comma is followed by another table. */
  isList: boolean
}

/**
 * The tables a statement seems to name after FROM, JOIN, INTO, UPDATE and TABLE, common table expressions left
 * out. A guess for completion, made from words alone: it knows no scopes, and of `a.b` it cannot tell whether
 * `a` is a schema or a catalog. What a user may touch is for the engine's parser to say.
 */
export function tableReferences(statementText: string): TableReference[] {
  const tokens = significantTokens(statementText)
  const paired = { text: statementText, tokens, partners: matchParentheses(tokens) }
  const keywordAt = (index: number) => tokens[index]?.keyword ?? ''
  const firstWord = keywordAt(0)
  if (WITHOUT_TABLES.has(firstWord)) return []

  const hidden = commonTableNames(paired)
  const references: TableReference[] = []
  const levels: Level[] = []
  let level: Level = { isQuery: true, isList: false }
  let expected: 'source' | 'target' | null = null

  for (let at = 0; at < tokens.length; at++) {
    const keyword = keywordAt(at)
    if (expected !== null && BETWEEN.has(keyword)) continue
    if (keyword === '(') {
      levels.push(level)
      level = { isQuery: false, isList: expected !== null }
      continue
    }
    if (keyword === ')') level = levels.pop() ?? level

    const name = expected && !NOT_A_TABLE.has(keyword) ? readQualifiedName(statementText, tokens, at) : null
    if (name !== null) {
      at = name.next - 1
      // FROM alias: table
      if (keywordAt(name.next) === ':') {
        at++
        continue
      }
      const isFunction = expected === 'source' && keywordAt(name.next) === '('
      expected = null
      if (!isFunction) addReference(references, name, hidden)
      continue
    }

    const isFirst = keywordAt(at - 1) === '('
    if (keyword === 'SELECT' || keyword === 'WITH' || (keyword === 'FROM' && isFirst)) level.isQuery = true
    if (ENDS_LIST.has(keyword)) level.isList = false
    expected = expectedAfter(keyword, { level, before: keywordAt(at - 1), firstWord })
    if (keyword === 'FROM' && expected !== null) level.isList = true
    if (keyword === 'TABLE' && firstWord === 'DROP') level.isList = true
  }
  return references
}

interface Place {
  level: Level
  before: string
  firstWord: string
}

function expectedAfter(keyword: string, { level, before, firstWord }: Place): 'source' | 'target' | null {
  switch (keyword) {
    case 'FROM':
      return level.isQuery && before !== 'DISTINCT' ? 'source' : null
    case 'JOIN':
      return 'source'
    case ',':
      return level.isList ? 'source' : null
    case 'USING':
      return firstWord === 'MERGE' || firstWord === 'DELETE' ? 'source' : null
    case 'INTO':
      return BEFORE_INTO.has(before) ? 'target' : null
    case 'UPDATE':
      return UPDATES_NO_TABLE.has(before) ? null : 'target'
    case 'TABLE':
      return 'target'
    default:
      return null
  }
}

function commonTableNames(paired: PairedTokens): Set<string> {
  const names = new Set<string>()
  for (const [at, token] of paired.tokens.entries()) {
    if (token.keyword !== 'WITH') continue
    for (const name of readCommonTableExpressions(paired, at)?.names ?? []) names.add(name.toLowerCase())
  }
  return names
}

function addReference(references: TableReference[], found: QualifiedName, hidden: Set<string>): void {
  const { parts, start, end } = found
  const [name, schema, catalog, ...others] = parts.toReversed()
  if (name === undefined || others.length > 0) return
  if (schema === undefined && hidden.has(name.toLowerCase())) return
  references.push({
    ...(catalog !== undefined && { catalog }),
    ...(schema !== undefined && { schema }),
    name,
    start,
    end,
  })
}
