import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * An engine is known by its name in its own room alone. Everything else speaks of 'the embedded engine', or of what it
 * really means, so that another engine is one more room and no change anywhere else.
 */
const PLACES = ['server/src', 'packages', 'console/src']
/** Each with its name, and the rooms that may say it. */
const ENGINES = [
  { name: /duckdb/i, rooms: ['server/src/engines/duckdb/'] },
  { name: /trino/i, rooms: ['server/src/engines/trino/', 'server/src/providers/trino/'] },
]
/** The room of the embedded engine, whose words no other has. */
const ROOM = 'server/src/engines/duckdb/'

/** What people read may name it. */
const isProse = (file) => file.endsWith('.md') || file.startsWith('console/src/i18n/')
const isTest = (file) => /\.test\.tsx?$/.test(file) || file.includes('/testing/') || /conformance/.test(file)

/** Where it is wired, each with the reason. */
export const WIRING = {
  'server/src/main.ts': 'starts the product with it',
  'server/src/operator-main.ts': 'starts the commands of an operator with it',
  'server/src/accounts-directory.ts': 'finds a place that the users of its processes reach',
  'server/src/extensions-directory.ts': 'finds a place that the users of its processes reach',
  'server/src/engines/fault-injection/provider.ts':
    'kept results are read by it, whichever engine wrote them',
  'server/src/results/keep-rows.test.ts': 'opens with it what was exported, to prove that others can',
  'server/src/testing/embedded-engine.ts': 'gives it to tests',
  'server/src/engines/engine/type-names.test.ts': 'has names of types of each engine',
  'server/src/build-clusters.ts': 'wires clusters',
  'server/src/build-cluster-catalogs.ts': 'wires what clusters read elsewhere',
  'server/src/clusters-offered.ts': 'says whether there can be clusters',
  'server/src/build-existing-clusters.ts': 'wires clusters that exist already',
  'server/src/existing-cluster-offered.ts': 'says whether one can be used',
  'server/src/config.ts': 'reads the settings of clusters',
  'server/src/cluster-settings.ts': 'names the settings of clusters',
  'server/src/cluster-database.ts': 'leads clusters to the database',
  'server/src/build-clusters.tools.test.ts': 'proves the wiring of clusters',
  'server/src/testing/trino-kit.ts': 'gives clusters to tests',
  'server/src/testing/cluster-kit.ts': 'gives them to tests with the whole service',
  'server/src/clusters-offered.test.ts': 'sets what clusters are configured with',
  'server/src/existing-cluster-offered.test.ts': 'sets what one that exists already is configured with',
  'console/src/features/editor/text/format-sql.ts': 'names the dialects of the formatter',
}

/** Words of its SQL that no other engine has. Tests may write them: they are what users send. */
export const BETRAYING = {
  'server/src/modules/samples/saved-queries.ts': 'queries that people read',
  'server/src/engines/engine/type-names.ts': 'the one table of type names of all engines',
  'server/src/results/stored-columns.ts': 'types of the columns of a kept result',
  'console/src/features/editor/text/sql-dialect.ts': 'types that the editor colours, of every engine',
}

const WORDS =
  /\b(?:getvariable|u(?:big|small|tiny)int|u?hugeint|try_strptime|read_(?:csv|json|parquet)\w*)\b/i

/** Why a line may not stand in a file, or null. */
export function problemWith(file, line) {
  if (isProse(file)) return null
  const isNamed = ENGINES.some(
    ({ name, rooms }) => name.test(line) && !rooms.some((room) => file.startsWith(room)),
  )
  if (!(file in WIRING) && isNamed) return 'names the engine'
  if (file.startsWith(ROOM) || isTest(file) || file in BETRAYING) return null
  const [word] = WORDS.exec(line) ?? []
  return word ? `has the engine's own word ${word}` : null
}

const root = fileURLToPath(new URL('..', import.meta.url))

function problemsIn(file) {
  let text
  try {
    text = readFileSync(join(root, file), 'utf8')
  } catch {
    return [] // Deleted in the working tree, not yet in the index.
  }
  return text.split('\n').flatMap((line, at) => {
    const problem = problemWith(file, line)
    return problem ? [`${file}:${at + 1} ${problem}`] : []
  })
}

function checkAll() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...PLACES], { cwd: root })
  const files = listed.toString().split('\n').filter(Boolean)
  const missing = Object.keys({ ...WIRING, ...BETRAYING }).filter((file) => !files.includes(file))
  const problems = [
    ...files.flatMap(problemsIn),
    ...missing.map((file) => `${file} is excused in scripts/check-engine-words.mjs and does not exist`),
  ]
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    console.error(
      `\nAn engine is named in its room, as ${ROOM}, and where it is wired; say what is meant instead.`,
    )
    process.exit(1)
  }
  console.log(
    `engine words: ${files.length} files, engines are named in their rooms and where they are wired`,
  )
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) checkAll()
