import { VPCE_MESSAGES } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { PrivateLinkNetwork } from '../../providers/private-link/private-link.ts'
import type { EndpointRow } from './store.ts'

/** How long the operator waits for the cloud. */
const PATIENCE_MS = 10_000

const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS)

/** Whatever the cloud refuses is said to who asked. */
export async function askCloud<T>(ask: (stop: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await ask(patience())
  } catch (error) {
    if (!(error instanceof OutsideRefused)) throw error
    throw new AppError('Conflict', `The cloud did not do it: ${error.message}.`, { cause: error })
  }
}

/** Accepts the connection of an endpoint in the cloud, if it is there and its owner is who the account said. */
export async function acceptInCloud(network: PrivateLinkNetwork, row: EndpointRow): Promise<void> {
  const { endpoint_id: endpointId, aws_account_id: awsAccountId } = row
  const connections = await askCloud((stop) => network.connections(stop))
  if (connections !== null) {
    const found = connections.find((one) => one.endpointId === endpointId && (one.isPending || one.isOpen))
    if (!found) throw new AppError('Conflict', VPCE_MESSAGES.notReceived(endpointId))
    if (found.ownerId !== awsAccountId)
      throw new AppError(
        'Conflict',
        `The endpoint ${endpointId} is in the AWS account ${found.ownerId}, not in ${awsAccountId}. Reject it.`,
      )
    if (found.isOpen) return
  }
  await askCloud((stop) => network.accept(endpointId, stop))
}
