import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { AWS_KEYS, isSigned } from './aws-signature.ts'

const SERVICE = 'AWSMPMeteringService'
const PRODUCT = 'prod-boathouse'
const SIX_HOURS_S = 6 * 3_600

interface SentRecord {
  readonly Timestamp: number
  readonly CustomerIdentifier: string
  readonly Dimension: string
  readonly Quantity: number
}

type Fault = 'throttled' | 'broken' | 'answer lost' | 'unprocessed'

class Refusal extends Error {}

const answer = (response: ServerResponse, status: number, data: object) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(data))

/** A small AWS Marketplace Metering Service that checks signatures, and counts each record once, as AWS documents it. */
export async function startAwsMarketplace(clock: () => Date) {
  /** Customers by the registration token with which they come. */
  const tokens = new Map<string, string>()
  const unsubscribed = new Set<string>()
  /** What is on somebody's bill, by customer, dimension and hour. */
  const metered = new Map<string, number>()
  /** What happens to the next requests, one after the other. */
  const faults: Fault[] = []
  let requests = 0

  function resolveCustomer({ RegistrationToken: token }: { RegistrationToken?: string }) {
    if (token?.startsWith('expired')) throw new Refusal('ExpiredTokenException')
    const customer = tokens.get(token ?? '')
    if (customer === undefined) throw new Refusal('InvalidTokenException')
    return { CustomerIdentifier: customer, ProductCode: PRODUCT, CustomerAWSAccountId: '111122223333' }
  }

  function meterOne(record: SentRecord) {
    if (unsubscribed.has(record.CustomerIdentifier))
      return { UsageRecord: record, Status: 'CustomerNotSubscribed' }
    const hour = Math.floor(record.Timestamp / 3_600)
    const key = `${record.CustomerIdentifier} ${record.Dimension} ${hour}`
    const before = metered.get(key)
    if (before !== undefined && before !== record.Quantity)
      return { UsageRecord: record, Status: 'DuplicateRecord' }
    metered.set(key, record.Quantity)
    return { UsageRecord: record, Status: 'Success', MeteringRecordId: `metered-${metered.size}` }
  }

  function batchMeterUsage({
    ProductCode,
    UsageRecords = [],
  }: {
    ProductCode?: string
    UsageRecords?: SentRecord[]
  }) {
    if (ProductCode !== PRODUCT) throw new Refusal('InvalidProductCodeException')
    if (UsageRecords.length > 25) throw new Refusal('ValidationException')
    if (UsageRecords.some(({ Quantity }) => !Number.isInteger(Quantity) || Quantity < 0))
      throw new Refusal('ValidationException')
    const oldest = Math.floor(clock().getTime() / 1000) - SIX_HOURS_S
    if (UsageRecords.some(({ Timestamp }) => Timestamp < oldest))
      throw new Refusal('TimestampOutOfBoundsException')
    const known = new Set(tokens.values())
    if (UsageRecords.some(({ CustomerIdentifier: one }) => !known.has(one)))
      throw new Refusal('InvalidCustomerIdentifierException')
    if (faults[0] === 'unprocessed') {
      faults.shift()
      return { Results: [], UnprocessedRecords: UsageRecords }
    }
    return { Results: UsageRecords.map(meterOne), UnprocessedRecords: [] }
  }

  function answerTo(target: string, input: object): object {
    if (target === `${SERVICE}.ResolveCustomer`) return resolveCustomer(input)
    if (target === `${SERVICE}.BatchMeterUsage`) return batchMeterUsage(input)
    throw new Refusal('UnknownOperationException')
  }

  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const part of request as AsyncIterable<Buffer>) body += part.toString('utf8')
      requests++
      const isForThis = /\/aws-marketplace\/aws4_request/.test(request.headers.authorization ?? '')
      if (!isSigned(request, body) || !isForThis)
        return answer(response, 403, { __type: 'SignatureDoesNotMatch' })
      const fault = faults[0] === 'unprocessed' ? undefined : faults.shift()
      if (fault === 'throttled') return answer(response, 400, { __type: 'ThrottlingException' })
      if (fault === 'broken') return answer(response, 500, { __type: 'InternalServiceErrorException' })
      try {
        const data = answerTo(String(request.headers['x-amz-target']), JSON.parse(body) as object)
        // It was done, and nobody hears of it.
        if (fault === 'answer lost') return request.socket.destroy()
        return answer(response, 200, data)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return answer(response, 400, { __type: `com.amazonaws.marketplace.metering#${error.message}` })
      }
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    tokens,
    unsubscribed,
    metered,
    faults,
    requests: () => requests,
    settings: {
      BOATHOUSE_MARKETPLACE: 'aws',
      ...AWS_KEYS,
      BOATHOUSE_AWS_MARKETPLACE_URL: `http://127.0.0.1:${port}`,
    },
  }
}
