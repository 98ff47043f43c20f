import type { RowSpool } from '../results/row-spool.ts'
import type { ParameterType } from '../wire/parameters.ts'
import { ProtocolError } from '../wire/protocol-error.ts'
import { LongData } from './long-data.ts'

const MOST_STATEMENTS = 1024

export interface PreparedStatement {
  readonly id: number
  readonly sql: string
  readonly parameters: number
  /** As the client sent them last: it need not send them again. */
  types: readonly ParameterType[]
  /** Parts of parameters that were sent ahead. */
  readonly longData: Map<number, LongData>
  longDataBytes: number
  /** Too much was sent ahead: the next execution says so. */
  isOverfull: boolean
  /** The rows that are left for a cursor to fetch. */
  cursor: RowSpool | null
}

/** The statements that a connection has prepared. */
export class PreparedStatements {
  readonly #statements = new Map<number, PreparedStatement>()
  /** Of all texts and all long data together. */
  readonly #mostBytes: number
  #bytes = 0
  #last = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Throws where there is no room for one more, before the server is asked. */
  checkRoom(sqlBytes: number): void {
    if (this.#statements.size < MOST_STATEMENTS && this.#bytes + sqlBytes <= this.#mostBytes) return
    const message = `Can't create more than max_prepared_stmt_count statements (current value: ${MOST_STATEMENTS})`
    throw new ProtocolError(1461, '42000', message)
  }

  add(sql: string, parameters: number): PreparedStatement {
    const id = ++this.#last
    const statement: PreparedStatement = {
      id,
      sql,
      parameters,
      types: [],
      longData: new Map(),
      longDataBytes: 0,
      isOverfull: false,
      cursor: null,
    }
    this.#statements.set(id, statement)
    this.#bytes += sql.length
    return statement
  }

  find(id: number): PreparedStatement | null {
    return this.#statements.get(id) ?? null
  }

  get(id: number, command: string): PreparedStatement {
    const statement = this.#statements.get(id)
    if (statement) return statement
    throw new ProtocolError(1243, 'HY000', `Unknown prepared statement handler (${id}) given to ${command}`)
  }

  keepLongData(statement: PreparedStatement, parameter: number, bytes: Buffer): void {
    if (parameter >= statement.parameters || this.#bytes + bytes.length > this.#mostBytes) {
      statement.isOverfull = true
      return
    }
    const data = statement.longData.get(parameter) ?? new LongData()
    data.append(bytes)
    statement.longData.set(parameter, data)
    statement.longDataBytes += bytes.length
    this.#bytes += bytes.length
  }

  dropLongData(statement: PreparedStatement): void {
    this.#bytes -= statement.longDataBytes
    statement.longData.clear()
    statement.longDataBytes = 0
    statement.isOverfull = false
  }

  close(statement: PreparedStatement): void {
    this.dropLongData(statement)
    statement.cursor?.close()
    statement.cursor = null
    if (this.#statements.delete(statement.id)) this.#bytes -= statement.sql.length
  }

  clear(): void {
    for (const statement of this.#statements.values()) this.close(statement)
  }
}
