import type { OutsideFile } from '../outside/object-layout.ts'

/** A statement that started with files of an earlier snapshot can read them for so long, and so many of them. */
const GONE_MS = 15 * 60_000

const MOST_GONE = 50_000

/** Files that the tables had until some minutes ago. */
export class GoneFiles {
  private readonly files = new Map<string, { readonly file: OutsideFile; readonly until: number }>()

  /** Files that are no longer part of a table and may still be read. */
  after(before: ReadonlyMap<string, OutsideFile>, files: ReadonlyMap<string, OutsideFile>) {
    const now = performance.now()
    for (const [url, file] of before) this.files.set(url, { file, until: now + GONE_MS })
    for (const [url, { until }] of this.files) if (files.has(url) || until < now) this.files.delete(url)
    // The oldest come first.
    for (const url of this.files.keys()) if (this.files.size > MOST_GONE) this.files.delete(url)
    return [...this.files].map(([url, { file }]) => [url, file] as const)
  }
}
