import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Keys } from '../providers/bucket/signature.ts'
import { signerOf } from './aws-signature.ts'

/** Those that the server knows; a role's have a token too. */
export const GLUE_KEYS = { accessKey: 'AKIAGLUE', secretKey: 'of-glue', sessionToken: '' } as const
export const ROLE_KEYS = { accessKey: 'ASIAGLUE', secretKey: 'of-role', sessionToken: 'a-token' } as const

interface Asked {
  readonly DatabaseName?: string
  readonly TableName?: string
  readonly Name?: string
  readonly NextToken?: string
}

export interface MadeTable {
  readonly Name: string
  readonly [part: string]: unknown
}

/** Answers in place of the next question. */
export type Fault = (response: ServerResponse) => void

export const refusing =
  (code: string, status = 400): Fault =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify({ __type: code, Message: 'secret words of AWS' }))
  }

const PAGE = 2

function page<T>(all: readonly T[], { NextToken = '0' }: Asked) {
  const begin = Number(NextToken)
  const next = begin + PAGE < all.length ? { NextToken: String(begin + PAGE) } : {}
  return { some: all.slice(begin, begin + PAGE), next }
}

/** A small AWS Glue that checks signatures and tokens, and gives lists in pages of two; ends with the test. */
export async function startGlue() {
  const databases = new Map<string, MadeTable[]>()
  /** By `database.table`. */
  const partitions = new Map<string, object[]>()
  /** Who may ask, by access keys. */
  const keys = new Map<string, Pick<Keys, 'secretKey' | 'sessionToken'>>(
    [GLUE_KEYS, ROLE_KEYS].map(({ accessKey, ...more }) => [accessKey, more]),
  )
  const asked: string[] = []
  const faults: Fault[] = []
  /** Databases whose tables are nobody's business. */
  const denied = new Set<string>()

  function answerTo(action: string, question: Asked): object | string {
    const { DatabaseName: database = '', Name: name, TableName: table = '' } = question
    if (action === 'GetDatabases') {
      const { some, next } = page([...databases.keys()], question)
      return { DatabaseList: some.map((Name) => ({ Name, CreateTime: 1.7e9 })), ...next }
    }
    if (denied.has(database)) return 'AccessDeniedException'
    const tables = databases.get(database)
    if (!tables) return 'EntityNotFoundException'
    if (action === 'GetTables') {
      const { some, next } = page(tables, question)
      return { TableList: some.map((one) => ({ ...one, DatabaseName: database })), ...next }
    }
    if (action === 'GetTable') {
      const found = tables.find((one) => one.Name === name)
      return found ? { Table: found } : 'EntityNotFoundException'
    }
    if (action !== 'GetPartitions') return 'UnknownOperationException'
    const { some, next } = page(partitions.get(`${database}.${table}`) ?? [], question)
    return { Partitions: some, ...next }
  }

  function whyRefused(request: IncomingMessage, body: string): string | null {
    const claimed = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const known = keys.get(claimed)
    if (!known) return 'UnrecognizedClientException'
    const isMeant = request.headers.authorization?.includes('/eu-central-1/glue/aws4_request')
    const secrets = new Map([[claimed, known.secretKey]])
    if (!isMeant || signerOf(request, body, secrets) === null) return 'InvalidSignatureException'
    const token = request.headers['x-amz-security-token'] ?? ''
    return token === known.sessionToken ? null : 'ExpiredTokenException'
  }

  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const action = String(request.headers['x-amz-target']).replace('AWSGlue.', '')
      asked.push(action)
      const why = whyRefused(request, body)
      if (why !== null) return refusing(why)(response)
      const fault = faults.shift()
      if (fault) return fault(response)
      const answer = answerTo(action, JSON.parse(body) as Asked)
      if (typeof answer === 'string') return refusing(`com.amazonaws.glue#${answer}`)(response)
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer))
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, keys, databases, partitions, asked, faults, denied }
}
