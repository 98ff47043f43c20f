import type { Cell } from '../engine/rows.ts'
import type { EngineError } from '../engine/outcome.ts'
import { Refused } from './refused.ts'
import type { Selected } from './select.ts'
import type { Type } from './statements.ts'

/** What a test wants to be answered, whatever the statement says. */
export interface ScriptedAnswer {
  /** It runs until then. */
  readonly after?: Promise<unknown>
  /** The engine ends under it, for this reason. */
  readonly loses?: string
  readonly error?: EngineError
  readonly columns?: readonly { readonly name: string; readonly type: Type }[]
  readonly rows?: readonly (readonly Cell[])[]
}

/** Answers by the text of the statement, in the order in which they are given. */
export class Script {
  private readonly answers = new Map<string, ScriptedAnswer[]>()

  add(sql: string, answers: readonly ScriptedAnswer[]): void {
    this.answers.set(sql, [...(this.answers.get(sql) ?? []), ...answers])
  }

  take(sql: string): ScriptedAnswer | null {
    return this.answers.get(sql)?.shift() ?? null
  }
}

/** Never resolves for one that loses its engine: the loss is reported to those who wait. */
export async function play(answer: ScriptedAnswer, lose: (reason: string) => void): Promise<Selected> {
  await answer.after
  if (answer.loses !== undefined) {
    lose(answer.loses)
    return new Promise(() => undefined)
  }
  if (answer.error) throw new Refused(answer.error)
  const { columns = [], rows = [] } = answer
  return {
    columns,
    async *rows() {
      yield* rows
    },
  }
}
