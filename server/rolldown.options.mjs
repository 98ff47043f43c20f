import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** As one file instead of two hundred, the driver lets an engine start in a third of the time. */
const DRIVER = '@duckdb/node-api'

/** Everything but our own code and packages stays in node_modules: native parts need their files beside them. */
const isExternal = (id) =>
  !id.startsWith('.') &&
  !id.startsWith('/') &&
  !/^[A-Za-z]:/.test(id) &&
  !id.startsWith('@boathouse/') &&
  id !== DRIVER

export const nodeBundle = (input, dir) => ({
  input,
  platform: 'node',
  external: isExternal,
  output: {
    dir,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
})

/** The server, the process that holds an engine, the thread that reads spreadsheets, what makes the guard of engines, what looks at extensions, the process that speaks MySQL's protocol, and the threads that analyse large texts, read large JSON and print invoices, as they run. */
export const serverBundle = nodeBundle(
  {
    main: here('src/main.ts'),
    operator: here('src/operator-main.ts'),
    'engine-host': here('src/engines/duckdb/host/host.ts'),
    'sheet-reader': here('src/engines/duckdb/files/sheets/sheet-reader.ts'),
    'engine-guard': here('src/engines/duckdb/guard/build-guard.ts'),
    'engine-extensions': here('src/engines/duckdb/extensions/probe-main.ts'),
    'mysql-door': here('src/doors/mysql/process/main.ts'),
    'sql-analysis': here('src/modules/query/analysis/worker.ts'),
    'json-reader': here('src/kernel/json/worker.ts'),
    'pdf-printer': here('src/modules/payment/printing/worker.ts'),
  },
  here('dist'),
)
