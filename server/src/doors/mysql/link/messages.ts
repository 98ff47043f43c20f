import type { Column } from '../../../engines/engine/columns.ts'

/**
 * What the process of the MySQL door and the server say to each other. The process speaks the protocol: sockets, TLS,
 * packets, compression, the form of rows. The server decides: who somebody is, what runs, what it did. A client has one
 * number on the link as long as its socket is open, and sends one command at a time, so that an answer belongs to the
 * command that its client sent last. Rows and files travel as bytes in frames of their own (`frames.ts`).
 */

/** How somebody proves to be who they say. `nonce` is the 20 bytes that the greeting sent. */
export type Proof =
  | { readonly kind: 'password'; readonly password: string }
  | {
      readonly kind: 'sha2-scramble' | 'native-scramble'
      readonly scramble: Uint8Array
      readonly nonce: Uint8Array
    }

/** Text in the order of the parameters; bytes for a value that was sent as binary. */
export type SentParameter =
  | { readonly type: 'null' }
  | {
      readonly type: 'integer' | 'unsigned' | 'double' | 'decimal' | 'text' | 'date' | 'timestamp' | 'time'
      readonly text: string
    }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }

/** From the door's process to the server. `client` is missing where a message is about the process itself. */
export type ToServer =
  | { readonly kind: 'listening'; readonly port: number }
  /** For clients of private links too. */
  | { readonly kind: 'listening-privately'; readonly port: number }
  /** It cannot listen, or a certificate is of no use: the message is for the operator. */
  | { readonly kind: 'trouble'; readonly message: string }
  /** Figures since the last such message, about once a second. */
  | { readonly kind: 'figures'; readonly figures: Figures }
  /** First, and for COM_CHANGE_USER. Answered by `signed-in`, `password-needed` or `refused`. */
  | {
      readonly kind: 'sign-in'
      readonly client: number
      readonly user: string
      readonly proof: Proof
      readonly address: string
      /** Missing: it came over the public address. The endpoint is null where its address alone says which it is. */
      readonly privateLink?: { readonly endpointId: string | null }
      readonly isSecure: boolean
      /** Connection attributes, as `program_name`; at most 64 KiB. */
      readonly attributes: Readonly<Record<string, string>>
      /** As it was written: `catalog.database` or `database`; empty for none. */
      readonly database: string
      /** Number of the collation that the client speaks in. */
      readonly collation: number
    }
  /** Runs a text. Answered by `columns`, frames of rows and `ended`, for each of its statements; or by `refused`. */
  | {
      readonly kind: 'run'
      readonly client: number
      readonly sql: string
      /** Missing: the text has no parameters. */
      readonly parameters?: readonly SentParameter[]
      /** Whether a text of several statements is allowed. */
      readonly allowsSeveral: boolean
    }
  /** Answered by `described` or `refused`. */
  | { readonly kind: 'describe'; readonly client: number; readonly sql: string }
  /** COM_FIELD_LIST. Answered by `described` or `refused`. */
  | { readonly kind: 'list-fields'; readonly client: number; readonly table: string; readonly like: string }
  /** COM_INIT_DB. Answered by `ended` or `refused`. */
  | { readonly kind: 'enter'; readonly client: number; readonly database: string }
  /** COM_RESET_CONNECTION. Answered by `ended` or `refused`. */
  | { readonly kind: 'reset'; readonly client: number }
  /** COM_PROCESS_KILL. Answered by `ended` or `refused`. */
  | { readonly kind: 'kill'; readonly client: number; readonly connection: number }
  /** COM_STATISTICS. Answered by `statistics`. */
  | { readonly kind: 'statistics'; readonly client: number }
  /** So many bytes of rows were taken by the client: as many more may be sent. */
  | { readonly kind: 'granted'; readonly client: number; readonly bytes: number }
  /** Behind the last frame of a file (LOCAL INFILE); `error`: the client could not read it, or went away. */
  | { readonly kind: 'file-sent'; readonly client: number; readonly error: string | null }
  /** The socket is closed. What runs is to be stopped. Nothing more is sent for this client, in either direction. */
  | { readonly kind: 'gone'; readonly client: number }

/** From the server to the door's process. */
export type ToDoor =
  /** First, and when something of it changes: a certificate that was renewed is used by the next connection. */
  | { readonly kind: 'settings'; readonly settings: DoorSettings }
  /** No more connections; those that are open end when their command has. */
  | { readonly kind: 'stop' }
  | {
      readonly kind: 'signed-in'
      readonly client: number
      readonly connection: number
      readonly session: SessionState
    }
  /** The scramble proves nothing here: ask for the password itself. */
  | { readonly kind: 'password-needed'; readonly client: number }
  /** The command failed as a whole. A sign-in that is refused ends the connection. */
  | { readonly kind: 'refused'; readonly client: number; readonly error: SqlError }
  /** A statement has a result; frames of rows follow, and `ended`. */
  | { readonly kind: 'columns'; readonly client: number; readonly columns: readonly Column[] }
  /** A statement has ended; `isLast`: and with it the command. */
  | {
      readonly kind: 'ended'
      readonly client: number
      readonly isLast: boolean
      readonly error: SqlError | null
      readonly affectedRows: number
      readonly lastInsertId: number
      readonly warnings: number
      /** For people, as 'Rows matched: 1  Changed: 1  Warnings: 0'. */
      readonly info: string
      readonly session: SessionState
    }
  /** Null columns: they are known when it runs. */
  | {
      readonly kind: 'described'
      readonly client: number
      readonly columns: readonly Column[] | null
      readonly parameters: number
    }
  | { readonly kind: 'statistics'; readonly client: number; readonly text: string }
  /** LOCAL INFILE: ask the client for this file, and send it as frames, then `file-sent`. */
  | { readonly kind: 'file-wanted'; readonly client: number; readonly name: string }
  /** So many bytes of the file were taken: as many more may be sent. */
  | { readonly kind: 'file-granted'; readonly client: number; readonly bytes: number }
  /** Somebody else closed the connection, or the client may not be here any more. Send the error if it waits, and hang up. */
  | { readonly kind: 'hang-up'; readonly client: number; readonly error: SqlError }

/** As MySQL numbers errors. */
export interface SqlError {
  readonly code: number
  readonly sqlState: string
  readonly message: string
}

/** What the protocol needs to know of a connection after each command. */
export interface SessionState {
  /** As `SELECT DATABASE()` says; empty for none. */
  readonly database: string
  readonly isAutocommit: boolean
  readonly inTransaction: boolean
  /** Texts of the client are in this character set, and results are sent in it. */
  readonly clientCharset: Charset
  readonly resultCharset: Charset
  /** NO_BACKSLASH_ESCAPES is a part of sql_mode, of which clients ask the server's status flags. */
  readonly isWithoutBackslash: boolean
  /** Variables that the command has set, for clients that track them. */
  readonly changed: Readonly<Record<string, string>>
}

/** `binary`: as they are, which is UTF-8. */
export type Charset = 'utf8mb4' | 'latin1' | 'ascii' | 'binary'

export interface DoorSettings {
  /** The number of the first client; each further one has the next. It is also what the greeting calls its connection. */
  readonly firstClient: number
  readonly host: string
  readonly port: number
  readonly version: string
  /** Certificate and key as PEM. */
  readonly certificate: string
  readonly key: string
  /** Whether somebody who is not on this machine must use TLS. */
  readonly requiresTls: boolean
  /** Bytes of a command at most. */
  readonly mostPacketBytes: number
  /** Characters of a text at most: a longer one is refused before it travels. */
  readonly mostTextLength: number
  readonly mostConnections: number
  /** Before somebody is signed in, at one address. */
  readonly mostUnknownPerAddress: number
  readonly signInMs: number
  readonly allowsLocalFiles: boolean
  /** Null: there is no private link. */
  readonly privateLink: PrivateSettings | null
  /** Where results of cursors that are too large for memory are kept. */
  readonly temporaryFolder: string
}

/** Where clients of private links connect, and who of them is greeted at all; the server decides again at the sign-in. */
export interface PrivateSettings {
  readonly host: string
  readonly port: number
  /** Load balancers that say which endpoint their client came through, first and last addresses; null: addresses say it. */
  readonly proxies: readonly number[] | null
  /** Of approved endpoints. */
  readonly endpointIds: readonly string[]
  readonly ranges: readonly number[]
}

/** Counted by the process. */
export interface Figures {
  readonly open: number
  readonly accepted: number
  /** Handshakes that came to nothing, by cause. */
  readonly refused: Readonly<Record<string, number>>
  readonly bytesIn: number
  readonly bytesOut: number
  readonly commands: number
}
