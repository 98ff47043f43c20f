import { audit } from '@boathouse/contract/audit'
import { send } from '../../../lib/api.ts'

/** The whole log, a line for each entry: what `boathouse audit verify --file` reads. */
export async function readLog(signal: AbortSignal): Promise<Blob> {
  const pages: Blob[] = []
  for (let after: number | null = 0; after !== null;) {
    const page: { texts: string[]; next: number | null } = await send(audit.texts, { after }, { signal })
    // A browser can put these on its disk, and not the texts.
    pages.push(new Blob(page.texts.map((text) => `${text}\n`)))
    after = page.next
  }
  return new Blob(pages, { type: 'application/jsonl' })
}

export function saveLog(log: Blob, accountId: string): void {
  const address = URL.createObjectURL(log)
  const link = document.createElement('a')
  link.href = address
  link.download = `audit-${accountId}.jsonl`
  link.click()
  URL.revokeObjectURL(address)
}
