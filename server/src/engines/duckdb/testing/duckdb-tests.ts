import { describe } from 'vitest'
import { cancelTests } from './cancel.ts'
import { effectTests } from './effects.ts'
import { errorTests } from './errors.ts'
import { type OpenFixture, keepAllRows } from '../../conformance/fixture.ts'
import { guardTests } from './guard.ts'
import { hidingTests } from './hiding.ts'
import { keptAgainTests } from './kept-again.ts'
import { keptTests } from './kept.ts'
import { lifecycleTests } from './lifecycle.ts'
import { objectTests } from './objects.ts'
import { profileTests } from './profile.ts'
import { resultTests } from './results.ts'
import { sandboxTests } from './sandbox.ts'
import { sessionTests } from './sessions.ts'
import { valueTests } from './values.ts'

const GROUPS = {
  results: resultTests,
  values: valueTests,
  sessions: sessionTests,
  effects: effectTests,
  errors: errorTests,
  cancelling: cancelTests,
  sandbox: sandboxTests,
  guard: guardTests,
  objects: objectTests,
  hiding: hidingTests,
  'kept results': keptTests,
  'kept again': keptAgainTests,
  profiles: profileTests,
  life: lifecycleTests,
} satisfies Record<string, (open: OpenFixture) => void>

export interface DuckdbTestOptions {
  readonly open: OpenFixture
  /** Rows of every statement are kept. */
  readonly keeps?: boolean
  /** All of them, unless said otherwise. */
  readonly groups?: readonly (keyof typeof GROUPS)[]
}

/**
 * What DuckDB must do beyond what every engine does: its types, its many statements, and what of it is shut off. Each
 * group has an engine of its own; tests that end an engine start another.
 */
export function duckdbTests(name: string, options: DuckdbTestOptions): void {
  const { open, keeps = false, groups = Object.keys(GROUPS) as (keyof typeof GROUPS)[] } = options
  describe(`the engine ${name}`, () => {
    if (keeps) keepAllRows()
    describe.each(groups)('%s', (group) => {
      GROUPS[group](open)
    })
  })
}
