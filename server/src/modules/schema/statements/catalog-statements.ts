import {
  type CodeName,
  DEFAULT_CATALOG,
  DEFAULT_DATABASE,
  fieldsOf,
  isSameName,
  MESSAGES,
  NewCatalog,
  withInherited,
} from '@boathouse/contract'
import {
  type CatalogDefinition,
  likeMatcher,
  readCreateCatalog,
  readDropCatalog,
  readRenameCatalog,
  readShow,
  type StatementKind,
} from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import { NO_ROWS, ownRows } from '../../query/sessions/own-rows.ts'
import { type Answer, ofCatalogs, type SessionTools } from '../../query/sessions/session-tools.ts'
import { unreadable } from '../../query/sessions/unreadable.ts'
import type { AllCatalogs } from '../catalogs/all-catalogs.ts'

const CATALOG_FORMS = {
  show: "SHOW CATALOGS [LIKE 'pattern']",
  showCreate: 'SHOW CREATE CATALOG name',
  create: `CREATE CATALOG [IF NOT EXISTS] name [COMMENT 'text'], or CREATE EXTERNAL CATALOG name [COMMENT 'text'] PROPERTIES ('type' = 'folder', 'folder' = 'name')`,
  rename: 'ALTER CATALOG name RENAME TO new_name',
  drop: 'DROP CATALOG [IF EXISTS] name [CASCADE]',
} as const

/** Database administrators alone, as for the calls. */
function requireAdministrator({ actor }: SessionTools): void {
  if (!withInherited(actor.activeRoles).includes('db_admin'))
    throw new AppError(
      'NoPermission',
      'This requires the role db_admin. An account or user administrator can grant it.',
    )
}

/** The properties that such a catalog has in a statement; null when it cannot do without secrets. */
function fieldsWithoutSecrets(type: string | undefined, access: string | undefined): string[] | null {
  if (type === 'folder') return [...fieldsOf(type, 'key')]
  const isByRole = (type === 'bucket' || type === 'glue' || type === 'hive') && access === 'role'
  return isByRole ? ['access', ...fieldsOf(type, 'role')] : null
}

/** Texts of statements are kept in the history, and secrets never in a text. */
function externalDraft({ name, comment, properties }: CatalogDefinition): NewCatalog {
  const { type, ...fields } = properties
  const allowed = fieldsWithoutSecrets(type, fields['access'])
  if (allowed === null)
    throw new AppError(
      'QueryFailed',
      `A statement can create external catalogs of the type 'folder', and of the types 'bucket', 'glue' and 'hive' with an IAM role ('access' = 'role'). Others need secrets, which do not belong in SQL text. Create them on the Catalogs page.`,
    )
  const unknown = Object.keys(fields).find((key) => !allowed.includes(key))
  if (unknown !== undefined)
    throw new AppError(
      'QueryFailed',
      `The property '${unknown}' is unknown here. A catalog of the type '${type}' has these: ${allowed.join(', ')}.`,
    )
  const parsed = NewCatalog.safeParse({ ...fields, name, description: comment, metastoreType: type })
  if (parsed.success) return parsed.data
  throw new AppError('QueryFailed', parsed.error.issues[0]?.message ?? MESSAGES.correctValue)
}

const whoOf = ({ actor, clientIp }: SessionTools) => ({ actor, clientIp: clientIp ?? '' })

/** What IF EXISTS and IF NOT EXISTS make of an error. */
const unless = (code: CodeName, isLenient: boolean) => (error: unknown) => {
  if (!(isLenient && error instanceof AppError && error.code === code)) throw error
}

/** Statements about catalogs: the same functions as behind the calls. */
export function catalogStatements(catalogs: AllCatalogs): Partial<Record<StatementKind, Answer>> {
  return {
    'show-catalogs': async (statement, { actor }) => {
      const show = readShow(statement)
      if (!show) throw unreadable(CATALOG_FORMS.show)
      const isLike = likeMatcher(show.like)
      const rows = (await catalogs.list(actor))
        .filter(({ name }) => isLike(name))
        .map(({ name, type, description = '' }) => [name, type, description])
      return { result: ownRows(['Catalog', 'Type', 'Comment'], rows) }
    },
    'show-create-catalog': async (statement, tools) => {
      const name = readShow(statement)?.from?.at(-1)
      if (name === undefined) throw unreadable(CATALOG_FORMS.showCreate)
      requireAdministrator(tools)
      const text = await catalogs.createStatement(tools.actor, name)
      return { result: ownRows(['Catalog', 'Create Catalog'], [[name, text]]) }
    },
    'create-catalog': async (statement, tools) => {
      const definition = readCreateCatalog(statement)
      const isPlain = definition && Object.keys(definition.properties).length === 0
      if (!definition || definition.external === isPlain) throw unreadable(CATALOG_FORMS.create)
      requireAdministrator(tools)
      const { name, comment: description, lenient, external } = definition
      const made = external
        ? catalogs.add(whoOf(tools), externalDraft(definition))
        : catalogs.create(whoOf(tools), { name, description })
      await made.catch(unless('NameTaken', lenient))
      return { result: NO_ROWS }
    },
    'alter-catalog': async (statement, tools) => {
      const definition = readRenameCatalog(statement)
      if (!definition) throw unreadable(CATALOG_FORMS.rename)
      requireAdministrator(tools)
      const { name, newName } = definition
      const { connection } = tools
      const isHere = isSameName(connection.catalog, name)
      // As ALTER TABLE: a statement is not confirmed.
      await catalogs.rename(whoOf(tools), name, { newName, evenIfUsed: true })
      return { result: NO_ROWS, ...(isHere ? { move: { catalog: newName } } : {}) }
    },
    'drop-catalog': async (statement, tools) => {
      const definition = readDropCatalog(statement)
      if (!definition) throw unreadable(CATALOG_FORMS.drop)
      requireAdministrator(tools)
      const { name, cascade, lenient } = definition
      await catalogs.drop(whoOf(tools), name, cascade).catch(unless('NotFound', lenient))
      const { connection } = tools
      if (!isSameName(connection.catalog, name)) return { result: NO_ROWS }
      const home = { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE }
      await tools.runInEngine(ofCatalogs(({ statements }) => statements.enter(home)))
      return { result: NO_ROWS, move: home }
    },
  }
}
