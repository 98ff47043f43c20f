import {
  analyse,
  findMention,
  type Mention,
  type Quotes,
  readStatement,
  type Statement,
} from '@boathouse/sql'
import { reachesOutside } from './reach.ts'

/** One statement and all that its text says, whoever sends it. */
export interface AnalysedStatement extends Statement {
  /** What in it would reach outside the account's data. */
  readonly reach: Mention | null
  /** It calls nextval, the one thing by which a statement that reads leaves a trace. */
  readonly draws: boolean
}

export interface AnalysedText {
  readonly count: number
  /** All of them, or none when there are more than one text may have. */
  readonly statements: readonly AnalysedStatement[]
}

export const MOST_STATEMENTS = 500

function withMentions(statement: Statement): AnalysedStatement {
  let draws = false
  const reach = findMention(statement, (name, isCalled) => {
    draws ||= isCalled && name.toLowerCase() === 'nextval'
    return reachesOutside(name, isCalled)
  })
  return { ...statement, reach, draws }
}

/** Once for each text: it takes longer than all else that is done with it. */
export function analyseText(sql: string, quotes?: Quotes): AnalysedText {
  const { count, statements } = analyse(sql, MOST_STATEMENTS, quotes)
  return { count, statements: statements.map(withMentions) }
}

/** A text that is one statement. */
export const analyseStatement = (sql: string): AnalysedStatement => withMentions(readStatement(sql))
