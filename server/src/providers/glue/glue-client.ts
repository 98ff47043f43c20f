import { setTimeout as afterMs } from 'node:timers/promises'
import type { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { parseBounded } from '../../kernel/json/parse.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { elementIn } from '../bucket/listing.ts'
import { type OutsideRequests, textOf } from '../bucket/outside-requests.ts'
import { signedHeaders } from '../bucket/signature.ts'
import type { GluePlace } from './glue-keeper.ts'
import { AskAgain, codeIn, nonsense, refusalOf } from './refusals.ts'

export interface GlueParts {
  readonly requests: OutsideRequests
  /** Empty: that of AWS for the region of the catalog. */
  readonly glueUrl: string
  readonly clock: Clock
  /** Before a request is sent once more; tests do not wait. */
  readonly wait?: (ms: number, stop: AbortSignal) => Promise<unknown>
}

interface Asked {
  readonly action: 'GetDatabases' | 'GetTables' | 'GetTable' | 'GetPartitions'
  readonly input: object
}

export interface GlueClient {
  ask<T>(asked: Asked, answer: z.ZodType<T>, stop: AbortSignal): Promise<T>
}

/** It is read on the thread that everybody shares. */
export const LONGEST_ANSWER = 4 * 1024 * 1024
const ANSWER_BOUNDS = { depth: 64, tokens: 500_000 }

/** As AWS has its own clients do it: three times in all, after a random part of 1 s, then of 2 s. */
const MOST_TRIES = 3
const FIRST_WAIT_MS = 1_000

const waited = (ms: number, stop: AbortSignal): Promise<unknown> =>
  afterMs(ms, undefined, { signal: stop }).catch((error: unknown) => {
    throw new OutsideRefused('unreachable', 'AWS Glue does not answer in time', { cause: error })
  })

function parsed(text: string): unknown {
  try {
    return parseBounded(text, ANSWER_BOUNDS)
  } catch (error) {
    throw nonsense('no JSON', error)
  }
}

/** Of an error that may be anything. */
function errorCode(text: string, header: string | string[] | undefined): string {
  const fromHeader = codeIn(Array.isArray(header) ? header[0] : header)
  if (fromHeader !== '') return fromHeader
  try {
    const value = parseBounded(text, ANSWER_BOUNDS)
    const { __type: type } = (value ?? {}) as { readonly __type?: unknown }
    return codeIn(type)
  } catch {
    // What stands before Glue may answer as other services of AWS do.
    return elementIn(text, 'Code') ?? ''
  }
}

/** Asks AWS Glue by its JSON protocol (1.1), and has no words but those that read. */
export function createGlueClient(
  { region, keys }: GluePlace,
  { requests, glueUrl, clock, wait = waited }: GlueParts,
): GlueClient {
  const to = new URL(glueUrl === '' ? `https://glue.${region}.amazonaws.com` : glueUrl)

  async function once(action: Asked['action'], body: string, stop: AbortSignal): Promise<string> {
    const headers = signedHeaders(
      {
        host: to.host,
        path: '/',
        query: {},
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSGlue.${action}` },
        at: clock.now(),
        posted: { service: 'glue', body },
      },
      { ...(await keys()), region },
    )
    const answer = await requests.send({ to, method: 'POST', path: '/', headers, body }, stop)
    const text = await textOf(answer, LONGEST_ANSWER)
    const status = answer.statusCode ?? 0
    if (status === 200) return text
    throw refusalOf(action, errorCode(text, answer.headers['x-amzn-errortype']), status)
  }

  async function patiently({ action, input }: Asked, stop: AbortSignal): Promise<string> {
    const body = JSON.stringify(input)
    for (let tried = 1; ; tried++) {
      try {
        return await once(action, body, stop)
      } catch (error) {
        if (!(error instanceof AskAgain) || tried === MOST_TRIES) throw error
        await wait(Math.random() * FIRST_WAIT_MS * 2 ** (tried - 1), stop)
      }
    }
  }

  return {
    async ask(asked, answer, stop) {
      const read = answer.safeParse(parsed(await patiently(asked, stop)))
      if (!read.success) throw nonsense(`not one to ${asked.action}`, read.error)
      return read.data
    },
  }
}
