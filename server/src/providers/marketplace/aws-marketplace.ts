import type { Clock } from '../../kernel/clock.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { type OutsideRequests, textOf } from '../bucket/outside-requests.ts'
import { type Keys, signedHeaders } from '../bucket/signature.ts'
import type { Marketplace, MeteringOutcome, MeteringRecord } from './marketplace.ts'

export interface AwsMarketplaceOptions {
  readonly requests: OutsideRequests
  /** The service's own keys, of the seller's account. */
  readonly keys: Keys
  /** Empty: that of AWS for the region of the keys. */
  readonly endpoint: string
  readonly clock: Clock
}

const SERVICE = 'AWSMPMeteringService'
const LONGEST_ANSWER = 256 * 1024
const GIVEN_UP_MS = 30_000
const HOUR_MS = 3_600_000

interface Refusal {
  readonly __type?: unknown
}

interface UsageResult {
  readonly Status?: unknown
  readonly MeteringRecordId?: string
  readonly UsageRecord?: {
    readonly CustomerIdentifier?: unknown
    readonly Dimension?: unknown
    readonly Timestamp?: unknown
  }
}

/** AWS answered, and did nothing. */
class Refused extends Error {
  override readonly name = 'Refused'
  constructor(readonly code: string) {
    super(`AWS Marketplace answers ${code === '' ? 'with an error' : code}.`)
  }
}

/** What AWS did not do, and will not do when it is asked again. */
const FINAL: ReadonlySet<string> = new Set([
  'InvalidCustomerIdentifierException',
  'InvalidProductCodeException',
  'InvalidUsageDimensionException',
  'CustomerNotEntitledException',
])

/** Of `com.amazonaws…#ExpiredTokenException` the last part. */
const codeIn = ({ __type }: Refusal): string =>
  typeof __type === 'string' ? (__type.split('#').pop() ?? '') : ''

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000)

const isAbout = ({ UsageRecord: sent }: UsageResult, record: MeteringRecord): boolean =>
  sent?.CustomerIdentifier === record.customer &&
  sent.Dimension === record.dimension &&
  Number(sent.Timestamp) === secondsOf(record.hour)

function outcomeOf(result: UsageResult | undefined): MeteringOutcome {
  if (result?.Status === 'Success') return { state: 'taken', receipt: result.MeteringRecordId ?? '' }
  if (result?.Status === 'CustomerNotSubscribed')
    return { state: 'refused', problem: 'The customer is not subscribed to the product any more.' }
  if (result?.Status === 'DuplicateRecord')
    return { state: 'refused', problem: 'AWS has another record of this customer for the same hour.' }
  return { state: 'later', problem: 'AWS has not processed this record.' }
}

/** The AWS Marketplace, by the calls of its metering service. */
export function createAwsMarketplace({
  requests,
  keys,
  endpoint,
  clock,
}: AwsMarketplaceOptions): Marketplace {
  const to = new URL(endpoint === '' ? `https://metering.marketplace.${keys.region}.amazonaws.com` : endpoint)

  /** Throws a `Refused` when AWS has answered, and an `OutsideRefused` when nobody knows what became of it. */
  async function call(action: string, input: object): Promise<Record<string, unknown>> {
    const body = JSON.stringify(input)
    const headers = signedHeaders(
      {
        host: to.host,
        path: '/',
        query: {},
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${SERVICE}.${action}` },
        at: clock.now(),
        posted: { service: 'aws-marketplace', body },
      },
      keys,
    )
    const answer = await requests.send(
      { to, method: 'POST', path: '/', headers, body },
      AbortSignal.timeout(GIVEN_UP_MS),
    )
    const text = await textOf(answer, LONGEST_ANSWER)
    const status = answer.statusCode ?? 0
    // An error of its own may come after it has written something down.
    if (status >= 500)
      throw new OutsideRefused('unreachable', `AWS Marketplace answers with the error ${status}`)
    const data = objectIn(text)
    if (status !== 200) throw new Refused(codeIn(data))
    return data
  }

  return {
    id: 'aws',
    takesHoursForMs: 6 * HOUR_MS,
    recordsAtOnce: 25,

    async resolve(token) {
      try {
        const answer = await call('ResolveCustomer', { RegistrationToken: token })
        const { CustomerIdentifier: customer, ProductCode: product } = answer
        if (typeof customer !== 'string' || typeof product !== 'string')
          throw new OutsideRefused('nonsense', 'AWS Marketplace answers without a customer')
        return { state: 'found', purchase: { customer, marketplace: 'AWS Marketplace', product } }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        if (error.code === 'ExpiredTokenException') return { state: 'expired' }
        if (error.code === 'InvalidTokenException') return { state: 'invalid' }
        throw error
      }
    },

    meter: meterAll,
  }

  async function meterAll(records: readonly MeteringRecord[]): Promise<readonly MeteringOutcome[]> {
    try {
      const { Results: results } = await call('BatchMeterUsage', {
        ProductCode: records[0]?.product,
        UsageRecords: records.map(({ customer, dimension, hour, quantity }) => ({
          Timestamp: secondsOf(hour),
          CustomerIdentifier: customer,
          Dimension: dimension,
          Quantity: quantity,
        })),
      })
      const all = Array.isArray(results) ? (results as UsageResult[]) : []
      return records.map((record) => outcomeOf(all.find((result) => isAbout(result, record))))
    } catch (error) {
      const isFinal = error instanceof Refused && FINAL.has(error.code)
      // Of several, AWS does not say which one is wrong, and has taken none of them.
      if (isFinal && records.length > 1)
        return (await Promise.all(records.map((one) => meterAll([one])))).flat()
      const problem = error instanceof Error ? error.message : String(error)
      const state = isFinal ? 'refused' : error instanceof Refused ? 'later' : 'unsure'
      return records.map(() => ({ state, problem }))
    }
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (error) {
    throw new OutsideRefused('nonsense', 'the answer of AWS Marketplace cannot be read', { cause: error })
  }
  throw new OutsideRefused('nonsense', 'the answer of AWS Marketplace cannot be read')
}
