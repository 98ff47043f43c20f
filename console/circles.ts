import type { Rolldown } from 'vite'

/** The modules that a module imports. */
type ImportsOf = (module: string) => readonly string[]

const shortName = (module: string): string => module.replace(/^.*\/(?=\w+\/src\/)/, '')

/** One import by which a chunk needs another. */
function exampleOf(from: Rolldown.OutputChunk, to: Rolldown.OutputChunk, importsOf: ImportsOf): string {
  for (const module of from.moduleIds)
    for (const imported of importsOf(module))
      if (to.moduleIds.includes(imported)) return `${shortName(module)} imports ${shortName(imported)}`
  return `${from.fileName} imports ${to.fileName}`
}

/**
 * Files that import one another run before what they need of each other is there. The groups of vite.config.ts say which
 * module is in which file.
 */
export function refuseCircles(bundle: Rolldown.OutputBundle, importsOf: ImportsOf): void {
  const done = new Set<Rolldown.OutputChunk>()
  const follow = (name: string, path: readonly Rolldown.OutputChunk[]): void => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || done.has(chunk)) return
    if (path.includes(chunk)) {
      const circle = [...path.slice(path.indexOf(chunk)), chunk]
      const hops = circle.slice(1).map((next, at) => exampleOf(circle[at] ?? next, next, importsOf))
      const files = circle.map(({ name: group }) => group).join(' → ')
      throw new Error(`Files of the console import one another, ${files}: ${hops.join('; ')}.`)
    }
    for (const next of chunk.imports) follow(next, [...path, chunk])
    done.add(chunk)
  }
  for (const name of Object.keys(bundle)) follow(name, [])
}
