import { createReadStream } from 'node:fs'
import type { Session } from '@boathouse/client/public/index'
import type { Format, Text } from './options.ts'
import type { Screen } from './output/printer.ts'
import { type Ending, runStatement } from './run-statement.ts'
import { createStatementBuffer } from './statement-buffer.ts'

export interface Script {
  readonly session: Session
  readonly format: Format
  readonly force: boolean
  readonly out: Screen
  readonly err: Screen
  readonly signal: AbortSignal
}

/** The statements of a text, one after the other as they arrive: a file may be larger than memory. */
export async function* statementsOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const buffer = createStatementBuffer()
  for await (const chunk of chunks) yield* buffer.add(chunk)
  yield* buffer.rest()
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

const chunksOf = (text: Text, input: NodeJS.ReadStream): AsyncIterable<string> => {
  if ('sql' in text) return once(text.sql)
  if (text.file === '-') return input.setEncoding('utf8') as AsyncIterable<string>
  return createReadStream(text.file, 'utf8') as AsyncIterable<string>
}

/** Runs texts until one of their statements fails, or all of them if that is wanted. */
export async function runScript(
  texts: readonly Text[],
  input: NodeJS.ReadStream,
  script: Script,
): Promise<Ending> {
  let hasFailed = false
  for (const text of texts)
    for await (const sql of statementsOf(chunksOf(text, input))) {
      const ending = await runStatement(sql, script)
      if (ending === 'stopped') return ending
      if (ending === 'failed' && !script.force) return ending
      hasFailed ||= ending === 'failed'
    }
  return hasFailed ? 'failed' : 'done'
}
