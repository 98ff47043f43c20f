import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { once } from 'node:events'
import { encoded } from '../providers/bucket/signature.ts'
import { SERVER_DIRECTORY } from './server-directory.ts'
import { freePort } from './free-port.ts'

/** Where `scripts/outside-tools.mjs` puts what it fetches. */
const CACHE = join(dirname(SERVER_DIRECTORY), 'node_modules', '.cache', 'boathouse', 'outside')

export function found(variable: string, name: RegExp): string | null {
  const named = process.env[variable]
  if (named) return named
  const cached = existsSync(CACHE) ? readdirSync(CACHE).find((entry) => name.test(entry)) : undefined
  return cached === undefined ? null : join(CACHE, cached)
}

/** Folders of the wheel and of the server's packages; null where one is missing, and tests that need it are skipped. */
export const HTTPFS_WHEEL = found('BOATHOUSE_TEST_HTTPFS', /^httpfs-[\d.]+$/)
export const MOTO = found('BOATHOUSE_TEST_MOTO', /^moto-glue-[\d.]+$/)

/** A user of the server who may do everything. */
interface S3Account {
  readonly accessKey: string
  readonly secretKey: string
}

export interface S3Server {
  readonly endpoint: string
  readonly account: S3Account
  put(key: string, body: string | Uint8Array<ArrayBuffer>): Promise<void>
  remove(key: string): Promise<void>
  /** Does something with AWS Glue, such as CreateTable. */
  glue(action: string, input: object): Promise<void>
  /** A role that may do everything; gives its ARN. */
  makeRole(name: string): Promise<string>
  stop(): Promise<void>
}

export const BUCKET = 'harbour'
const REGION = 'us-east-1'
/** A real server that speaks S3, STS and Glue, with a bucket; it checks signatures and keys. */
export async function startS3(): Promise<S3Server> {
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const child = spawn('python3', ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    env: { ...process.env, PYTHONPATH: MOTO ?? '', INITIAL_NO_AUTH_ACTION_COUNT: '0' },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  try {
    await answers(endpoint, () => child.exitCode)
    const account = await unchecked(endpoint, () => makeUser(endpoint))
    const send = (method: string, path: string, body?: Asked['body']) =>
      unchecked(endpoint, () => ask(endpoint, { service: 's3', method, path, ...(body && { body }) }))
    const pathOf = (key: string) => `/${BUCKET}/${key.split('/').map(encoded).join('/')}`
    await send('PUT', `/${BUCKET}`)
    return {
      endpoint,
      account,
      put: async (key, body) => void (await send('PUT', pathOf(key), body)),
      remove: async (key) => void (await send('DELETE', pathOf(key))),
      glue: async (action, input) => {
        const asked = { service: 'glue', method: 'POST', path: '/', body: JSON.stringify(input) } as const
        await unchecked(endpoint, () => ask(endpoint, { ...asked, target: `AWSGlue.${action}` }))
      },
      makeRole: (name) => unchecked(endpoint, () => makeRole(endpoint, name)),
      async stop() {
        child.kill('SIGKILL')
        await ended
      },
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** Only what does not start is given up. */
const START_MS = 300_000

async function answers(endpoint: string, exitCode: () => number | null): Promise<void> {
  const deadline = Date.now() + START_MS
  for (;;) {
    try {
      await fetch(`${endpoint}/moto-api/`)
      return
    } catch (error) {
      if (exitCode() !== null || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** The server asks nobody who they are while this is done. */
async function unchecked<T>(endpoint: string, work: () => Promise<T>): Promise<T> {
  const count = (number: string) => fetch(`${endpoint}/moto-api/reset-auth`, { method: 'POST', body: number })
  await count('1000')
  try {
    return await work()
  } finally {
    await count('0')
  }
}

interface Asked {
  readonly service: 's3' | 'iam' | 'glue'
  readonly method: string
  readonly path: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Of the JSON protocol. */
  readonly target?: string
}

async function ask(endpoint: string, { service, method, path, body, target }: Asked): Promise<string> {
  const credential = `nobody/20260101/${REGION}/${service}/aws4_request`
  const answer = await fetch(endpoint + path, {
    method,
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=none`,
      ...(service === 'iam' && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(target !== undefined && {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': target,
      }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The S3 server refuses ${method} ${path}: ${text}`)
  return text
}

const EVERYTHING = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }],
})

function iam(endpoint: string, action: string, more: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ Action: action, Version: '2010-05-08', ...more })
  return ask(endpoint, { service: 'iam', method: 'POST', path: '/', body: body.toString() })
}

const valueIn = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1] ?? ''

async function makeUser(endpoint: string): Promise<S3Account> {
  const user = { UserName: 'reader' }
  await iam(endpoint, 'CreateUser', user)
  await iam(endpoint, 'PutUserPolicy', { ...user, PolicyName: 'all', PolicyDocument: EVERYTHING })
  const made = await iam(endpoint, 'CreateAccessKey', user)
  return { accessKey: valueIn(made, 'AccessKeyId'), secretKey: valueIn(made, 'SecretAccessKey') }
}

async function makeRole(endpoint: string, name: string): Promise<string> {
  const role = { RoleName: name }
  const made = await iam(endpoint, 'CreateRole', { ...role, AssumeRolePolicyDocument: EVERYTHING })
  await iam(endpoint, 'PutRolePolicy', { ...role, PolicyName: 'all', PolicyDocument: EVERYTHING })
  return valueIn(made, 'Arn')
}
