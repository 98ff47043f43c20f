import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Endpoint } from './endpoint.ts'

/** Runs a text with the mariadb command line, which reads row by row, and throws its rows away. */
export async function readAll(
  { host, port, user, password }: Endpoint,
  sql: string,
  database = '',
): Promise<void> {
  const child = spawn(
    'mariadb',
    [
      '--no-defaults',
      '--quick',
      '--batch',
      '--ssl',
      '-h',
      host,
      '-P',
      String(port),
      '-u',
      user,
      ...(database === '' ? [] : ['-D', database]),
      '-e',
      sql,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, MYSQL_PWD: password } },
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`mariadb ended with ${code}.`)
}
