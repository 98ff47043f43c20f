import type { OpenFixture } from './fixture.ts'
import type { SuiteDialect } from './suite-dialect.ts'

/** What each group of the suite is given. */
export interface Suite {
  readonly open: OpenFixture
  readonly words: SuiteDialect
}
