import type { Piece } from '../text/piece.ts'
import { keywordAt, kindAt, offsetOf, textAt } from '../text/piece.ts'
import type { TokenReader } from '../text/token-reader.ts'
import { openTokenReader } from '../text/token-reader.ts'
import { TOKEN } from '../text/token.ts'

export interface NamedPrincipal {
  name: string
  /** IF NOT EXISTS or IF EXISTS was said: no error when there is nothing to do. */
  lenient: boolean
}

export type RoleChoice = string[] | 'ALL' | 'NONE'

export interface UserDefinition extends NamedPrincipal {
  password?: string
  email?: string
  roles?: RoleChoice
  /** How clients of other protocols prove to be this user. */
  plugin?: { readonly name: string; readonly password?: string }
}

export interface RoleDefinition extends NamedPrincipal {
  comment?: string
}

/** What a grant is about, as it is written. */
export interface ObjectName {
  type: 'system' | 'catalog' | 'database' | 'table' | 'view' | 'materialized_view' | 'function' | 'warehouse'
  /** Of one object its name, of all inside something the name of that; empty: all there are. */
  path: string[]
  /** The container is a catalog, or a database. */
  allIn?: 'catalog' | 'database' | 'account'
}

export interface GrantStatement {
  /** Roles that are given, or privileges on an object. */
  what: { roles: string[] } | { privileges: string[] | 'ALL'; object: ObjectName; offset: number }
  grantee: { kind: 'user' | 'role'; name: string }
  withGrantOption: boolean
}

const finished = <T>(reader: TokenReader, result: T | null): T | null => (reader.left() === 0 ? result : null)

function names(reader: TokenReader): string[] | null {
  const found: string[] = []
  do {
    const name = reader.value()
    if (name === null) return null
    found.push(name)
  } while (reader.take(','))
  return found
}

function roleChoice(reader: TokenReader): RoleChoice | null {
  const word = reader.take('ALL', 'NONE')
  return word === 'ALL' || word === 'NONE' ? word : names(reader)
}

/** 'secret' or PASSWORD('secret') */
function password(reader: TokenReader): string | null {
  if (!reader.takeAll('PASSWORD', '(')) return reader.string()
  const value = reader.string()
  return reader.take(')') ? value : null
}

/** name [BY 'password'] */
function plugin(reader: TokenReader): NonNullable<UserDefinition['plugin']> | null {
  const name = reader.value()
  if (name === null || !reader.take('BY')) return name === null ? null : { name }
  const value = reader.string()
  return value === null ? null : { name, password: value }
}

/** Each clause once, in any order. Of a user that there is, the address may be `SET`. */
function userClauses(
  reader: TokenReader,
  verb: 'CREATE' | 'ALTER',
): Omit<UserDefinition, keyof NamedPrincipal> | null {
  const clauses: Omit<UserDefinition, keyof NamedPrincipal> = {}
  while (reader.left() > 0) {
    if (reader.takeAll('IDENTIFIED', 'BY')) {
      const value = password(reader)
      if (value === null || clauses.password !== undefined) return null
      clauses.password = value
    } else if (verb === 'ALTER' && reader.takeAll('IDENTIFIED', 'WITH')) {
      const value = plugin(reader)
      if (value === null || clauses.plugin !== undefined) return null
      clauses.plugin = value
    } else if ((verb === 'ALTER' && reader.takeAll('SET', 'EMAIL')) || reader.take('EMAIL')) {
      reader.take('=')
      const value = reader.string()
      if (value === null || clauses.email !== undefined) return null
      clauses.email = value
    } else if (reader.takeAll('DEFAULT', 'ROLE')) {
      const value = roleChoice(reader)
      if (value === null || clauses.roles !== undefined) return null
      clauses.roles = value
    } else return null
  }
  return clauses
}

/** CREATE USER [IF NOT EXISTS] name [IDENTIFIED BY 'password'] [EMAIL 'address'] [DEFAULT ROLE role, ...] */
export function readCreateUser(statement: Piece): UserDefinition | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('CREATE', 'USER')) return null
  const lenient = reader.takeAll('IF', 'NOT', 'EXISTS')
  const name = reader.value()
  const clauses = name === null ? null : userClauses(reader, 'CREATE')
  return name === null || clauses === null ? null : { name, lenient, ...clauses }
}

/** ALTER USER [IF EXISTS] name IDENTIFIED [WITH plugin] [BY 'password'], [SET] EMAIL [=] 'address' or DEFAULT ROLE role, ... | ALL | NONE */
export function readAlterUser(statement: Piece): UserDefinition | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('ALTER', 'USER')) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = reader.value()
  if (name === null || reader.left() === 0) return null
  const clauses = userClauses(reader, 'ALTER')
  return clauses && { name, lenient, ...clauses }
}

/** CREATE ROLE [IF NOT EXISTS] name [COMMENT [=] 'text'] */
export function readCreateRole(statement: Piece): RoleDefinition | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('CREATE', 'ROLE')) return null
  const lenient = reader.takeAll('IF', 'NOT', 'EXISTS')
  const name = reader.value()
  if (name === null) return null
  if (!reader.take('COMMENT')) return finished(reader, { name, lenient })
  reader.take('=')
  const comment = reader.string()
  return finished(reader, comment === null ? null : { name, lenient, comment })
}

function readDrop(statement: Piece, what: 'USER' | 'ROLE'): NamedPrincipal | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('DROP', what)) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = reader.value()
  return finished(reader, name === null ? null : { name, lenient })
}

/** DROP USER [IF EXISTS] name */
export const readDropUser = (statement: Piece): NamedPrincipal | null => readDrop(statement, 'USER')
/** DROP ROLE [IF EXISTS] name */
export const readDropRole = (statement: Piece): NamedPrincipal | null => readDrop(statement, 'ROLE')

/** SET DEFAULT ROLE role, ... | ALL | NONE [TO user] */
export function readSetDefaultRole(statement: Piece): { roles: RoleChoice; user?: string } | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('SET', 'DEFAULT', 'ROLE')) return null
  const roles = roleChoice(reader)
  if (roles === null) return null
  if (!reader.take('TO')) return finished(reader, { roles })
  const user = reader.value()
  return finished(reader, user === null ? null : { roles, user })
}

/** SET PASSWORD [FOR user] = 'password' | PASSWORD('password') */
export function readSetPassword(statement: Piece): { password: string; user?: string } | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('SET', 'PASSWORD')) return null
  const user = reader.take('FOR') ? reader.value() : undefined
  if (user === null || !reader.take('=')) return null
  const value = password(reader)
  return finished(
    reader,
    value === null ? null : { password: value, ...(user === undefined ? {} : { user }) },
  )
}

const SINGLE = {
  TABLE: 'table',
  VIEW: 'view',
  FUNCTION: 'function',
  MACRO: 'function',
  DATABASE: 'database',
  SCHEMA: 'database',
  CATALOG: 'catalog',
  WAREHOUSE: 'warehouse',
} as const
const PLURAL = {
  TABLES: 'table',
  VIEWS: 'view',
  FUNCTIONS: 'function',
  MACROS: 'function',
  DATABASES: 'database',
  SCHEMAS: 'database',
  CATALOGS: 'catalog',
  WAREHOUSES: 'warehouse',
} as const

function objectName(reader: TokenReader): ObjectName | null {
  if (reader.take('SYSTEM')) return { type: 'system', path: [] }
  if (reader.take('ALL')) return allOf(reader)
  if (reader.takeAll('MATERIALIZED', 'VIEW')) {
    const view = reader.qualifiedName()
    return view && { type: 'materialized_view', path: view }
  }
  const word = reader.peek(1) === '.' ? null : reader.take(...Object.keys(SINGLE))
  const path = reader.qualifiedName()
  if (path === null) return null
  return { type: word === null ? 'table' : SINGLE[word as keyof typeof SINGLE], path }
}

/** ALL TABLES [IN DATABASE d | IN CATALOG c | IN ALL DATABASES] and its relatives. */
function allOf(reader: TokenReader): ObjectName | null {
  const isMaterialized = reader.takeAll('MATERIALIZED', 'VIEWS')
  const word = isMaterialized ? null : reader.take(...Object.keys(PLURAL))
  if (word === null && !isMaterialized) return null
  const type = isMaterialized ? 'materialized_view' : PLURAL[word as keyof typeof PLURAL]
  if (!reader.take('IN')) return { type, path: [], allIn: 'account' }
  if (reader.takeAll('ALL', 'DATABASES')) return { type, path: [], allIn: 'account' }
  const container = reader.take('DATABASE', 'SCHEMA', 'CATALOG')
  const path = container === null ? null : reader.qualifiedName()
  if (path === null || type === 'catalog' || type === 'warehouse') return null
  return { type, path, allIn: container === 'CATALOG' ? 'catalog' : 'database' }
}

const CREATED = ['TABLE', 'VIEW', 'FUNCTION', 'DATABASE', 'WAREHOUSE']

/** One privilege, in capitals; null at anything else. */
function privilege(reader: TokenReader): string | null {
  if (!reader.take('CREATE'))
    return reader.take('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'ALTER', 'DROP', 'USAGE', 'GRANT', 'REFRESH')
  if (reader.takeAll('MATERIALIZED', 'VIEW')) return 'CREATE MATERIALIZED VIEW'
  const what = reader.take(...CREATED)
  return what === null ? null : `CREATE ${what}`
}

function privileges(reader: TokenReader): string[] | 'ALL' | null {
  if (reader.take('ALL')) {
    reader.take('PRIVILEGES')
    return 'ALL'
  }
  const found: string[] = []
  do {
    const one = privilege(reader)
    if (one === null) return null
    found.push(one)
  } while (reader.take(','))
  return found
}

function readWhat(statement: Piece, verb: 'GRANT' | 'REVOKE', hasObject: boolean) {
  const reader = openTokenReader(statement)
  if (!reader.take(verb)) return null
  if (!hasObject) {
    const roles = names(reader)
    return roles && { reader, what: { roles } }
  }
  const wanted = privileges(reader)
  if (wanted === null || !reader.take('ON')) return null
  const offset = reader.offset()
  const object = objectName(reader)
  return object && { reader, what: { privileges: wanted, object, offset } }
}

/** ON comes between privileges and their object, and nowhere else in these statements but in quotes. */
function hasWord(statement: Piece, word: string): boolean {
  for (let at = statement.first; at < statement.until; at++)
    if (keywordAt(statement, at) === word) return true
  return false
}

function readGrantOrRevoke(statement: Piece, verb: 'GRANT' | 'REVOKE'): GrantStatement | null {
  const read = readWhat(statement, verb, hasWord(statement, 'ON'))
  if (!read || !read.reader.take(verb === 'GRANT' ? 'TO' : 'FROM')) return null
  const { reader, what } = read
  const kind = reader.left() > 1 && reader.take('ROLE', 'USER') === 'ROLE' ? 'role' : 'user'
  const name = reader.value()
  if (name === null) return null
  const withGrantOption = verb === 'GRANT' && reader.takeAll('WITH', 'GRANT', 'OPTION')
  return finished(reader, { what, grantee: { kind, name }, withGrantOption })
}

/** GRANT role, ... TO [USER|ROLE] name; GRANT privilege, ... ON object TO [USER|ROLE] name [WITH GRANT OPTION] */
export const readGrant = (statement: Piece): GrantStatement | null => readGrantOrRevoke(statement, 'GRANT')
/** REVOKE role, ... FROM [USER|ROLE] name; REVOKE privilege, ... ON object FROM [USER|ROLE] name */
export const readRevoke = (statement: Piece): GrantStatement | null => readGrantOrRevoke(statement, 'REVOKE')

const MASK = "'***'"

/** The text of a statement that may hold a password, with every quoted part masked: it is kept nowhere. */
export function withoutSecrets(statement: Piece): string {
  if (!hasWord(statement, 'IDENTIFIED') && !hasWord(statement, 'PASSWORD')) return statement.text
  let text = statement.text
  for (let at = statement.until - 1; at >= statement.first; at--) {
    const kind = kindAt(statement, at)
    if (kind !== TOKEN.string && kind !== TOKEN.quotedIdentifier) continue
    const start = offsetOf(statement, at)
    text = text.slice(0, start) + MASK + text.slice(start + textAt(statement, at).length)
  }
  return text
}
