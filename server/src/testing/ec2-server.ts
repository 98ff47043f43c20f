import { AWS_KEYS, startAwsService } from './aws-signature.ts'

export const SERVICE_ID = 'vpce-svc-0123456789abcdef0'

type State = 'pendingAcceptance' | 'available' | 'rejected' | 'deleted'

interface Connected {
  readonly owner: string
  state: State
}

const refusal = (code: string): string =>
  `<?xml version="1.0"?><Response><Errors><Error><Code>${code}</Code><Message>No.</Message></Error></Errors></Response>`

const entry = (id: string, { owner, state }: Connected): string => `<item>
  <creationTimestamp>2026-03-01T09:00:00Z</creationTimestamp>
  <dnsEntrySet><item><dnsName>a.example</dnsName><hostedZoneId>Z1</hostedZoneId></item></dnsEntrySet>
  <networkLoadBalancerArnSet><item>arn:aws:elasticloadbalancing:lb</item></networkLoadBalancerArnSet>
  <serviceId>${SERVICE_ID}</serviceId>
  <vpcEndpointId>${id}</vpcEndpointId>
  <vpcEndpointOwner>${owner}</vpcEndpointOwner>
  <vpcEndpointState>${state}</vpcEndpointState>
</item>`

const idsIn = (asked: URLSearchParams): string[] =>
  [...asked].filter(([name]) => name.startsWith('VpcEndpointId.')).map(([, value]) => value)

/** EC2 as far as a VPC endpoint service needs it: it checks signatures, and answers in pages of two. */
export async function startEc2() {
  const connections = new Map<string, Connected>()
  const actions: string[] = []
  /** With which it answers everything, while it is set. */
  const trouble: { status: number | null } = { status: null }

  function list(asked: URLSearchParams): string {
    const from = Number(asked.get('NextToken') ?? 0)
    const all = [...connections]
    const items = all.slice(from, from + 2).map(([id, one]) => entry(id, one))
    const next = from + 2 < all.length ? `<nextToken>${from + 2}</nextToken>` : ''
    return `<DescribeVpcEndpointConnectionsResponse><vpcEndpointConnectionSet>${items.join('')}</vpcEndpointConnectionSet>${next}</DescribeVpcEndpointConnectionsResponse>`
  }

  function decide(asked: URLSearchParams, action: 'Accept' | 'Reject'): string {
    const undone = idsIn(asked).flatMap((id) => {
      const one = connections.get(id)
      if (!one || one.state === 'deleted')
        return `<item><error><code>InvalidVpcEndpointId.NotFound</code></error><resourceId>${id}</resourceId></item>`
      one.state = action === 'Accept' ? 'available' : 'rejected'
      return []
    })
    return `<${action}VpcEndpointConnectionsResponse><unsuccessful>${undone.join('')}</unsuccessful></${action}VpcEndpointConnectionsResponse>`
  }

  const url = await startAwsService({
    service: 'ec2',
    refusal,
    answer: (asked) => {
      const action = asked.get('Action') ?? ''
      actions.push([action, ...idsIn(asked)].join(' '))
      if (trouble.status !== null) return [trouble.status, refusal('InternalError')]
      if (asked.get('Version') !== '2016-11-15') return [400, refusal('NoSuchVersion')]
      if (action === 'DescribeVpcEndpointConnections')
        return asked.get('Filter.1.Name') === 'service-id' && asked.get('Filter.1.Value.1') === SERVICE_ID
          ? [200, list(asked)]
          : [400, refusal('InvalidParameterValue')]
      if (asked.get('ServiceId') !== SERVICE_ID) return [400, refusal('InvalidVpcEndpointServiceId.NotFound')]
      return [200, decide(asked, action === 'AcceptVpcEndpointConnections' ? 'Accept' : 'Reject')]
    },
  })
  return {
    connections,
    actions,
    trouble,
    settings: {
      ...AWS_KEYS,
      BOATHOUSE_AWS_EC2_URL: url,
      BOATHOUSE_PRIVATE_LINK: 'aws',
      BOATHOUSE_PRIVATE_LINK_SERVICE: SERVICE_ID,
      BOATHOUSE_PRIVATE_LINK_PROXIES: '127.0.0.0/8',
    },
  }
}
