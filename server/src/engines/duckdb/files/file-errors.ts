import type { EngineError } from '../../engine/outcome.ts'
import { engineError, isFatal, isInterrupt, StatementRefused } from '../errors.ts'

/** What DuckDB says, and what a person can do about it: `$1` is the first group of what it says. */
export type FileWords = readonly (readonly [said: RegExp, words: string])[]

const WORDS: FileWords = [
  [
    /invalid unicode|not utf-8 encoded|invalid utf-?8|byte sequence mismatch/i,
    'The file is not in the chosen encoding. Choose Latin-1 or UTF-16, or save it as UTF-8 and upload that.',
  ],
  [
    /maximum line size of \d+ bytes exceeded/i,
    'A line of the file is longer than 2 MB. Check for a quote that is never closed, or choose another delimiter or quote.',
  ],
  [
    /sniffing file|automatically detect the CSV|not possible to automatically/i,
    'The columns of this file cannot be detected. Choose the delimiter, and whether the first line has the names.',
  ],
]

/** A failure of ours about a file: without places, because the user did not write the text that failed. */
export function fileFailure(
  cause: unknown,
  path: string,
  { mask, words = WORDS }: { readonly mask: (message: string) => string; readonly words?: FileWords },
): unknown {
  if (cause instanceof StatementRefused || isInterrupt(cause) || isFatal(cause)) return cause
  const { kind, message } = engineError(cause, { sql: '', shift: 0 }, (text) =>
    mask(text.replaceAll(path, 'the file')),
  )
  const error: EngineError = { kind: kind === 'syntax' ? 'data' : kind, message: inWords(message, words) }
  return new StatementRefused(error)
}

function inWords(message: string, all: FileWords): string {
  const [said, written] = all.find(([one]) => one.test(message)) ?? []
  if (!said || !written) return firstPart(message)
  const words = written.replaceAll('$1', () => said.exec(message)?.[1] ?? '')
  const [, line] = /line:? (\d+)/i.exec(message) ?? []
  return line ? `Line ${line}: ${words}` : words
}

/** Behind it DuckDB lists its options, which nobody can set here. */
const firstPart = (message: string): string =>
  message
    .split(/\n\s*(?:Possible (?:fixes|solutions)|LINE 1:|\* |file ?= )/i, 1)
    .join('')
    .trim()
