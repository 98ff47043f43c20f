import { refuse } from '../../../testing/stub-server.ts'
import type { StubHandlers } from '../../../testing/stub-server.ts'
import type { EditorState } from './editor-state.ts'

const listOf = <T>(list: T[]) => ({ list, total: list.length })

/** Calls about the catalogs of the state. */
export function schemaCalls(state: EditorState): StubHandlers {
  const databasesOf = (catalog: string) =>
    state.catalogs.get(catalog) ?? refuse('NotFound', `There is no catalog ${catalog}.`)
  function contentsOf(catalog: string, database: string) {
    const databases = databasesOf(catalog)
    if (!(databases instanceof Map)) return databases
    return databases.get(database) ?? refuse('NotFound', `There is no database ${database}.`)
  }
  return {
    'schema.catalogs': () => listOf([...state.catalogs.keys()].map((name) => ({ name, type: 'Internal' }))),
    'schema.databases': ({ catalog }) => {
      const found = databasesOf(catalog)
      if (!(found instanceof Map)) return found
      return listOf([...found.keys()].sort().map((name) => ({ name, databaseId: name })))
    },
    'schema.tables': ({ catalog, databaseName }) => {
      const found = contentsOf(catalog, databaseName)
      if (!('tables' in found)) return found
      return { list: [], names: found.tables.toSorted(), total: found.tables.length }
    },
    'schema.views': ({ catalog, databaseName }) => {
      const found = contentsOf(catalog, databaseName)
      if (!('views' in found)) return found
      return { list: [], names: found.views.toSorted(), total: found.views.length }
    },
    'schema.materializedViews': () =>
      listOf(
        state.materialized.map((mvName) => ({
          mvName,
          type: 'materialized_view' as const,
          trigger: 'manual' as const,
          paused: false,
          lastRefreshState: null,
          lastRefreshAt: null,
        })),
      ),
    'schema.columns': ({ tableName, name }) => ({
      tableName: tableName ?? name ?? '',
      type: tableName === undefined ? 'view' : 'table',
      columns: state.columns.map((column) => ({
        name: column,
        type: 'BIGINT',
        nullable: true,
        primaryKey: false,
        default: null,
        length: null,
        precision: null,
        scale: null,
        comment: '',
      })),
      total: state.columns.length,
    }),
    'schema.search': () => ({ list: state.found, more: false }),
    'schema.describe': ({ tableName, name }) => ({
      name: tableName ?? name ?? '',
      type: 'table',
      comment: '',
      columnCount: 2,
      fixed: '',
      size: null,
      rows: { count: 25, exact: true },
      actions: ['read', 'alter', 'drop'],
    }),
    'schema.dependencies': () => ({ uses: [], usedBy: state.usedBy, hidden: 0, broken: '' }),
    'schema.dropTable': () => ({}),
    'schema.dropView': () => ({}),
  }
}
