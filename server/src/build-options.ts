import type { CallDescriptions } from '@boathouse/contract/openapi'
import type { Config } from './config.ts'
import type { ConsoleFiles } from './doors/http/console-files.ts'
import type { HttpTimes } from './doors/http/server.ts'
import type { ClusterSpace } from './engines/engine/cluster-space.ts'
import type { LocalProvider } from './engines/engine/local-space.ts'
import type { EngineProvider } from './engines/engine/provider.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import type { TransactionLimits } from './modules/load/stream/transactions/build-transactions.ts'
import type { ReaderProvider } from './results/reader.ts'
import type { Store } from './store/store.ts'

/** What differs between the product, a test and a benchmark. */
export interface BuildOptions {
  readonly config: Config
  readonly version: string
  readonly store: Store
  /** The home engines, which have the accounts' own data, and the readers of results. */
  readonly engines: LocalProvider & ReaderProvider & { readonly version: string }
  /** Other kinds of engines on this machine that a warehouse may have. */
  readonly otherEngines?: readonly LocalProvider[]
  /** A kind of engine of which each warehouse is a cluster of its own. */
  readonly clusterEngine?: EngineProvider<ClusterSpace> | undefined
  readonly consoleFiles: ConsoleFiles
  /** What the comments of the contract say, which the build has read; missing in tests. */
  readonly callDescriptions?: CallDescriptions
  /** The thread that analyses large texts, as a file. */
  readonly analysisWorker: () => Promise<string>
  /** The thread that reads large JSON, as a file. */
  readonly jsonWorker: () => Promise<string>
  /** The thread that prints invoices, as a file. */
  readonly pdfWorker: () => Promise<string>
  /** The process that speaks the MySQL protocol, as a file. */
  readonly mysqlDoor: () => Promise<string>
  readonly clock: Clock
  readonly log: Log
  /** For the operator, if somebody reads the terminal. */
  readonly tell: (text: string) => void
  readonly httpTimes?: HttpTimes
  /** How long a program that sends data may be silent. */
  readonly streamIdleMs?: number | undefined
  readonly transactionLimits?: TransactionLimits | undefined
  /** When a failed question to an issuer of single sign-on is answered. */
  readonly issuerFailsAfterMs?: number
  /** After this long without an answer nobody can say how an engine is. */
  readonly silentAfterMs?: number | undefined
  /** Whether timers run its jobs; by default they do. */
  readonly runsJobs?: boolean
}
