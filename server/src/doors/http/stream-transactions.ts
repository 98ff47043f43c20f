import { API_PREFIX } from '@boathouse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StreamSender } from '../../modules/load/stream/live-load.ts'
import type { Streams } from '../../modules/load/stream/service.ts'
import { readStreamOptions, type StreamHeaders } from '../../modules/load/stream/stream-options.ts'
import {
  readBeginOptions,
  readPreparedSeconds,
  readTransactionNames,
} from '../../modules/load/stream/transactions/transaction-options.ts'
import type { TransactionAnswer } from '../../modules/load/stream/transactions/transaction-answer.ts'
import { statusOf } from './stream-answer.ts'
import {
  askToSignIn,
  bodyOf,
  createStreamRequests,
  headersOf,
  letDrain,
  type StreamRequestParts,
} from './stream-request.ts'
import { refusedTransaction, transactionResponse } from './stream-transaction-answer.ts'

interface TransactionDoor extends StreamRequestParts {
  readonly transactions: Pick<
    Streams['transactions'],
    'begin' | 'load' | 'prepare' | 'commit' | 'rollback' | 'stateOf'
  >
  readonly errorUrl: (taskId: string) => string
}

const at = (step: string) => `${API_PREFIX}/transaction/${step}`

/** A step that has no body of its own. */
type Step = (sender: StreamSender, headers: StreamHeaders) => Promise<TransactionAnswer>

/** `/api/transaction/…`: loads of several parts under one label, in the words of StarRocks. */
export function mountStreamTransactions(room: FastifyInstance, door: TransactionDoor): void {
  const { transactions, errorUrl } = door
  const { senderOf, refusal } = createStreamRequests(door)

  function refused(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const why = refusal(error)
    letDrain(request, reply)
    askToSignIn(why, reply)
    const { label } = headersOf(request)
    return reply.code(statusOf(why)).send(refusedTransaction(why, label ?? '', errorUrl))
  }

  const answering = (name: 'begin' | 'other', step: Step) =>
    async function answer(request: FastifyRequest, reply: FastifyReply) {
      try {
        const sender = await senderOf(request)
        const said = await step(sender, headersOf(request))
        letDrain(request, reply)
        return transactionResponse(said, name)
      } catch (error) {
        return refused(error, request, reply)
      }
    }

  async function load(request: FastifyRequest, reply: FastifyReply) {
    try {
      const sender = await senderOf(request)
      const headers = headersOf(request)
      const names = readTransactionNames(headers)
      const begun = await transactions.load(sender, names, () => readStreamOptions(headers))
      if (request.headers.expect !== undefined) reply.raw.writeContinue()
      const said = await begun.take(bodyOf(request.raw))
      letDrain(request, reply)
      return transactionResponse(said, 'other')
    } catch (error) {
      return refused(error, request, reply)
    }
  }

  const steps: readonly (readonly [path: string, name: 'begin' | 'other', step: Step])[] = [
    ['begin', 'begin', (sender, headers) => transactions.begin(sender, readBeginOptions(headers))],
    [
      'prepare',
      'other',
      (sender, headers) =>
        transactions.prepare(sender, readTransactionNames(headers), readPreparedSeconds(headers)),
    ],
    ['commit', 'other', (sender, headers) => transactions.commit(sender, readTransactionNames(headers))],
    ['rollback', 'other', (sender, headers) => transactions.rollback(sender, readTransactionNames(headers))],
  ]
  for (const [path, name, step] of steps) room.post(at(path), answering(name, step))
  room.put(at('load'), { config: { takesItsTime: true }, bodyLimit: Number.MAX_SAFE_INTEGER }, load)

  interface StateRoute {
    Params: { database: string }
    Querystring: { label?: string }
  }
  room.get<StateRoute>(`${API_PREFIX}/:database/get_load_state`, async (request, reply) => {
    try {
      const sender = await senderOf(request)
      const { label } = request.query
      const names = readTransactionNames({ db: request.params.database, label })
      const { state, reason } = await transactions.stateOf(await sender.now(), names)
      return { status: 'OK', code: '0', msg: 'Success', message: 'OK', label, state, reason }
    } catch (error) {
      const why = refusal(error)
      askToSignIn(why, reply)
      const { message } = why
      return reply
        .code(statusOf(why))
        .send({ status: 'FAILED', code: '1', msg: message, message, state: 'UNKNOWN', reason: '' })
    }
  })
}
