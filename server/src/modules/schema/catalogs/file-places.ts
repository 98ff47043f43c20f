import { objectOf, withInherited } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Authority } from '../../access/authority.ts'
import type { ExternalCatalogRow, ExternalStore } from './external-store.ts'
import type { OpenFolder } from './folder-catalogs.ts'

/** Where files lie that somebody may read by their path. */
export type FilePlace = {
  /** In front of the name of each file, as users write it. */
  readonly prefix: string
  /** Folders inside of what is opened, without slashes at its ends; empty: all of it. */
  readonly below: string
  /** What files in there are called; * and ? stand for any characters but slashes, ** for slashes too. */
  readonly pattern: string
} & (
  | { readonly kind: 'folder'; readonly root: string }
  | { readonly kind: 'bucket'; readonly catalogId: string }
)

/** What a path may begin with. */
export interface OpenPlace {
  readonly path: string
  /** Whose privileges and keys open it; null: a folder that no catalog shows. */
  readonly catalog: string | null
}

export interface FilePlaceParts {
  readonly store: Pick<ExternalStore, 'list'>
  readonly authority: Pick<Authority, 'may'>
  readonly openFolders: (accountId: string) => readonly OpenFolder[]
}

interface WrittenPath {
  readonly scheme: 'folder' | 's3'
  /** Of the opened folder, or of the bucket. */
  readonly root: string
  readonly below: string
  readonly pattern: string
}

const WRITTEN = /^(folder|s3[an]?):\/\/([\w.-]+)\/(.*)$/i
const HAS_PATTERN = /[*?]/
const FORM =
  'Write a path such as folder://name/orders/*.csv or s3://bucket/orders/*.csv, without . and .. in it.'

const isPlain = (part: string): boolean =>
  part !== '' &&
  part !== '.' &&
  part !== '..' &&
  !part.includes('\\') &&
  // oxlint-disable-next-line no-control-regex
  !/[\u0000-\u001f\u007f]/.test(part)

function readPath(path: string): WrittenPath {
  const [, scheme = '', root = '', inside = ''] = WRITTEN.exec(path) ?? []
  const parts = inside.split('/')
  // A folder stands for all files in it.
  if (parts.at(-1) === '') parts.splice(-1, 1, '*')
  if (root === '' || path.length > 1_024 || !isPlain(root) || !parts.every(isPlain))
    throw new AppError('BadInput', `path: ${FORM}`)
  const first = parts.findIndex((part) => HAS_PATTERN.test(part))
  const folders = parts.slice(0, first < 0 ? -1 : first)
  return {
    scheme: scheme.toLowerCase() === 'folder' ? 'folder' : 's3',
    root,
    below: folders.join('/'),
    pattern: parts.slice(folders.length).join('/'),
  }
}

const inside = (place: string, outer: string): boolean => outer === '' || `${place}/`.startsWith(`${outer}/`)

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/')

const prefixOf = ({ settings }: ExternalCatalogRow): string => settings['s3Prefix'] ?? ''

/** As users write it, with a slash at its end. */
function pathOfCatalog(row: ExternalCatalogRow): string {
  const { settings, metastore } = row
  if (metastore === 'folder') return `folder://${settings['folder'] ?? ''}/`
  return `s3://${joined(settings['s3Bucket'] ?? '', prefixOf(row))}/`
}

/** Who may make a catalog over a folder. */
const mayCatalogs = ({ activeRoles }: Actor): boolean => withInherited(activeRoles).includes('db_admin')

/**
 * Files outside of tables that somebody may read: those that a catalog over a folder or a bucket shows, for who may read
 * all of its tables, and folders that the operator has opened, for who may make a catalog over them. Nothing else.
 */
export function createFilePlaces({ store, authority, openFolders }: FilePlaceParts) {
  const mayReadAll = async (actor: Actor, { name: catalog }: ExternalCatalogRow): Promise<boolean> =>
    (await authority.may(actor, 'USAGE', objectOf('catalog', { catalog }))) &&
    (await authority.may(actor, 'SELECT', objectOf('table', { catalog })))

  async function open(actor: Actor): Promise<readonly OpenPlace[]> {
    const { accountId } = actor
    const folders = openFolders(accountId)
    const places: OpenPlace[] = []
    if (mayCatalogs(actor))
      for (const { name } of folders) places.push({ path: `folder://${name}/`, catalog: null })
    for (const row of await store.list(accountId)) {
      const isRead = row.metastore === 'bucket' || row.metastore === 'folder'
      if (!isRead || !(await mayReadAll(actor, row))) continue
      const path = pathOfCatalog(row)
      const isShown = places.some((place) => path.startsWith(place.path))
      if (!isShown) places.push({ path, catalog: row.name })
    }
    return places
  }

  async function refusal(actor: Actor, path: string): Promise<AppError> {
    const places = await open(actor)
    const allowed =
      places.length > 0
        ? `You can read files below ${places.map((place) => place.path).join(', ')}`
        : 'No folder or bucket is open to you: an operator opens folders, and a database administrator creates a catalog over a bucket and grants you SELECT on all of its tables'
    return new AppError('NoPermission', `You cannot read files at ${path}. ${allowed}.`)
  }

  async function folder(actor: Actor, { root, below }: WrittenPath): Promise<string | null> {
    const opened = openFolders(actor.accountId).find(({ name }) => name === root)
    if (!opened) return null
    if (mayCatalogs(actor)) return opened.path
    const place = joined(root, below)
    const rows = await store.list(actor.accountId)
    const catalogs = rows.filter((row) => row.metastore === 'folder')
    const over = catalogs.find((row) => inside(place, row.settings['folder'] ?? ''))
    return over && (await mayReadAll(actor, over)) ? opened.path : null
  }

  async function bucket(actor: Actor, { root, below }: WrittenPath): Promise<ExternalCatalogRow | null> {
    for (const row of await store.list(actor.accountId)) {
      const isOver =
        row.metastore === 'bucket' && row.settings['s3Bucket'] === root && inside(below, prefixOf(row))
      if (isOver && (await mayReadAll(actor, row))) return row
    }
    return null
  }

  return {
    open,

    /** Throws when the actor may not read there, with what they may. */
    async find(actor: Actor, path: string): Promise<FilePlace> {
      const written = readPath(path)
      const { below, pattern } = written
      const prefix = `${written.scheme}://${joined(written.root, below)}/`
      if (written.scheme === 'folder') {
        const root = await folder(actor, written)
        if (root === null) throw await refusal(actor, path)
        return { kind: 'folder', root, prefix, below, pattern }
      }
      const row = await bucket(actor, written)
      if (!row) throw await refusal(actor, path)
      const inCatalog = below.slice(prefixOf(row).length).replace(/^\//, '')
      return { kind: 'bucket', catalogId: row.catalog_id, prefix, below: inCatalog, pattern }
    },
  }
}

export type FilePlaces = ReturnType<typeof createFilePlaces>
