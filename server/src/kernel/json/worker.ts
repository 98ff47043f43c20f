import { createHmac } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { yieldToOthers } from '../background-thread.ts'
import { parseJson } from './parse.ts'
import type { LargeJson, LargeJsonRead } from './reader.ts'

yieldToOthers()

/** Reads large JSON beside the thread that serves everyone: bytes come, what they say and their signature go back. */
parentPort?.on('message', ({ bytes, signed, rules }: LargeJson) => {
  const signature = signed
    ? createHmac('sha256', signed.key).update(signed.before).update(bytes).digest('hex')
    : ''
  const read: LargeJsonRead = { signature, read: parseJson(bytes, rules) }
  parentPort?.postMessage(read, [])
})
