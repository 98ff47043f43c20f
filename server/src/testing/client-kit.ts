import type { Column } from '../engines/engine/columns.ts'
import { cellsOf } from '../engines/engine/batches.ts'
import type { RowBatch, RowSink } from '../engines/engine/sink.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Requester } from '../modules/query/requester.ts'
import type { TestApp, TestUser } from './start-app.ts'

export const HERE = '198.51.100.7'

/** As a door that has let somebody in knows them, with what holds at each moment. */
export async function identityOf(app: TestApp, { name, accountId }: TestUser): Promise<Requester> {
  const { user_id: userId } = await app.store.db
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const now = async () => {
    const actor = await app.actorOf(userId)
    if (!actor) throw new AppError('LoginRequired', 'Nobody has this name any more.')
    return actor
  }
  return { known: await now(), now }
}

/** A connection of a program of this user. */
export const openProgram = async (app: TestApp, user: TestUser, clientIp = HERE) =>
  app.queries.connections.open(await identityOf(app, user), { door: 'mysql', program: 'oars 1.0' }, clientIp)

/** Keeps what it takes; `hold` is awaited before each batch is taken. */
export class TestSink implements RowSink {
  readonly results: { columns: readonly Column[]; rows: (string | null)[][] }[] = []
  batches = 0

  constructor(private readonly hold: (batch: number) => Promise<void> = async () => undefined) {}

  begin(columns: readonly Column[]): void {
    this.results.push({ columns, rows: [] })
  }

  async write(batch: RowBatch): Promise<void> {
    this.batches++
    await this.hold(this.batches)
    this.results.at(-1)?.rows.push(...cellsOf(batch))
  }
}
