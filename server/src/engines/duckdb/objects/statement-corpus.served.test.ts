import { readFile, writeFile } from 'node:fs/promises'
import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../../testing/start-app.ts'
import { done, type Run, session } from '../../../testing/view-kit.ts'

/**
 * What six users may do, statement by statement. Each line of the corpus begins with six letters, one for each actor in
 * this order: `o` it runs, `x` it is refused, `e` it fails, as when the sender does not see what it names. A statement
 * behind `=>` undoes what ran. `UPDATE_CORPUS=1` writes down what happens now: read every line that changes.
 */
const CORPUS = new URL('statement-corpus.txt', import.meta.url)
const ACTORS = [
  'nobody',
  'reader',
  'writer',
  'maker',
  'user administrator',
  'database administrator',
] as const

/** In every row of the secret table, in a label of its type and in the views over it. */
const SECRET = 'pearl'

/** They may read the secret table. */
const MAY_READ = new Set<string>(['database administrator'])

const SETUP = [
  'CREATE DATABASE shop',
  'CREATE DATABASE lab',
  'CREATE DATABASE empty_d',
  'CREATE WAREHOUSE other_warehouse',
  'CREATE WAREHOUSE spare_warehouse',
  `CREATE TYPE main.mood AS ENUM ('${SECRET}-mood')`,
  'CREATE TABLE shop.secret_t (id INTEGER PRIMARY KEY, word VARCHAR)',
  `INSERT INTO shop.secret_t VALUES (1, '${SECRET}-1'), (2, '${SECRET}-2')`,
  'CREATE TABLE shop.open_t (id INTEGER, label VARCHAR)',
  `INSERT INTO shop.open_t VALUES (1, 'shell'), (2, 'sand')`,
  'CREATE VIEW shop.pub_v AS SELECT id FROM shop.secret_t',
  'CREATE VIEW shop.few_v AS SELECT id, word FROM shop.secret_t WHERE id > 100',
  'CREATE VIEW shop.over_v AS SELECT id FROM shop.pub_v',
  'CREATE MACRO shop.peek() AS (SELECT max(word) FROM shop.secret_t)',
  'CREATE MACRO shop.plain(x) AS x + 1',
  'CREATE MACRO shop.rows_of() AS TABLE FROM shop.secret_t',
  'CREATE SEQUENCE shop.numbers',
  'CREATE MATERIALIZED VIEW shop.kept_v AS SELECT word FROM shop.secret_t',
  'SUBMIT TASK nightly SCHEDULE EVERY (INTERVAL 1 DAY) AS DELETE FROM shop.open_t WHERE id > 100',
  'CREATE ROLE analysts',
  'CREATE ROLE keepers',
  'CREATE ROLE keepers_of_data',
  'GRANT db_admin TO ROLE keepers',
  'GRANT db_admin TO ROLE keepers_of_data',
  `CREATE USER plain_user IDENTIFIED BY 'Rowing_2026'`,
  `CREATE USER other_db_admin IDENTIFIED BY 'Rowing_2026' DEFAULT ROLE db_admin`,
]

const grants = ({ reader, writer, maker }: Readonly<Record<'reader' | 'writer' | 'maker', string>>) => [
  `GRANT SELECT ON shop.open_t TO ${reader}`,
  `GRANT SELECT ON VIEW shop.pub_v TO ${reader}`,
  `GRANT SELECT ON VIEW shop.few_v TO ${reader}`,
  `GRANT SELECT ON VIEW shop.over_v TO ${reader}`,
  `GRANT USAGE ON FUNCTION shop.peek TO ${reader}`,
  `GRANT USAGE ON FUNCTION shop.plain TO ${reader}`,
  `GRANT INSERT, UPDATE, DELETE ON shop.secret_t TO ${writer}`,
  `GRANT CREATE TABLE, CREATE VIEW, CREATE FUNCTION ON DATABASE lab TO ${maker}`,
  `GRANT SELECT ON shop.open_t TO ${maker}`,
  `GRANT SELECT ON VIEW shop.pub_v TO ${maker}`,
]

async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
  const asAdmin = await session(await app.admin())
  await done(asAdmin, ...SETUP)
  const [nobody, reader, writer, maker] = [
    await app.user(),
    await app.user(),
    await app.user(),
    await app.user(),
  ]
  await done(asAdmin, ...grants({ reader: reader.name, writer: writer.name, maker: maker.name }))
  await done(
    await session(maker),
    'CREATE TABLE lab.mine_t (id INTEGER)',
    'INSERT INTO lab.mine_t VALUES (1)',
    'CREATE VIEW lab.mine_v AS FROM lab.mine_t',
  )
  const users: readonly TestUser[] = [
    nobody,
    reader,
    writer,
    maker,
    await app.user(['user_admin']),
    await app.user(['db_admin']),
  ]
  return { asAdmin, runs: await Promise.all(users.map(session)), maker: maker.name }
}

interface Line {
  readonly verdicts: string
  readonly sql: string
  readonly undo: string | undefined
}

interface Section {
  readonly heading: string
  readonly changes: 'nothing' | 'rolled back' | 'undone'
  readonly lines: readonly Line[]
}

const lineOf = (text: string): Line => {
  const [sql = '', undo] = text.slice(ACTORS.length + 1).split(' => ')
  return { verdicts: text.slice(0, ACTORS.length), sql, undo }
}

function sectionOf(text: string): Section {
  const [heading = '', ...lines] = text.trimEnd().split('\n')
  const changes = heading.endsWith('rolled back')
    ? 'rolled back'
    : heading.endsWith('undone')
      ? 'undone'
      : 'nothing'
  return { heading, changes, lines: lines.map(lineOf) }
}

const sectionsOf = (corpus: string): Section[] => corpus.split(/^(?=## )/m).map(sectionOf)

const textOf = ({ heading, lines }: Section): string =>
  [
    heading,
    ...lines.map(({ verdicts, sql, undo }) => `${verdicts} ${sql}${undo === undefined ? '' : ` => ${undo}`}`),
  ].join('\n')

const verdictOf = (code: number): string =>
  code === CODES.Ok.code ? 'o' : code === CODES.NoPermission.code ? 'x' : 'e'

const isUpdate = process.env['UPDATE_CORPUS'] !== undefined

interface Judged {
  readonly verdict: string
  readonly sql: string
  readonly shown: string
}

async function judged(run: Run, { sql, undo }: Line, isInTransaction: boolean): Promise<Judged> {
  if (isInTransaction) await done(run, 'BEGIN')
  const answer = await run(sql)
  if (isInTransaction) await done(run, 'ROLLBACK')
  const verdict = verdictOf(answer.errCode)
  if (verdict === 'o' && undo !== undefined) await done(run, undo)
  return { verdict, sql, shown: `${answer.errMsg} ${JSON.stringify([answer.fields, answer.result])}` }
}

/** All statements of a section by one actor. What is refused needs no transaction around it. */
async function judgedAll(run: Run, { lines, changes }: Section, at: number): Promise<Judged[]> {
  const all: Judged[] = []
  for (const line of lines) {
    const isInTransaction = changes === 'rolled back' && (isUpdate || line.verdicts[at] !== 'x')
    all.push(await judged(run, line, isInTransaction))
  }
  return all
}

/** What only reads is sent by all actors at once. */
async function byActor(runs: readonly Run[], section: Section): Promise<Judged[][]> {
  if (section.changes === 'nothing') return Promise.all(runs.map((run, at) => judgedAll(run, section, at)))
  const all: Judged[][] = []
  for (const [at, run] of runs.entries()) all.push(await judgedAll(run, section, at))
  return all
}

const withName = (section: Section, maker: string): Section => ({
  ...section,
  lines: section.lines.map((line) => ({ ...line, sql: line.sql.replaceAll('maker', maker) })),
})

test('each of six users may run what they were given, and no answer shows the others what is secret', async () => {
  const { runs, maker, asAdmin } = await setUp()
  const sections = sectionsOf(await readFile(CORPUS, 'utf8'))
  const found: Section[] = []
  const leaks: string[] = []
  for (const section of sections) {
    const answers = await byActor(runs, withName(section, maker))
    const verdictsAt = (at: number) => answers.map((all) => all[at]?.verdict).join('')
    found.push({
      ...section,
      lines: section.lines.map((line, at) => ({ ...line, verdicts: verdictsAt(at) })),
    })
    for (const [at, all] of answers.entries())
      for (const { sql, shown } of all)
        if (!MAY_READ.has(ACTORS[at] ?? '') && shown.replaceAll(`'${SECRET}`, '').includes(SECRET))
          leaks.push(`${ACTORS[at]}: ${sql}: ${shown}`)
  }
  if (isUpdate) await writeFile(CORPUS, `${found.map(textOf).join('\n')}\n`)
  expect(leaks).toEqual([])
  expect(found.map(textOf)).toEqual(sections.map(textOf))
  expect((await asAdmin('SELECT count(*) FROM shop.secret_t')).result).toEqual([['2']])
})
