import {
  allCalls,
  API_PREFIX,
  type Call,
  CODES,
  type CodeName,
  contract,
  type Envelope,
  type Input,
  type Output,
  sign,
} from '@boathouse/contract'

type Modules = typeof contract
type NameIn<M extends keyof Modules> = `${M}.${keyof Modules[M] & string}`
/** As in 'user.login'. */
type CallName = { [M in keyof Modules]: NameIn<M> }[keyof Modules]
type CallOf<N extends CallName> = N extends `${infer M extends keyof Modules}.${infer K}`
  ? K extends keyof Modules[M]
    ? Extract<Modules[M][K], Call>
    : never
  : never

const REFUSAL = Symbol('refusal')
interface Refusal {
  readonly [REFUSAL]: true
  readonly code: number
  readonly message: string
}

/** What a handler returns to refuse a call; a number stands for a code this version does not know. */
export const refuse = (code: CodeName | number, message: string): Refusal => ({
  [REFUSAL]: true,
  code: typeof code === 'number' ? code : CODES[code].code,
  message,
})

export type StubHandlers = {
  [N in CallName]?: (
    input: Input<CallOf<N>>,
  ) => Output<CallOf<N>> | Refusal | Promise<Output<CallOf<N>> | Refusal>
}

export interface StubServer {
  /** Calls made so far, oldest first. */
  readonly calls: { readonly name: string; readonly input: unknown; readonly headers: Headers }[]
  callsOf(name: CallName): unknown[]
  /** From now on nothing gets through, until this is called again. */
  setOffline(offline: boolean): void
}

const nameOf = (call: Call): string => {
  for (const [module, calls] of Object.entries(contract))
    for (const [key, one] of Object.entries<Call>(calls)) if (one === call) return `${module}.${key}`
  throw new Error(`${call.path} is not in the contract.`)
}
const CALLS_BY_PATH = new Map(allCalls().map((call) => [API_PREFIX + call.path, call]))

/** Reports of errors are taken without a word, as they are not what a test is about. */
const ALWAYS: StubHandlers = { 'log.report': () => ({}) }

const realFetch = globalThis.fetch

export function removeStubServer(): void {
  globalThis.fetch = realFetch
}

/**
 * Replaces the service behind `fetch` until the test ends. It checks signature, input and output as the service does,
 * so a handler whose answer the contract does not allow fails the test.
 */
export function stubServer(handlers: StubHandlers): StubServer {
  const calls: StubServer['calls'] = []
  let offline = false

  async function answer(url: URL, init: RequestInit): Promise<Envelope> {
    const call = CALLS_BY_PATH.get(url.pathname)
    if (!call) return failure('UnknownCall', `There is no call ${url.pathname}.`)
    if (init.method !== call.method) return failure('WrongMethod', `${call.path} is a ${call.method}.`)
    const body = typeof init.body === 'string' ? init.body : ''
    const headers = new Headers(init.headers)
    if (!isSigned(headers, body)) return failure('BadSignature', 'The signature does not match.')
    const input = call.input.safeParse(body === '' ? {} : JSON.parse(body))
    if (!input.success) return failure('BadInput', input.error.issues[0]?.message ?? '')
    const name = nameOf(call)
    calls.push({ name, input: input.data, headers })
    const handler = { ...ALWAYS, ...handlers }[name as CallName] as ((input: unknown) => unknown) | undefined
    if (!handler) return failure('UnknownCall', `The stub server has no handler for ${name}.`)
    const outcome = await handler(input.data)
    if (isRefusal(outcome)) return { code: outcome.code, message: outcome.message, data: null }
    return { code: CODES.Ok.code, message: '', data: call.output.parse(outcome) }
  }

  globalThis.fetch = async (target, init = {}) => {
    if (offline) throw new TypeError('Failed to fetch')
    const url = new URL(target instanceof Request ? target.url : target, window.location.origin)
    const envelope = await untilAborted(answer(url, init), init.signal)
    return Response.json(envelope)
  }
  return {
    calls,
    callsOf: (name) => calls.filter((call) => call.name === name).map((call) => call.input),
    setOffline(next) {
      offline = next
    },
  }
}

const failure = (name: CodeName, message: string): Envelope => ({
  code: CODES[name].code,
  message,
  data: null,
})

const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && REFUSAL in value

function isSigned(headers: Headers, body: string): boolean {
  const part = (name: string) => headers.get(name) ?? ''
  const parts = { token: part('token'), nonce: part('nonce'), timestamp: part('timestamp'), body }
  return part('signature') === sign(parts)
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('The request was aborted.', 'AbortError'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    work.then(resolve, reject)
  })
}
