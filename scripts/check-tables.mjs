import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { READS, TABLES } from './table-owners.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const SERVER = 'server/src/'
const SCHEMA = 'server/src/store/schema.ts'

/** The store itself knows every table, and tests look wherever they like. */
const isFree = (file) =>
  !file.startsWith(SERVER) ||
  file.startsWith('server/src/store/') ||
  file.includes('/testing/') ||
  file.endsWith('.test.ts')

const isStoreFile = (file) => /\/(?:[a-z-]+-)?store\.ts$/.test(file)

const BUILDERS = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/
const KYSELY = /import\s+(type\s+)?\{([^}]*)\}\s+from\s+'kysely'/g

const withoutComments = (text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')

/** Types are for everyone: a service opens transactions and hands them on. */
const importsKysely = (text) =>
  [...text.matchAll(KYSELY)].some(
    ([, isType, names]) =>
      !isType && names.split(',').some((name) => name.trim() !== '' && !name.trim().startsWith('type ')),
  )

const NAMED =
  /\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin|from|using)\(\s*(\[[^\]]*\]|'[^']*')/g
const RAW = /\b(insert\s+into|merge\s+into|delete\s+from|update|from|join)\s+([a-z_]+)\b/gi
const WRITES = /^(?:insert|update|delete|merge|replace)/i

/** Every table that the text names in a query: `isWrite` when it changes it. */
function tablesIn(text) {
  const named = [...text.matchAll(NAMED)].flatMap(([, verb, names]) =>
    [...names.matchAll(/'([a-z_]+)(?: as \w+)?'/g)].map(([, table]) => ({
      table,
      isWrite: WRITES.test(verb),
    })),
  )
  const raw = [...text.matchAll(RAW)].map(([, verb, table]) => ({ table, isWrite: WRITES.test(verb) }))
  return [...named, ...raw].filter(({ table }) => Object.hasOwn(TABLES, table))
}

const homeOf = (file) => Object.values(TABLES).find((home) => file.startsWith(`${SERVER}${home}/`))
const placeOf = (file) => homeOf(file) ?? file.slice(SERVER.length, file.lastIndexOf('/'))

function tableProblem(file, { table, isWrite }) {
  const place = placeOf(file)
  const owner = TABLES[table]
  if (owner === place) return null
  if (isWrite) return `writes to ${table}, which is ${owner}'s: call what that offers`
  return READS[place]?.[table] ? null : `reads ${table}, which is ${owner}'s: call what that offers`
}

/** What is wrong with the SQL in a file. */
export function problemsWith(file, source) {
  if (isFree(file)) return []
  const text = withoutComments(source)
  if (!isStoreFile(file))
    return BUILDERS.test(text) || importsKysely(text) ? ['asks the database: move that to a store file'] : []
  const problems = tablesIn(text).map((named) => tableProblem(file, named))
  return [...new Set(problems.filter((problem) => problem !== null))]
}

/** A table that nobody owns, or that is not there any more. */
export function ownerProblems(schema) {
  const body = /export interface Schema \{([^}]*)\}/.exec(schema)?.[1] ?? ''
  const tables = [...body.matchAll(/^\s*([a-z_]+):/gm)].map(([, table]) => table)
  return [
    ...tables.filter((table) => !Object.hasOwn(TABLES, table)).map((table) => `${table} has no owner`),
    ...Object.keys(TABLES)
      .filter((table) => !tables.includes(table))
      .map((table) => `${table} is owned, but is no table`),
  ]
}

function checkAll() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server/src/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const read = (file) => {
    try {
      return readFileSync(join(root, file), 'utf8')
    } catch {
      return '' // Deleted in the working tree, not yet in the index.
    }
  }
  const files = listed.split('\n').filter(Boolean)
  const problems = [
    ...ownerProblems(read(SCHEMA)).map((problem) => `${SCHEMA}: ${problem}`),
    ...files.flatMap((file) => problemsWith(file, read(file)).map((problem) => `${file}: ${problem}`)),
  ]
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    console.error(
      `\n${problems.length} files cross a wall; scripts/table-owners.mjs says whose each table is.`,
    )
    process.exit(1)
  }
  console.log(`tables: ${Object.keys(TABLES).length}, each with one owner; SQL in store files alone`)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) checkAll()
