import {
  keywordAt,
  kindAt,
  quoteString,
  readStatement,
  rendered,
  type RenderingRules,
  type Rewriting,
  STANDARD_QUOTES,
  stringAt,
  TOKEN,
  withValues,
} from '@boathouse/sql'
import type { SessionVariable } from '../engine/session.ts'
import type { Written } from '../engine/written.ts'

/** What a text may ask of its session, which the cluster knows nothing of. */
interface AskedSession {
  /** By names in small letters. */
  readonly variables: Readonly<Record<string, SessionVariable>>
  readonly roles: string
}

/** In a text it stands for the value of a variable of the session. */
const VARIABLE_CALL = 'SESSION_VARIABLE'

/** Types that another engine may have named so, and that mean the same here. */
const SHARED_TYPE =
  /^(?:BOOLEAN|TINYINT|SMALLINT|INTEGER|BIGINT|REAL|DOUBLE|DATE|VARCHAR|DECIMAL\(\d+, ?\d+\))$/i

export function literalOf({ text, type }: SessionVariable): string {
  const value = text === null ? 'NULL' : quoteString(text)
  return `CAST(${value} AS ${SHARED_TYPE.test(type) ? type : 'VARCHAR'})`
}

const valueOf = ({ variables }: AskedSession, name: string): string => {
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
  return literalOf(variable ?? { text: null, type: 'VARCHAR' })
}

function rulesFor(session: AskedSession): RenderingRules {
  return {
    words: new RegExp(String.raw`\b(?:${VARIABLE_CALL}|current_role)\b`, 'i'),
    note(piece, edits) {
      for (let at = piece.first; at < piece.until; at++) {
        const word = kindAt(piece, at) === TOKEN.word ? keywordAt(piece, at) : ''
        if (word === 'CURRENT_ROLE' && keywordAt(piece, at - 1) !== '.')
          edits.set(at, quoteString(session.roles))
        const isCall =
          word === VARIABLE_CALL && keywordAt(piece, at + 1) === '(' && keywordAt(piece, at + 3) === ')'
        if (isCall && kindAt(piece, at + 2) === TOKEN.string)
          edits.replace(at, at + 3, valueOf(session, stringAt(piece, at + 2).toLowerCase()))
      }
    },
  }
}

const NOT_WRITTEN: Written = { quotes: STANDARD_QUOTES, systemVariables: {}, variables: {} }

/** A text in the cluster's words; null where these are the same. */
export function render(text: string, written: Written | undefined, session: AskedSession): Rewriting | null {
  const { quotes, systemVariables, variables, userVariables = [] } = written ?? NOT_WRITTEN
  const values = Object.entries(variables).map(
    ([parameter, name]) => [parameter, valueOf(session, name)] as const,
  )
  const bound = values.length === 0 ? text : withValues(readStatement(text, quotes), new Map(values))
  const used = Object.fromEntries(userVariables.map((name) => [name, valueOf(session, name)]))
  const rules = rulesFor(session)
  const rewriting = rendered(bound, { quotes, systemVariables, userVariables: used, rules })
  return rewriting ?? (bound === text ? null : { text: bound, moves: [] })
}
