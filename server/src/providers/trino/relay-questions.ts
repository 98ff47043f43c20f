import type { IncomingMessage } from 'node:http'
import type { AskedMetadata } from '../iceberg/iceberg-catalog.ts'

/** What a node of a cluster asks of one catalog. */
export type Question =
  | { readonly of: 'config'; readonly catalogId: string }
  | { readonly of: 'metadata'; readonly catalogId: string; readonly metadata: AskedMetadata }

/** What there is to ask for: nothing that changes anything, and no views, which are of other engines. */
const ENDPOINTS = [
  'GET /v1/{prefix}/namespaces',
  'GET /v1/{prefix}/namespaces/{namespace}',
  'GET /v1/{prefix}/namespaces/{namespace}/tables',
  'GET /v1/{prefix}/namespaces/{namespace}/tables/{table}',
]
export const CONFIGURATION = JSON.stringify({ defaults: {}, overrides: {}, endpoints: ENDPOINTS })

/** Between parts of a namespace, in texts and in addresses. */
const SEPARATOR = '\u001f'

/** As Java writes a part of an address. */
function partOf(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

const levelsOf = (text: string): string[] => (text === '' ? [] : text.split(SEPARATOR))

/** Null where it is no question that is answered. */
export function questionOf({ method, url = '' }: IncomingMessage): Question | null {
  if (method !== 'GET' || !URL.canParse(url, 'http://relay')) return null
  const { pathname, searchParams } = new URL(url, 'http://relay')
  const parts = pathname.slice(1).split('/').map(partOf)
  if (parts.includes(null)) return null
  const [catalogId = '', ...path] = parts as string[]
  return questionIn(catalogId, path, searchParams)
}

function questionIn(catalogId: string, path: readonly string[], query: URLSearchParams): Question | null {
  const [version, names, namespaceText = '', tables, name = ''] = path
  const about = (metadata: AskedMetadata): Question => ({ of: 'metadata', catalogId, metadata })
  const pageToken = query.get('pageToken') ?? ''
  if (version !== 'v1') return null
  if (names === 'config' && path.length === 2) return { of: 'config', catalogId }
  if (names !== 'namespaces') return null
  if (path.length === 2)
    return about({ of: 'namespaces', parent: levelsOf(query.get('parent') ?? ''), pageToken })
  const namespace = levelsOf(namespaceText)
  if (namespace.length === 0 || namespace.includes('')) return null
  if (path.length === 3) return about({ of: 'namespace', namespace })
  if (tables !== 'tables') return null
  if (path.length === 4) return about({ of: 'tables', namespace, pageToken })
  if (path.length !== 5 || name === '') return null
  const snapshots = query.get('snapshots') === 'refs' ? 'refs' : 'all'
  return about({ of: 'table', namespace, name, snapshots })
}
