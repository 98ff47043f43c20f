import { pipe } from '@boathouse/contract'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import { implement } from '../../../kernel/implement.ts'
import type { NewPipe } from './pipe-creation.ts'
import type { Pipes } from './service.ts'

const optionsText = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${quoteIdentifier(name)} = ${quoteString(value)}`)
    .join(', ')

/** The INSERT that somebody would write for what they chose in the form. */
const insertText = (table: NewPipe['table'], files: Readonly<Record<string, string>>): string =>
  `INSERT INTO ${[table.catalog, table.database, table.name].map(quoteIdentifier).join('.')} SELECT * FROM FILES(${optionsText(files)})`

export const pipeCalls = (pipes: Pipes) =>
  implement(pipe, {
    pipeSources: async ({ actor }) => ({ list: [...(await pipes.sources(actor))] }),
    createPipe: async (
      caller,
      { catalog, databaseName, name, tableName, path, format, options, properties },
    ) => {
      const table = { catalog, database: databaseName, name: tableName }
      const files = { path, format, ...options }
      const row = await pipes.create(caller, {
        place: { catalog, database: databaseName },
        name,
        table,
        insert: { columns: null, selected: null, files, where: null },
        properties,
        text: insertText(table, files),
        replaces: false,
      })
      return pipes.presented(row)
    },
    listPipes: async ({ actor }, { catalog, databaseName, offset, limit }) => {
      const place =
        catalog === undefined || databaseName === undefined ? undefined : { catalog, database: databaseName }
      const { whole, total } = await pipes.list(actor, { place, offset, limit })
      return { list: whole.map((one) => one.pipe), total }
    },
    describePipe: async ({ actor }, { pipeId }) => pipes.presented(await pipes.find(actor, pipeId)),
    findPipe: async ({ actor }, { catalog, databaseName, name }) =>
      pipes.presented(await pipes.named(actor, { catalog, database: databaseName }, name)),
    listPipeFiles: async ({ actor }, { pipeId, ...page }) => {
      const { list, total } = await pipes.files(await pipes.find(actor, pipeId), page)
      return { list, total }
    },
    changePipe: async (caller, { pipeId, properties }) => {
      await pipes.set(caller, await pipes.find(caller.actor, pipeId), properties)
      return pipes.presented(await pipes.find(caller.actor, pipeId))
    },
    suspendPipe: async (caller, { pipeId }) => {
      await pipes.suspend(caller, await pipes.find(caller.actor, pipeId))
      return pipes.presented(await pipes.find(caller.actor, pipeId))
    },
    resumePipe: async (caller, { pipeId }) => {
      await pipes.resume(caller, await pipes.find(caller.actor, pipeId))
      return pipes.presented(await pipes.find(caller.actor, pipeId))
    },
    dropPipe: async (caller, { pipeId }) => {
      await pipes.drop(caller, await pipes.find(caller.actor, pipeId))
      return {}
    },
    retryPipeFile: async (caller, { pipeId, fileId }) => {
      await pipes.retry(caller, await pipes.find(caller.actor, pipeId), { fileId })
      return {}
    },
    retryPipeFiles: async (caller, { pipeId }) => ({
      retried: await pipes.retryAll(caller, await pipes.find(caller.actor, pipeId)),
    }),
    skipPipeFile: async (caller, { pipeId, fileId }) => {
      await pipes.skip(caller, await pipes.find(caller.actor, pipeId), { fileId })
      return {}
    },
  })
