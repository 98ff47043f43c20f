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
import { type NameRules, whyRefused } from '../../../engines/engine/name-rules.ts'

interface RefusedName extends Mention {
  readonly why: string
}

/** One statement and all that its text says, independent of the requester. */
export interface AnalysedStatement extends Statement {
  /** What it names that no statement may, and why not. */
  readonly refusedName: RefusedName | null
  /** It reads, and yet leaves a trace, as by taking the next number of a sequence. */
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

function withMentions(statement: Statement, names: NameRules): AnalysedStatement {
  let draws = false
  let why = null as string | null
  const found = findMention(statement, (name, isCalled) => {
    draws ||= isCalled && names.drawingCalls.has(name.toLowerCase())
    why = whyRefused(names, name, isCalled)
    return why !== null
  })
  const refusedName = found && why !== null ? { ...found, why } : null
  return { ...statement, refusedName, draws, tooComplex: bindingCost(statement).tooComplex }
}

/** Once for each text: it takes longer than all else that the service does with it. */
export function analyseText(sql: string, names: NameRules, quotes?: Quotes): AnalysedText {
  const { count, statements } = analyse(sql, MOST_STATEMENTS, quotes)
  return { count, statements: statements.map((statement) => withMentions(statement, names)) }
}

/** A text that is one statement. */
export const analyseStatement = (sql: string, names: NameRules, quotes?: Quotes): AnalysedStatement =>
  withMentions(readStatement(sql, quotes), names)
