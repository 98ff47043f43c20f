import { spawnSync } from 'node:child_process'
import { type Answer, type Cell, CORPUS, FAILED, GIVES_ROWS, type Recorded, TABLES } from './corpus.ts'

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot);/g, (_, name: string) => ENTITIES[name] ?? '')

/** What the client writes of one statement with `--xml`. */
function readAnswer(xml: string): Answer {
  const rows = [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<field name="([^"]*)"(?: xsi:nil="true" \/>|>(.*?)<\/field>)/gs)].map(
      ([, name = '', value]): [string, Cell] => [
        unescaped(name),
        value === undefined ? null : unescaped(value),
      ],
    ),
  )
  return {
    names: (rows[0] ?? []).map(([name]) => name),
    rows: rows.map((row) => row.map(([, value]) => value)),
  }
}

/** MariaDB has not all that MySQL has; MySQL says what these stand for. */
const inMariadbsWords = (sql: string): string =>
  sql
    .replaceAll(/(\w+)->>('[^']*')/g, 'JSON_UNQUOTE(JSON_EXTRACT($1, $2))')
    .replaceAll(/REGEXP_LIKE\(([^,]*), ('[^']*')\)/g, '($1 REGEXP $2)')
    .replaceAll(/(\w+)->('[^']*')/g, 'JSON_EXTRACT($1, $2)')

/** Runs the corpus in a database of its own and gives every answer; `connect` are the client's arguments for the server. */
export function askReference(client: string, connect: readonly string[]): Record<string, Recorded> {
  const before = [
    'DROP DATABASE IF EXISTS corpus',
    'CREATE DATABASE corpus CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    'USE corpus',
    'SET NAMES utf8mb4 COLLATE utf8mb4_bin',
    `SET time_zone = '+00:00'`,
    ...TABLES,
  ]
  const all = [...before, ...CORPUS.map(({ sql }) => sql)]
  // A comment may end a statement: what parts them has a line of its own.
  const { stdout, stderr, error } = spawnSync(
    client,
    ['--no-defaults', ...connect, '--force', '--xml', '--default-character-set=utf8mb4'],
    {
      input: all.map((sql) => `${inMariadbsWords(sql)}\n;\n`).join(''),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  if (error) throw error
  const failed = new Set([...stderr.matchAll(/ at line (\d+):/g)].map(([, line]) => (Number(line) - 1) >> 1))
  const answers = stdout.split('<resultset ').slice(1).map(readAnswer)
  const recorded: Record<string, Recorded> = {}
  for (const [at, sql] of all.entries()) {
    const answer = failed.has(at) ? FAILED : GIVES_ROWS.test(sql) ? answers.shift() : { names: [], rows: [] }
    if (!answer) throw new Error(`The client gave no answer for ${sql}`)
    if (at >= before.length) recorded[sql] = answer
  }
  return recorded
}
