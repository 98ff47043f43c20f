import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { operatorSocketIn } from '@boathouse/server/operator-socket'
import { findRunning } from '@boathouse/server/running-server'
import type { OperatorLine } from './operator-line.ts'
import { productRoot } from './product-root.ts'

type Answer = { readonly output: unknown } | { readonly problem: string }

/** Asks the server that holds the data. */
function askRunning(socketPath: string, line: OperatorLine): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const question = request({ socketPath, method: 'POST', path: '/' }, (response) => {
      text(response)
        .then((body) => resolve(JSON.parse(body) as Answer))
        .catch(reject)
    })
    question.once('error', (error) =>
      reject(new Error(`The running server does not answer operator commands (${error.message}).`)),
    )
    question.end(JSON.stringify(line))
  })
}

/** No server runs: a process of its own opens the store, answers and closes it again. */
async function askStore(line: OperatorLine): Promise<Answer> {
  const child = spawn(process.execPath, [join(productRoot, 'server', 'dist', 'operator.js')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(`${JSON.stringify(line)}\n`)
  const [answer, trouble, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  if (code !== 0) throw new Error(trouble.trim().split('\n').at(-1) ?? 'The command failed.')
  return JSON.parse(answer) as Answer
}

export async function ask(dataDir: string, line: OperatorLine): Promise<unknown> {
  const running = await findRunning(dataDir)
  const socketPath = operatorSocketIn(dataDir)
  if (running && !socketPath)
    throw new Error(
      `A server runs, and ${dataDir} is too long a path for its socket. Stop it, or move the data to a shorter path.`,
    )
  const answer = running && socketPath ? await askRunning(socketPath, line) : await askStore(line)
  if ('problem' in answer) throw new Error(answer.problem)
  return answer.output
}
