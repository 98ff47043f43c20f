import { describe } from 'vitest'
import { cancelTests } from './conformance/cancel.ts'
import { effectTests } from './conformance/effects.ts'
import { errorTests } from './conformance/errors.ts'
import { type OpenFixture, keepAllRows } from './conformance/fixture.ts'
import { keptAgainTests } from './conformance/kept-again.ts'
import { keptTests } from './conformance/kept.ts'
import { lifecycleTests } from './conformance/lifecycle.ts'
import { profileTests } from './conformance/profile.ts'
import { resultTests } from './conformance/results.ts'
import { sandboxTests } from './conformance/sandbox.ts'
import { sessionTests } from './conformance/sessions.ts'
import { valueTests } from './conformance/values.ts'

export type { EngineFixture } from './conformance/fixture.ts'

/**
 * What every engine must do, whatever is behind it. The statements are written in DuckDB's dialect. Each group has
 * an engine of its own; tests that end an engine start another.
 */
export function engineConformance(name: string, open: OpenFixture, { keeps = false } = {}): void {
  if (keeps) keepAllRows()
  describe(`the engine ${name}`, () => {
    describe('results', () => {
      resultTests(open)
    })
    describe('values', () => {
      valueTests(open)
    })
    describe('sessions', () => {
      sessionTests(open)
    })
    describe('effects', () => {
      effectTests(open)
    })
    describe('errors', () => {
      errorTests(open)
    })
    describe('cancelling', () => {
      cancelTests(open)
    })
    describe('sandbox', () => {
      sandboxTests(open)
    })
    describe('kept results', () => {
      keptTests(open)
      keptAgainTests(open)
    })
    describe('profiles', () => {
      profileTests(open)
    })
    describe('life', () => {
      lifecycleTests(open)
    })
  })
}
