import { z } from 'zod'
import { parseBounded } from '../../kernel/json/parse.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { nonsense, NotAccepted } from './refusals.ts'
import { ANSWER_BOUNDS, type RestClient } from './rest-client.ts'

export interface TableName {
  readonly namespace: readonly string[]
  /** Parts of the namespace, none of which has a dot in it, with a dot between them. */
  readonly database: string
  readonly name: string
}

export interface Names {
  readonly databases: readonly string[]
  /** In the order of their databases and names. */
  readonly tables: readonly TableName[]
  readonly ignored: readonly string[]
}

const NAME_LIMITS = { databases: 1000, tables: 1000, ignored: 100, depth: 5, pages: 100 } as const
/** In characters. Names of namespaces are sent with every page of tables. */
const LONGEST_NAMES = 512 * 1024
export const AT_ONCE = 8

/** More than a limit allows, wherever that was seen: it is no reason to leave out a part. */
class FarTooMuch extends OutsideRefused {
  constructor(what: string) {
    super('nonsense', `it has more than ${what}`)
  }
}

/** Counts what all who collect have collected, and refuses the first that is too much. */
function counter(most: number, what: string): (more?: number) => void {
  let count = 0
  return (more = 1) => {
    count += more
    if (count > most) throw new FarTooMuch(`${most} ${what}`)
  }
}

/** A page of them, parsed only if it has no more entries than all pages together may have. */
const few = <T>(one: z.ZodType<T>, most: number, what: string) =>
  z
    .array(z.unknown())
    .transform((all) => {
      if (all.length > most) throw new FarTooMuch(`${most} ${what}`)
      return all
    })
    .pipe(z.array(one))

const Parts = z.array(z.string().min(1).max(1000)).min(1).max(32)
const Namespaces = z.object({
  namespaces: few(Parts, NAME_LIMITS.databases, 'namespaces'),
  'next-page-token': z.nullish(z.string()),
})
const Identifier = z.object({ namespace: Parts, name: z.string().min(1).max(1000) })
const Identifiers = z.object({
  identifiers: few(Identifier, NAME_LIMITS.tables, 'tables'),
  'next-page-token': z.nullish(z.string()),
})

export const namespacePath = (namespace: readonly string[], separator: string): string =>
  `namespaces/${namespace.map(encodeURIComponent).join(separator)}`

/** Runs the work for each of them, some at a time, and gives what came of it in their order. */
export async function someAtOnce<A, B>(all: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const done: B[] = []
  for (let begin = 0; begin < all.length; begin += AT_ONCE)
    done.push(...(await Promise.all(all.slice(begin, begin + AT_ONCE).map(work))))
  return done
}

export const orderOf = ({ database, name }: Pick<TableName, 'database' | 'name'>): string =>
  `${database}\u001f${name}`

/** What a server says that it has. */
export async function readNames(client: RestClient, stop: AbortSignal): Promise<Names> {
  const separator = await client.separator(stop)
  const ignored: string[] = []
  const countNamespaces = counter(NAME_LIMITS.databases, 'namespaces')
  const countTables = counter(NAME_LIMITS.tables, 'tables')
  const countLetters = counter(LONGEST_NAMES, 'characters of names')

  function ignore(why: string): void {
    if (ignored.length < NAME_LIMITS.ignored) ignored.push(why)
    else ignored[NAME_LIMITS.ignored] = 'and more of the kind'
  }

  async function* pages<T extends { 'next-page-token'?: string | null | undefined }>(
    schema: z.ZodType<T>,
    path: string,
    query: Record<string, string>,
  ): AsyncGenerator<T> {
    let pageToken = ''
    for (let page = 1; page <= NAME_LIMITS.pages; page++) {
      const text = await client.get({ path, query: { ...query, pageToken, pageSize: '1000' } }, stop)
      const parsed = schema.safeParse(jsonOf(text))
      if (!parsed.success) throw nonsense('no list of names', parsed.error)
      yield parsed.data
      const next = parsed.data['next-page-token'] ?? ''
      if (next === '' || next === pageToken) return
      pageToken = next
    }
    throw new FarTooMuch(`${NAME_LIMITS.pages} pages of names`)
  }

  async function below(parent: readonly string[]): Promise<(readonly string[])[]> {
    const query = parent.length === 0 ? {} : { parent: parent.join(decodeURIComponent(separator)) }
    const found: (readonly string[])[] = []
    for await (const page of pages(Namespaces, 'namespaces', query))
      for (const namespace of page.namespaces) {
        // A server that knows no parents gives all of them again.
        if (namespace.length !== parent.length + 1 || parent.some((part, at) => namespace[at] !== part))
          continue
        countNamespaces()
        countLetters(namespace.join('.').length)
        // With it, two namespaces would be one database.
        if (namespace.at(-1)?.includes('.'))
          ignore(
            `the namespace ${JSON.stringify(namespace)} is not shown: a part of its name has a dot in it`,
          )
        else found.push(namespace)
      }
    return found
  }

  async function allNamespaces(): Promise<(readonly string[])[]> {
    const all: (readonly string[])[] = []
    let level = await below([])
    for (let depth = 1; level.length > 0; depth++) {
      all.push(...level)
      if (depth === NAME_LIMITS.depth) break
      const children = await someAtOnce(level, (parent) => unlessRefused(() => below(parent), null))
      level = children.flat()
    }
    return all
  }

  /** A namespace without access does not hide the others. */
  async function unlessRefused<T>(work: () => Promise<T[]>, shown: string | null): Promise<T[]> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OutsideRefused)) throw error
      if (error instanceof NotAccepted || error instanceof FarTooMuch) throw error
      if (error.reason === 'unreachable' || (shown !== null && error.reason === 'nonsense')) throw error
      if (shown !== null) ignore(`the tables of ${shown} are not listed: ${error.message}`)
      return []
    }
  }

  async function tablesIn(namespace: readonly string[]): Promise<TableName[]> {
    const found: TableName[] = []
    const database = namespace.join('.')
    for await (const page of pages(Identifiers, `${namespacePath(namespace, separator)}/tables`, {}))
      for (const { name } of page.identifiers) {
        countTables()
        countLetters(name.length)
        found.push({ namespace, database, name })
      }
    return found
  }

  const namespaces = await allNamespaces()
  const tables = (
    await someAtOnce(namespaces, (namespace) => unlessRefused(() => tablesIn(namespace), namespace.join('.')))
  ).flat()
  return {
    databases: namespaces.map((namespace) => namespace.join('.')),
    tables: tables.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)),
    ignored,
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseBounded(text, ANSWER_BOUNDS)
  } catch (error) {
    throw nonsense('no JSON', error)
  }
}
