import { type Client, connect } from '@boathouse/client/public/index'
import { UsageError } from '../command-line.ts'
import type { SqlOptions } from './options.ts'

/** A server on this machine that was found without being named. */
export interface LocalServer {
  readonly url: string
  readonly accountId: string
}

export interface SignInParts {
  readonly options: SqlOptions
  readonly env: NodeJS.ProcessEnv
  readonly findLocal: () => Promise<LocalServer | null>
  readonly ask: (question: string, isSecret: boolean) => Promise<string | null>
  readonly warn: (text: string) => void
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const PROGRAM = 'boathouse sql'

/** As it is written on a command line, where the protocol is often left out. */
const withProtocol = (url: string): string => (/^[a-z]+:\/\//i.test(url) ? url : `http://${url}`)

function warnIfPlain(url: string, warn: SignInParts['warn']): void {
  if (!URL.canParse(url)) return
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    warn(
      `The connection to ${hostname} is not encrypted: others can read what is sent. Use https:// if the server has it.`,
    )
}

/** Signs in with what the command line, the environment and the user say, in this order. */
export async function signIn(parts: SignInParts): Promise<Client> {
  const { options, env, ask, warn } = parts
  const local = options.url === undefined ? await parts.findLocal() : null
  const url = options.url === undefined ? local?.url : withProtocol(options.url)
  if (url === undefined)
    throw new UsageError('No server runs here. Name one: boathouse sql https://boathouse.example.com')
  warnIfPlain(url, warn)

  async function needed(what: { question: string; isSecret: boolean; otherwise: string }): Promise<string> {
    const answer = await ask(what.question, what.isSecret)
    if (answer === null || answer === '') throw new UsageError(what.otherwise)
    return answer
  }

  const isOther = options.account !== undefined || options.user !== undefined
  const key = options.asksKey
    ? (env['BOATHOUSE_KEY'] ??
      (await needed({
        question: 'API key: ',
        isSecret: true,
        otherwise: 'Enter an API key, or set BOATHOUSE_KEY.',
      })))
    : isOther
      ? undefined
      : env['BOATHOUSE_KEY'] || undefined
  if (key !== undefined) return connect({ url, key: key.trim(), program: PROGRAM })

  const account =
    options.account ??
    local?.accountId ??
    (await needed({
      question: 'Account: ',
      isSecret: false,
      otherwise: 'Name the account: --account ABC12345.',
    }))
  const user =
    options.user ??
    (await needed({ question: 'User: ', isSecret: false, otherwise: 'Name the user: --user NAME.' }))
  const password =
    env['BOATHOUSE_PASSWORD'] ??
    (await needed({
      question: `Password of ${user}: `,
      isSecret: true,
      otherwise: 'Enter the password, or set BOATHOUSE_PASSWORD or BOATHOUSE_KEY.',
    }))
  return connect({ url, account, user, password, program: PROGRAM })
}
