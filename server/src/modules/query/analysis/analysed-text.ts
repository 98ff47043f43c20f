import {
  analyse,
  bindingCost,
  findMention,
  type Mention,
  type Quotes,
  readStatement,
  type Statement,
  type TooComplex,
} from '@boathouse/sql'
import { whyRefused } from './refused-names.ts'

interface RefusedName extends Mention {
  readonly why: string
}

/** One statement and all that its text says, whoever sends it. */
export interface AnalysedStatement extends Statement {
  /** What it names that no statement may, and why not. */
  readonly refusedName: RefusedName | null
  /** It calls nextval, the one thing by which a statement that reads leaves a trace. */
  readonly draws: boolean
  /** Where it becomes more than an engine may be asked to make sense of. */
  readonly tooComplex: TooComplex | null
}

export interface AnalysedText {
  readonly count: number
  /** All of them, or none when there are more than one text may have. */
  readonly statements: readonly AnalysedStatement[]
}

export const MOST_STATEMENTS = 500

function withMentions(statement: Statement): AnalysedStatement {
  let draws = false
  let why = null as string | null
  const found = findMention(statement, (name, isCalled) => {
    draws ||= isCalled && name.toLowerCase() === 'nextval'
    why = whyRefused(name, isCalled)
    return why !== null
  })
  const refusedName = found && why !== null ? { ...found, why } : null
  return { ...statement, refusedName, draws, tooComplex: bindingCost(statement).tooComplex }
}

/** Once for each text: it takes longer than all else that is done with it. */
export function analyseText(sql: string, quotes?: Quotes): AnalysedText {
  const { count, statements } = analyse(sql, MOST_STATEMENTS, quotes)
  return { count, statements: statements.map(withMentions) }
}

/** A text that is one statement. */
export const analyseStatement = (sql: string): AnalysedStatement => withMentions(readStatement(sql))
