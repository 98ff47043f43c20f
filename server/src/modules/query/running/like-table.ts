import { objectOf } from '@boathouse/contract'
import {
  type CreateLikeStatement,
  quoteIdentifier,
  readCreateLike,
  readStatement,
  tableBody,
} from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Analyses } from '../analysis/analyses.ts'
import { placeNamed } from '../sessions/named-place.ts'
import { NO_ROWS } from '../sessions/own-rows.ts'
import type { Answer, SessionTools } from '../sessions/session-tools.ts'
import type { Ending } from './ending.ts'

export interface LikeParts {
  readonly analyses: Pick<Analyses, 'one'>
  answer(answer: Answer): Promise<Ending>
  /** Runs it in the words of the engine. */
  run(statement: AnalysedStatement): Promise<Ending>
}

const missing = (name: string) =>
  new AppError('QueryFailed', `Table '${name}' does not exist, or you may not see it.`, {
    detail: 'missing-table',
  })

/** What creates the other table, to somebody who may read it. */
async function definitionOf(like: readonly string[], tools: SessionTools): Promise<string> {
  const name = like.at(-1) ?? ''
  const place = await placeNamed(like.slice(0, -1), tools)
  const isSeen = await tools.may({ privilege: 'SELECT', object: objectOf('table', { ...place, name }) })
  const definition = isSeen
    ? await tools.lookInEngine(async ({ descriptions }, asking) => {
        const found = await descriptions?.in(asking).definition({ ...place, name, type: 'table' })
        return found ?? null
      })
    : null
  const body = definition === null ? null : tableBody(readStatement(definition))
  if (body === null) throw missing(like.join('.'))
  return body
}

/**
 * CREATE TABLE a LIKE b: columns, defaults and keys as they are in b, and no rows. What b is made of is looked up for its
 * reader, and then another statement is run, judged and authorized as if it were sent. Null for all others.
 */
export function likeTable(parts: LikeParts, statement: AnalysedStatement): Promise<Ending> | null {
  const read = statement.kind === 'create-table' ? readCreateLike(statement) : null
  return read && createLike(parts, read)
}

async function createLike({ analyses, answer, run }: LikeParts, read: CreateLikeStatement): Promise<Ending> {
  let text = ''
  const looked = await answer(async (_, tools) => {
    text = `${await headOf(read, tools)} ${await definitionOf(read.like, tools)}`
    return { result: NO_ROWS }
  })
  return looked.state === 'finished' ? run(analyses.one(text)) : looked
}

/** With its whole name: to clients of MySQL a catalog is a part of the name of a database. */
async function headOf(
  { temporary, lenient, name }: CreateLikeStatement,
  tools: SessionTools,
): Promise<string> {
  const table = name.at(-1) ?? ''
  const place = temporary ? null : await placeNamed(name.slice(0, -1), tools)
  const path = place ? [place.catalog, place.database, table] : [table]
  return `CREATE ${temporary ? 'TEMPORARY ' : ''}TABLE ${lenient ? 'IF NOT EXISTS ' : ''}${path.map(quoteIdentifier).join('.')}`
}
