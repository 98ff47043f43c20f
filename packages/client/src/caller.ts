import { API_PREFIX, type Call, type Output, type Sent } from '@boathouse/contract/call'
import { codeName, CODES, HIGHEST_HANDLED_CODE } from '@boathouse/contract/codes'
import { Envelope } from '@boathouse/contract/envelope'
import { MESSAGES } from '@boathouse/contract/rules'
import { CallError } from './call-error.ts'
import type { ClockLike } from './clock.ts'
import { signedHeaders } from './signed-headers.ts'

export interface CallerParts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly clock: ClockLike
  /** Null before sign-in. */
  readonly token: () => string | null
  /** In place of those that a token signs. */
  readonly headers?: ((body: string) => Record<string, string>) | undefined
  /** Where the call goes, as in `https://eu-1.example.com`. */
  readonly host: (call: Call) => string
  /** Called with every answer, before the caller gets it; `token` is the one of the call. */
  readonly heard?: (answer: Envelope, token: string | null) => void
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** Makes calls: resolves to their data, rejects with a CallError, or with the reason of an aborted signal. */
export function createCaller(parts: CallerParts) {
  const { clock } = parts

  function requestInit(call: Call, input: unknown): RequestInit {
    const body = call.method === 'GET' ? '' : JSON.stringify(input)
    const own = parts.headers?.(body) ?? signedHeaders(parts.token() ?? '', body, clock.now())
    return {
      method: call.method,
      credentials: 'include',
      headers: {
        'Accept-Language': 'en-us',
        ...(call.method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
        ...own,
      },
      ...(call.method === 'GET' ? {} : { body }),
    }
  }

  /** The body of the answer; rejects with the caller's own reason if the caller gave up. */
  async function exchange(call: Call, input: unknown, signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted()
    const stop = new AbortController()
    const giveUp = () => stop.abort()
    signal?.addEventListener('abort', giveUp)
    let timedOut = false
    const timer = clock.setTimeout(() => {
      timedOut = true
      stop.abort()
    }, call.timeoutMs)
    try {
      const init = { ...requestInit(call, input), signal: stop.signal }
      const response = await parts.fetch(parts.host(call) + API_PREFIX + call.path, init)
      return await response.text()
    } catch (error) {
      signal?.throwIfAborted()
      const codeName = timedOut ? 'TimedOut' : 'NetworkError'
      const message = timedOut ? MESSAGES.requestTimedOut : MESSAGES.networkError
      throw new CallError({ codeName, code: 0, message, call, cause: error })
    } finally {
      clock.clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }

  return async <C extends Call>(call: C, input: Sent<C>, options: CallOptions = {}): Promise<Output<C>> => {
    const sentToken = parts.token()
    const text = await exchange(call, input, options.signal)
    const answer = readEnvelope(text)
    if (answer === null) throw badAnswer(call, text)
    parts.heard?.(answer, sentToken)
    if (answer.code !== CODES.Ok.code) throw refusal(call, answer, text)
    const data = call.output.safeParse(answer.data)
    if (!data.success) throw badAnswer(call, text)
    return data.data as Output<C>
  }
}

function readEnvelope(text: string): Envelope | null {
  try {
    return Envelope.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // A proxy's own page, or an answer cut short: the caller gets an error.
    return null
  }
}

const badAnswer = (call: Call, text: string): CallError =>
  new CallError({ codeName: 'BadAnswer', code: 0, message: MESSAGES.badAnswer, call, raw: text })

function refusal(call: Call, answer: Envelope, text: string): CallError {
  const { code, message } = answer
  const raw = code > HIGHEST_HANDLED_CODE ? JSON.parse(text) : undefined
  return new CallError({ codeName: codeName(code) ?? 'UnknownCode', code, message, call, raw })
}
