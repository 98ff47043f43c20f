import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { execFileSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { BELOW, LIBRARIES, OFFERS, PARTS_ONLY, STRANGERS, TAKES_ALL, ZONES } from './zones.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** What each package of the workspace offers to others: name and pattern of the files, as in its package.json. */
const OFFERED = readJson('package.json').workspaces.flatMap((folder) => {
  const { name, exports = {} } = readJson(`${folder}/package.json`)
  return Object.entries(exports).map(([offer, file]) => ({
    specifier: posix.join(name, offer).split('*'),
    file: posix.join(folder, file),
  }))
})

const IMPORT =
  /(?:^|[\s;])(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

const isTest = (file) => /\.test\.tsx?$/.test(file) || file.includes('/testing/') || /conformance/.test(file)
const isBelow = (file, place) => file === place || file.startsWith(`${place}/`)

const zoneOf = (file) =>
  Object.keys(ZONES)
    .filter((zone) => isBelow(file, zone))
    .sort((a, b) => b.length - a.length)[0]

function offeredFile(specifier) {
  const whole = OFFERED.find((offer) => offer.specifier.length === 1 && offer.specifier[0] === specifier)
  if (whole) return whole.file
  const part = OFFERED.find(
    (offer) => offer.specifier.length === 2 && specifier.startsWith(offer.specifier[0]),
  )
  return part ? part.file.replace('*', specifier.slice(part.specifier[0].length)) : null
}

/** The file in this repository that an import leads to, or null for a library. */
const targetOf = (file, specifier) =>
  specifier.startsWith('.')
    ? posix.normalize(posix.join(dirname(file), specifier.split('?', 1)[0]))
    : offeredFile(specifier)

/** Why this file may not import that, or null. */
export function problemWith(file, specifier) {
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
  if (isTest(file)) return null
  const takesAll = TAKES_ALL.some((place) => isBelow(file, place))
  if (!takesAll && PARTS_ONLY[target]?.some((place) => isBelow(file, place)))
    return 'is the whole of it: import the part that is needed'
  if (isPrivate(file, target)) return 'is not offered by that module'
  if (isAbove(file, target)) return 'is built upon this module, and not the other way round'
  if (isBelow(target, zone) || ZONES[zone].some((place) => isBelow(target, place))) return null
  return `may not be imported from ${zone}`
}

const MODULES = 'server/src/modules'
const moduleOf = (file) => (isBelow(file, MODULES) ? file.split('/')[3] : null)

/** Of another module, and not what that has for others. */
function isPrivate(file, target) {
  const [mine, theirs] = [moduleOf(file), moduleOf(target)]
  if (mine === null || theirs === null || mine === theirs) return false
  const part = target.slice(`${MODULES}/${theirs}/`.length)
  return part !== 'service.ts' && !OFFERS[theirs]?.includes(part)
}

/** Of a module that is built upon this one. */
const isAbove = (file, target) => BELOW[moduleOf(file)]?.includes(moduleOf(target)) ?? false

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

const sourceFiles = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file && zoneOf(file))

/** Every import of a file, as that file and what it names. */
function importsIn(file) {
  let text
  try {
    text = readFileSync(join(root, file), 'utf8')
  } catch {
    return [] // Deleted in the working tree, not yet in the index.
  }
  return [...text.matchAll(IMPORT)].map((match) => ({ file, specifier: match[1] ?? match[2] }))
}

/** Two modules that import each other cannot be understood, moved or tested apart. */
export function mutualProblems(imports) {
  const firstOf = new Map()
  for (const { file, specifier } of imports) {
    const target = isTest(file) ? null : targetOf(file, specifier)
    const [mine, theirs] = [moduleOf(file), target && moduleOf(target)]
    const direction = `${mine} ${theirs}`
    if (mine && theirs && mine !== theirs && !firstOf.has(direction))
      firstOf.set(direction, `${file}: '${specifier}'`)
  }
  const isMutual = ([one, other]) => firstOf.has(`${one} ${other}`) && firstOf.has(`${other} ${one}`)
  return [...firstOf]
    .filter(([direction]) => isMutual(direction.split(' ')))
    .map(([direction, first]) => `${first} is of a module that imports ${direction.split(' ')[0]}`)
}

function checkAll() {
  const files = sourceFiles()
  const imports = files.flatMap(importsIn)
  const crossed = imports.flatMap(({ file, specifier }) => {
    const problem = problemWith(file, specifier)
    return problem ? [`${file}: '${specifier}' ${problem}`] : []
  })
  const problems = [...crossed, ...mutualProblems(imports)]
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    console.error(`\n${problems.length} imports cross a wall; scripts/zones.mjs says who may import whom.`)
    process.exit(1)
  }
  console.log(`zones: ${files.length} files, every import within its walls`)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) checkAll()
