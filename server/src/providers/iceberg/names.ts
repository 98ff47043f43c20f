import { z } from 'zod'
import { OutsideRefused } from '../../kernel/outside.ts'
import { nonsense, NotAccepted } from './refusals.ts'
import type { RestClient } from './rest-client.ts'

export interface TableName {
  readonly namespace: readonly string[]
  /** Parts of the namespace with a dot between them. */
  readonly database: string
  readonly name: string
}

export interface Names {
  readonly databases: readonly string[]
  /** In the order of their databases and names. */
  readonly tables: readonly TableName[]
  readonly ignored: readonly string[]
}

export const NAME_LIMITS = { databases: 1000, tables: 1000, depth: 5, pages: 100 } as const
const AT_ONCE = 8

const Parts = z.array(z.string().min(1).max(1000)).min(1).max(32)
const Namespaces = z.object({ namespaces: z.array(Parts), 'next-page-token': z.nullish(z.string()) })
const Identifiers = z.object({
  identifiers: z.array(z.object({ namespace: Parts, name: z.string().min(1).max(1000) })),
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
    throw new OutsideRefused('nonsense', `it has more than ${NAME_LIMITS.pages} pages of names`)
  }

  async function below(parent: readonly string[]): Promise<(readonly string[])[]> {
    const query = parent.length === 0 ? {} : { parent: parent.join(decodeURIComponent(separator)) }
    const found: (readonly string[])[] = []
    for await (const page of pages(Namespaces, 'namespaces', query))
      for (const namespace of page.namespaces)
        // A server that knows no parents gives all of them again.
        if (namespace.length === parent.length + 1 && parent.every((part, at) => namespace[at] === part))
          found.push(namespace)
    return found
  }

  async function allNamespaces(): Promise<(readonly string[])[]> {
    const all: (readonly string[])[] = []
    let level = await below([])
    for (let depth = 1; level.length > 0; depth++) {
      all.push(...level)
      if (all.length > NAME_LIMITS.databases)
        throw new OutsideRefused('nonsense', `it has more than ${NAME_LIMITS.databases} namespaces`)
      if (depth === NAME_LIMITS.depth) break
      const children = await someAtOnce(level, (parent) => unlessRefused(() => below(parent), null))
      level = children.flat()
    }
    return all
  }

  /** What one may not look into hides nothing of the rest. */
  async function unlessRefused<T>(work: () => Promise<T[]>, shown: string | null): Promise<T[]> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OutsideRefused) || error instanceof NotAccepted) throw error
      if (error.reason === 'unreachable' || (shown !== null && error.reason === 'nonsense')) throw error
      if (shown !== null) ignored.push(`the tables of ${shown} are not listed: ${error.message}`)
      return []
    }
  }

  async function tablesIn(namespace: readonly string[]): Promise<TableName[]> {
    const found: TableName[] = []
    const database = namespace.join('.')
    for await (const page of pages(Identifiers, `${namespacePath(namespace, separator)}/tables`, {}))
      for (const { name } of page.identifiers) found.push({ namespace, database, name })
    return found
  }

  const namespaces = await allNamespaces()
  const tables = (
    await someAtOnce(namespaces, (namespace) => unlessRefused(() => tablesIn(namespace), namespace.join('.')))
  ).flat()
  if (tables.length > NAME_LIMITS.tables)
    throw new OutsideRefused('nonsense', `it has more than ${NAME_LIMITS.tables} tables`)
  return {
    databases: namespaces.map((namespace) => namespace.join('.')),
    tables: tables.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)),
    ignored,
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw nonsense('no JSON', error)
  }
}
