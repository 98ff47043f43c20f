import { probeExtensions } from './probe.ts'

/** Says on standard output what lies in the folder that it is called with; for the command line, which has no DuckDB. */
const [, , folder = ''] = process.argv
process.stdout.write(`${JSON.stringify(await probeExtensions(folder))}\n`)
