import { afterAll, expect, vi } from 'vitest'

/**
 * `vi.waitFor`, `vi.waitUntil` and `expect.poll` give up after a second, or after what a test says. What is waited for
 * comes late on a machine that has other things to do, and is not what a test measures: no wait is shorter than this.
 */
const PATIENCE_MS = 120_000

type Options = number | { readonly timeout?: number; readonly interval?: number }
type Wait = (work: () => unknown, options?: Options) => unknown

const patient = (options: Options = {}): Options => {
  const given = typeof options === 'number' ? { timeout: options } : options
  return { ...given, timeout: Math.max(PATIENCE_MS, given.timeout ?? 0) }
}

const patiently =
  (wait: Wait): Wait =>
  (work, options) =>
    wait(work, patient(options))

/** Files of one worker share these functions: they are replaced once. */
const DONE = Symbol.for('boathouse.patience')
const waits: object = vi
if (!(DONE in waits)) {
  Object.assign(waits, {
    [DONE]: true,
    waitFor: patiently(vi.waitFor as Wait),
    waitUntil: patiently(vi.waitUntil as Wait),
  })
  Object.assign(expect, { poll: patiently(expect.poll as Wait) })
}

// Files of one worker share what they import: what one has put in the place of something, or a clock that it has stopped,
// is not for the next.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
