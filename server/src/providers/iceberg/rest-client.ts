import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { parseBounded } from '../../kernel/json/parse.ts'
import { textOf, type OutsideRequests } from '../bucket/outside-requests.ts'
import type { IcebergPlace } from './iceberg-catalog.ts'
import { NotAccepted, nonsense, refusalOf, tokenRefusalOf } from './refusals.ts'
import { type Good, Renewed } from './renewed.ts'

interface Asked {
  /** Behind `/v1/` and the prefix of the warehouse; encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks one server, and has no words but GET and the question for a token. */
export interface RestClient {
  get(asked: Asked, stop: AbortSignal): Promise<string>
  /** As its server wants parts of a namespace to be joined in an address. */
  separator(stop: AbortSignal): Promise<string>
}

/** Of metadata: it is read on the thread that everybody shares. */
export const LONGEST_ANSWER = 4 * 1024 * 1024
/** Schemas are nested, and snapshots are many. */
export const ANSWER_BOUNDS = { depth: 256, tokens: 1_000_000 }
const LONGEST_TOKEN = 64 * 1024
const DEFAULT_SCOPE = 'catalog'
/** A token is renewed this long before it ends; half of its time when that is shorter. */
const BEFORE_END_MS = 60_000
const DEFAULT_LIFE_S = 300
/** The configuration of the server is loaded again after this time. */
const CONFIG_MS = 60_000

const Token = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,16384}$/),
  /** Seconds; some servers send text. An invalid time counts as missing. */
  expires_in: z.optional(z.unknown()),
})

const Properties = z.nullish(z.record(z.string(), z.string()))
const Config = z.object({ defaults: Properties, overrides: Properties })

const SEPARATOR = /^(?:%[\dA-Fa-f]{2}|[\w.~-]){1,12}$/

/** It comes encoded, as an address has it; what no address can have is encoded here. */
const prefixOf = (text: string): string =>
  text
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => part.replace(/[^\w.~%!$&'()*+,;=:@-]/g, encodeURIComponent))
    .join('/')

function parsed<T>(schema: z.ZodType<T>, text: string, what: string): T {
  try {
    return schema.parse(parseBounded(text, ANSWER_BOUNDS))
  } catch (error) {
    throw nonsense(what, error)
  }
}

export function createRestClient(
  place: IcebergPlace,
  { requests, clock }: { requests: OutsideRequests; clock: Clock },
): RestClient {
  const base = new URL(place.url.replace(/\/+$/, ''))
  const root = base.pathname.replace(/\/+$/, '')
  const isClient = place.credential.includes(':')
  const now = () => clock.now().getTime()
  const token = new Renewed<string>(now)
  const config = new Renewed<{ prefix: string; separator: string }>(now)

  async function askToken(stop: AbortSignal): Promise<Good<string>> {
    const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(place.credential) ?? []
    const url = new URL(place.oauthUrl === '' ? `${base.origin}${root}/v1/oauth/tokens` : place.oauthUrl)
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      scope: place.oauthScope === '' ? DEFAULT_SCOPE : place.oauthScope,
    }).toString()
    const answer = await requests.send(
      {
        to: url,
        method: 'POST',
        path: url.pathname,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(body)),
          accept: 'application/json',
          host: url.host,
        },
        body,
      },
      stop,
    )
    const text = await textOf(answer, LONGEST_TOKEN)
    if (answer.statusCode !== 200) throw tokenRefusalOf(answer.statusCode ?? 0)
    const { access_token: value, expires_in: lifetime } = parsed(Token, text, 'no token')
    const life = Number(lifetime)
    const lifeMs = (life > 0 && Number.isFinite(life) ? life : DEFAULT_LIFE_S) * 1000
    return { value, until: now() + lifeMs - Math.min(BEFORE_END_MS, lifeMs / 2) }
  }

  async function authorization(stop: AbortSignal): Promise<Record<string, string>> {
    if (place.credential === '') return {}
    return {
      authorization: `Bearer ${isClient ? await token.value(() => askToken(stop)) : place.credential}`,
    }
  }

  async function getOnce(path: string, headers: Asked['headers'], stop: AbortSignal): Promise<string> {
    const answer = await requests.send(
      {
        to: base,
        method: 'GET',
        path,
        headers: { ...headers, ...(await authorization(stop)), accept: 'application/json', host: base.host },
      },
      stop,
    )
    const text = await textOf(answer, LONGEST_ANSWER)
    if (answer.statusCode !== 200) throw refusalOf(answer.statusCode ?? 0, place.credential)
    return text
  }

  /** A token that expired early is renewed once. */
  async function get(path: string, headers: Asked['headers'], stop: AbortSignal): Promise<string> {
    const before = token.last
    try {
      return await getOnce(path, headers, stop)
    } catch (error) {
      if (!(error instanceof NotAccepted) || !isClient || before === null) throw error
      token.giveUp(before)
      return getOnce(path, headers, stop)
    }
  }

  async function askConfig(stop: AbortSignal) {
    const query = new URLSearchParams({ warehouse: place.warehouse }).toString()
    const text = await get(`${root}/v1/config?${query}`, {}, stop)
    const { defaults, overrides } = parsed(Config, text, 'not that of an Iceberg REST catalog')
    const config = { ...defaults, ...overrides }
    const separator = config['namespace-separator'] ?? '%1F'
    return {
      value: {
        prefix: prefixOf(config['prefix'] ?? ''),
        separator: SEPARATOR.test(separator) ? separator : '%1F',
      },
      until: now() + CONFIG_MS,
    }
  }

  const currentConfig = (stop: AbortSignal) => config.value(() => askConfig(stop))

  return {
    async get({ path, query = {}, headers }, stop) {
      const { prefix } = await currentConfig(stop)
      const question = new URLSearchParams(query).toString()
      const full = [root, 'v1', ...(prefix === '' ? [] : [prefix]), path].join('/')
      return get(question === '' ? full : `${full}?${question}`, headers, stop)
    },
    separator: async (stop) => (await currentConfig(stop)).separator,
  }
}
