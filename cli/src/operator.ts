import { readFile } from 'node:fs/promises'
import { createChainCheck } from '@boathouse/server/audit-chain'
import { ask } from './ask-server.ts'
import type { OperatorLine } from './operator-line.ts'
import { printed } from './printed.ts'

const say = (text: string): void => console.log(text)

interface Verdict {
  readonly accountId: string
  readonly entries: number
  readonly head: string
  readonly problem: string | null
}

/** A copy is checked without server and database. */
async function verifyFile(file: string): Promise<Verdict[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  const { account } = JSON.parse(lines[0] ?? '{"account":""}') as { account: string }
  const check = createChainCheck(account)
  for (const line of lines) check.add(line)
  return [check.verdict()]
}

async function exportAudit(dataDir: string, account: unknown): Promise<void> {
  for (let after = 0; ;) {
    const page = (await ask(dataDir, { command: 'audit entries', input: { account, after } })) as string[]
    for (const entry of page) say(entry)
    if (page.length === 0) return
    after += page.length
  }
}

/** Answers the exit code. */
export async function runOperator(
  { command, input }: OperatorLine,
  { dataDir, json }: { dataDir: string; json: boolean },
): Promise<number> {
  if (command === 'audit export') {
    await exportAudit(dataDir, input['account'])
    return 0
  }
  const isCopy = command === 'audit verify' && typeof input['file'] === 'string'
  const output = isCopy ? await verifyFile(String(input['file'])) : await ask(dataDir, { command, input })
  say(json ? JSON.stringify(output, null, 2) : printed(output))
  const isBroken = command === 'audit verify' && (output as Verdict[]).some(({ problem }) => problem !== null)
  return isBroken ? 1 : 0
}
