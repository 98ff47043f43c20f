import { chown, mkdir, rename, writeFile } from 'node:fs/promises'

/** A user of the operating system whose processes read what is written for them; null: the one of the service. */
export type FileOwner = { readonly uid: number; readonly gid: number } | null

/** At once or not at all, and for nobody else to read. */
export async function writePrivate(file: string, text: string, owner: FileOwner = null): Promise<void> {
  const draft = `${file}.new`
  await writeFile(draft, text, { mode: 0o600 })
  if (owner) await chown(draft, owner.uid, owner.gid)
  await rename(draft, file)
}

export async function makePrivateFolder(folder: string, owner: FileOwner = null): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (owner) await chown(folder, owner.uid, owner.gid)
}

/** A file that is missing or torn holds nothing. */
export function noneIfUnreadable(error: unknown): null {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  if (isMissing || error instanceof SyntaxError) return null
  throw error
}
