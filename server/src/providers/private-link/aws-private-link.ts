import type { Clock } from '../../kernel/clock.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { elementIn } from '../bucket/listing.ts'
import { type OutsideRequests, textOf } from '../bucket/outside-requests.ts'
import { encodedQuery, type Keys, signedHeaders } from '../bucket/signature.ts'
import type { EndpointConnection, PrivateLinkNetwork } from './private-link.ts'

export interface AwsPrivateLinkOptions {
  readonly requests: OutsideRequests
  /** The service's own keys. */
  readonly keys: Keys
  /** Of the VPC endpoint service, `vpce-svc-…`. */
  readonly serviceId: string
  /** Empty: that of AWS for the region of the keys. */
  readonly endpoint: string
  readonly clock: Clock
}

const VERSION = '2016-11-15'
/** As many as a page has at most. */
const PAGE = '1000'
const MOST_PAGES = 20
const LONGEST_ANSWER = 4 * 1024 * 1024

/** By the codes that EC2 has for them. Nothing else of an answer is repeated. */
const REFUSALS: Readonly<Record<string, string>> = {
  AuthFailure: 'AWS does not accept the keys of this service; the operator must correct them',
  InvalidClientTokenId: 'AWS does not know the keys of this service; the operator must correct them',
  SignatureDoesNotMatch: 'the AWS keys of this service are wrong; the operator must correct them',
  RequestExpired: 'the clock of this machine is wrong, or the AWS keys of this service have expired',
  UnauthorizedOperation:
    'the AWS keys of this service may not do this; the operator must extend their policy',
  'InvalidVpcEndpointServiceId.NotFound': 'AWS does not know the endpoint service of this installation',
  'InvalidVpcEndpointService.NotFound': 'AWS does not know the endpoint service of this installation',
  'InvalidVpcEndpointId.NotFound': 'AWS does not know this VPC endpoint',
  InvalidState: 'the VPC endpoint is in a state in which AWS does not do this',
}

const reasonFor = (code: string): OutsideRefused | null => {
  const why = REFUSALS[code]
  return why === undefined ? null : new OutsideRefused('refused', why)
}

function connectionsIn(xml: string): EndpointConnection[] {
  const [, set = ''] = /<vpcEndpointConnectionSet>([\s\S]*)<\/vpcEndpointConnectionSet>/.exec(xml) ?? []
  // Lists inside of an entry, as of its load balancers, have items too.
  const entries = set.replace(/<(\w+Set)>[\s\S]*?<\/\1>/g, '').matchAll(/<item>([\s\S]*?)<\/item>/g)
  return Array.from(entries, ([, entry = '']) => {
    const state = (elementIn(entry, 'vpcEndpointState') ?? '').toLowerCase()
    return {
      endpointId: elementIn(entry, 'vpcEndpointId') ?? '',
      ownerId: elementIn(entry, 'vpcEndpointOwner') ?? '',
      isPending: state === 'pendingacceptance',
      isOpen: state === 'available' || state === 'pending',
    }
  })
}

const numbered = (endpointIds: readonly string[]): Record<string, string> =>
  Object.fromEntries(endpointIds.map((id, index) => [`VpcEndpointId.${index + 1}`, id]))

/** A VPC endpoint service of AWS, by the calls of EC2's query API. */
export function createAwsPrivateLink(options: AwsPrivateLinkOptions): PrivateLinkNetwork {
  const { requests, keys, serviceId, endpoint, clock } = options
  const to = new URL(endpoint === '' ? `https://ec2.${keys.region}.amazonaws.com` : endpoint)

  async function ask(question: Readonly<Record<string, string>>, stop: AbortSignal): Promise<string> {
    const body = encodedQuery({ Version: VERSION, ...question })
    const headers = signedHeaders(
      {
        host: to.host,
        path: '/',
        query: {},
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        at: clock.now(),
        posted: { service: 'ec2', body },
      },
      keys,
    )
    const answer = await requests.send({ to, method: 'POST', path: '/', headers, body }, stop)
    const text = await textOf(answer, LONGEST_ANSWER)
    if (answer.statusCode === 200) return text
    throw (
      reasonFor(elementIn(text, 'Code') ?? '') ??
      new OutsideRefused('unreachable', `AWS EC2 answers with the error ${answer.statusCode ?? 0}`)
    )
  }

  /** EC2 answers these with 200 also where it has done nothing, and lists what it has not done. */
  async function decide(
    Action: 'AcceptVpcEndpointConnections' | 'RejectVpcEndpointConnections',
    endpointIds: readonly string[],
    stop: AbortSignal,
  ): Promise<void> {
    const text = await ask({ Action, ServiceId: serviceId, ...numbered(endpointIds) }, stop)
    const [, undone = ''] = /<unsuccessful>([\s\S]*)<\/unsuccessful>/.exec(text) ?? []
    if (!undone.includes('<item>')) return
    throw (
      reasonFor(elementIn(undone, 'code') ?? '') ??
      new OutsideRefused('refused', 'AWS does not do this for the VPC endpoint')
    )
  }

  return {
    serviceName: `com.amazonaws.vpce.${keys.region}.${serviceId}`,
    knowsBy: 'endpoint',

    async connections(stop) {
      const all: EndpointConnection[] = []
      let next = ''
      for (let page = 0; page < MOST_PAGES; page++) {
        const text = await ask(
          {
            Action: 'DescribeVpcEndpointConnections',
            'Filter.1.Name': 'service-id',
            'Filter.1.Value.1': serviceId,
            MaxResults: PAGE,
            ...(next && { NextToken: next }),
          },
          stop,
        )
        all.push(...connectionsIn(text))
        next = elementIn(text, 'nextToken') ?? ''
        if (next === '') return all
      }
      throw new OutsideRefused('nonsense', 'AWS has more connections of the endpoint service than are read')
    },

    accept: (endpointId, stop) => decide('AcceptVpcEndpointConnections', [endpointId], stop),

    reject: (endpointIds, stop) => decide('RejectVpcEndpointConnections', endpointIds, stop),
  }
}
