import { openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ReadStream } from 'node:tty'

/** Ctrl+C in place of an answer. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** The terminal of the user, also where standard input is a pipe; null when there is none. */
function terminal(): NodeJS.ReadStream | null {
  if (process.stdin.isTTY) return process.stdin
  try {
    return new ReadStream(openSync('/dev/tty', 'r'))
  } catch {
    return null // A script without a terminal: nobody could be asked.
  }
}

/** Asks the user at the terminal; a secret is not shown. Null: there is nobody to ask. */
export async function askUser(question: string, isSecret: boolean): Promise<string | null> {
  const input = terminal()
  if (!input) return null
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // As a terminal, the line editor takes the keys, and what it shows goes nowhere.
  const rl = createInterface({
    input,
    output: isSecret ? nowhere : process.stderr,
    terminal: true,
    historySize: 0,
  })
  if (isSecret) process.stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      rl.on('SIGINT', () => reject(new Interrupted()))
      rl.on('close', () => reject(new Interrupted()))
      rl.question(isSecret ? '' : question, resolve)
    })
  } finally {
    rl.close()
    if (isSecret) process.stderr.write('\n')
    if (input !== process.stdin) input.destroy()
  }
}
