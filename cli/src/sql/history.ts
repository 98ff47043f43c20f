import {
  chmodSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const HISTORY_ENTRIES = 1_000
/** The file is made shorter when it has become larger than this. */
const LARGEST_BYTES = 1024 * 1024
const OWNER_ONLY = 0o600

/** Statements that may hold a secret are never written down. */
const SECRET = /identified|passw|secret|token|access_?key|credential|authorization|\bbh_[0-9A-Za-z]{8}/i

const mayHoldSecret = (text: string): boolean => SECRET.test(text)

export const historyFile = (env: NodeJS.ProcessEnv): string =>
  env['BOATHOUSE_SQL_HISTORY'] || join(homedir(), '.boathouse_sql_history')

/** A statement of several lines is one entry, unless a comment ends with one of its lines. */
const entriesOf = (lines: readonly string[]): string[] =>
  lines.some((line) => /--|#/.test(line)) ? [...lines] : [lines.join(' ')]

function readEntries(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(-HISTORY_ENTRIES)
  } catch {
    // There is none yet, or it cannot be read: then the history begins now.
    return []
  }
}

/** What was typed, oldest first, in a file of the user that nobody else can read. */
export function openHistory(file: string) {
  const entries = readEntries(file)
  let isUsable = true

  function shorten(): void {
    if (statSync(file).size <= LARGEST_BYTES) return
    const next = `${file}.${process.pid}`
    writeFileSync(next, `${readEntries(file).join('\n')}\n`, { mode: OWNER_ONLY })
    renameSync(next, file)
  }

  return {
    entries: (): readonly string[] => entries,
    /** False when it cannot be written; the shell works without. */
    add(lines: readonly string[]): boolean {
      const text = lines.join('\n')
      if (!isUsable || mayHoldSecret(text)) return isUsable
      try {
        const opened = openSync(file, 'a', OWNER_ONLY)
        // One that was made by others before may be open to all.
        chmodSync(file, OWNER_ONLY)
        // Two shells may write at once: an entry is one write.
        writeSync(
          opened,
          entriesOf(lines)
            .map((entry) => `${entry.replaceAll(/\p{Cc}/gu, ' ')}\n`)
            .join(''),
        )
        closeSync(opened)
        shorten()
      } catch {
        isUsable = false
      }
      return isUsable
    },
  }
}

export type History = ReturnType<typeof openHistory>
