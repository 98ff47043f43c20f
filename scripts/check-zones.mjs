import { readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { execFileSync } from 'node:child_process'
import { LIBRARIES, STRANGERS, ZONES } from './zones.mjs'

const PACKAGES = {
  '@boathouse/contract': 'packages/contract/src/index.ts',
  '@boathouse/contract/openapi': 'packages/contract/src/openapi.ts',
  '@boathouse/sql': 'packages/sql/src/index.ts',
  '@boathouse/server/config': 'server/src/config.ts',
  '@boathouse/server/running-server': 'server/src/running-server.ts',
}

const IMPORT =
  /(?:^|[\s;])(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

const isTest = (file) => /\.test\.tsx?$/.test(file) || file.includes('/testing/') || /conformance/.test(file)
const isBelow = (file, place) => file === place || file.startsWith(`${place}/`)

const zoneOf = (file) =>
  Object.keys(ZONES)
    .filter((zone) => isBelow(file, zone))
    .sort((a, b) => b.length - a.length)[0]

/** The file in this repository that an import leads to, or null for a library. */
function targetOf(file, specifier) {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(dirname(file), specifier.split('?', 1)[0]))
  return PACKAGES[specifier] ?? null
}

function problemWith(file, specifier) {
  const target = targetOf(file, specifier)
  if (target === null) return libraryProblem(file, specifier)
  const zone = zoneOf(file)
  if (!zone) return 'lies in no zone'
  const stranger = STRANGERS.find((folder) => isBelow(file, folder) && isBelow(target, folder))
  if (stranger) {
    const child = (path) => path.slice(stranger.length + 1).split('/')
    const [mine, theirs] = [child(file), child(target)]
    if (mine.length > 1 && theirs.length > 1 && mine[0] !== theirs[0] && !isTest(file))
      return 'is a stranger to it'
  }
  if (isBelow(target, zone) || ZONES[zone].some((place) => isBelow(target, place))) return null
  if (isTest(file)) return null
  return `may not be imported from ${zone}`
}

function libraryProblem(file, specifier) {
  if (specifier.startsWith('@boathouse/')) return 'is not a public part of that package'
  if (isTest(file)) return null
  const [library, homes] =
    Object.entries(LIBRARIES).find(([name]) =>
      name.endsWith('/') ? specifier.startsWith(name) : specifier === name,
    ) ?? []
  if (!library || homes.some((home) => isBelow(file, home))) return null
  return `stays behind ${homes.join(', ')}`
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && zoneOf(file))

const problems = files.flatMap((file) => {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return [] // Deleted in the working tree, not yet in the index.
  }
  const specifiers = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2])
  return specifiers.flatMap((specifier) => {
    const problem = problemWith(file, specifier)
    return problem ? [`${file}: '${specifier}' ${problem}`] : []
  })
})

if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error(`\n${problems.length} imports cross a wall; scripts/zones.mjs says who may import whom.`)
  process.exit(1)
}
console.log(`zones: ${files.length} files, every import within its walls`)
