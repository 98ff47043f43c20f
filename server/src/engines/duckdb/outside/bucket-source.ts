import type { Outside } from '../../../kernel/outside.ts'
import type { BucketCatalog } from '../../engine/attachments.ts'
import { type FileSource, WITHIN_MS } from '../folders/file-source.ts'
import { FolderUnreadable, SCAN_LIMITS } from '../folders/layout.ts'
import type { Loopback } from './loopback.ts'
import { mountedSource } from './mounted-source.ts'
import { ObjectLayout } from './object-layout.ts'

/** Each of a thousand names. */
const MOST_PAGES = 100

async function look(outside: Outside, id: string, { base, stop }: { base: string; stop: AbortSignal }) {
  const layout = new ObjectLayout(base, SCAN_LIMITS)
  let after: string | null = null
  for (let page = 1; ; page++) {
    const { objects, next } = await outside.list(id, after, stop)
    for (const object of objects) layout.add(object)
    if (next === null) return layout.content()
    if (page === MOST_PAGES) throw new FolderUnreadable(`it has more than ${MOST_PAGES} pages of names`)
    after = next
  }
}

/** Files of a bucket, which the service lists and reads. */
export function bucketSource(
  { id, name: catalog }: BucketCatalog,
  outside: Outside,
  loopback: Loopback,
): FileSource {
  const mount = loopback.mount(id)
  return mountedSource({
    mount,
    catalog,
    withinMs: WITHIN_MS,
    async look(stop) {
      const content = await look(outside, id, { base: mount.base, stop })
      mount.show(content.files)
      return content
    },
  })
}
