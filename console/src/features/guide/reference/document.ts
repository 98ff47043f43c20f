import type { Schema, Schemas } from './schema.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly [string]
  readonly 'x-needs': 'nothing' | 'login' | { readonly roles: readonly string[] }
  readonly 'x-function': string
  readonly 'x-changes': boolean
  readonly 'x-refuses-keys'?: boolean
  readonly 'x-timeout-ms': number
  readonly 'x-to-central': boolean
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>
}

interface Content {
  readonly 'application/json': { readonly schema: Schema }
}

/** As much of `/api/openapi.json` as is shown. */
export interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly components: { readonly schemas: Schemas }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Failure {
  readonly status: number
  readonly code: number
  readonly name: string
}

/** One call, as the pages show it. */
export interface ReferenceCall {
  /** As in its address: `warehouse/list`. */
  readonly id: string
  readonly group: string
  /** With the prefix of all calls. */
  readonly path: string
  readonly method: string
  readonly summary: string
  readonly description: string
  readonly needs: Operation['x-needs']
  /** As the client has it: `warehouse.list`. */
  readonly function: string
  readonly changes: boolean
  readonly refusesKeys: boolean
  readonly timeoutMs: number
  readonly toCentral: boolean
  /** Null: it takes no body. */
  readonly input: Schema | null
  readonly output: Schema
  readonly failures: readonly Failure[]
}

export interface ReferenceGroup {
  readonly name: string
  readonly description: string
  readonly calls: readonly ReferenceCall[]
}

export interface Reference {
  readonly groups: readonly ReferenceGroup[]
  readonly calls: readonly ReferenceCall[]
  readonly schemas: Schemas
}

/** `40007 LoginFailed, 40001 LoginRequired`, as the document describes a status. */
const failuresOf = ([status, { description }]: [string, { description: string }]): Failure[] =>
  description.split(', ').map((one) => {
    const [code = '', name = ''] = one.split(' ')
    return { status: Number(status), code: Number(code), name }
  })

function callOf(path: string, method: string, operation: Operation): ReferenceCall {
  const { 200: ok, ...refusals } = operation.responses
  return {
    id: operation.operationId.replaceAll('.', '/'),
    group: operation.tags[0],
    path,
    method: method.toUpperCase(),
    summary: operation.summary,
    description: operation.description ?? '',
    needs: operation['x-needs'],
    function: operation['x-function'],
    changes: operation['x-changes'],
    refusesKeys: operation['x-refuses-keys'] ?? false,
    timeoutMs: operation['x-timeout-ms'],
    toCentral: operation['x-to-central'],
    input: operation.requestBody?.content['application/json'].schema ?? null,
    output: ok?.content['application/json'].schema.properties?.['data'] ?? {},
    failures: Object.entries(refusals)
      .flatMap(failuresOf)
      .toSorted((one, other) => one.code - other.code),
  }
}

export function readDocument({ tags, components, paths }: OpenApi): Reference {
  const calls = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => callOf(path, method, operation)),
    )
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    calls: calls.filter(({ group }) => group === name),
  }))
  return { groups, calls, schemas: components.schemas }
}

/** Calls with every word in their path, their name or what they do. */
export function searchCalls(groups: readonly ReferenceGroup[], search: string): readonly ReferenceGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return groups
  const fits = ({ path, function: name, summary, description }: ReferenceCall): boolean => {
    const text = `${path} ${name} ${summary} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return groups
    .map((group) => ({ ...group, calls: group.calls.filter(fits) }))
    .filter(({ calls }) => calls.length > 0)
}
