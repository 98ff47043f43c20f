import { vi } from 'vitest'

/**
 * `vi.waitFor` and `vi.waitUntil` give up after one second, whatever the settings say. What is waited for comes late on a
 * machine that has other things to do, and is not what a test measures: no wait is shorter than this.
 */
const PATIENCE_MS = 30_000

type Options = number | { readonly timeout?: number; readonly interval?: number }
type Wait = (work: () => unknown, options?: Options) => Promise<unknown>

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
if (!(DONE in waits))
  Object.assign(waits, {
    [DONE]: true,
    waitFor: patiently(vi.waitFor as Wait),
    waitUntil: patiently(vi.waitUntil as Wait),
  })
