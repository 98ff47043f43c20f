/** What both sides can do, as the greeting and the login packet say it. */
export const CAN = {
  longPassword: 0x1,
  foundRows: 0x2,
  longFlag: 0x4,
  connectWithDatabase: 0x8,
  compress: 0x20,
  localFiles: 0x80,
  ignoreSpace: 0x100,
  protocol41: 0x200,
  interactive: 0x400,
  tls: 0x800,
  ignoreSigpipe: 0x1000,
  transactions: 0x2000,
  secureConnection: 0x8000,
  multiStatements: 0x1_0000,
  multiResults: 0x2_0000,
  multiResultsOfPrepared: 0x4_0000,
  pluginAuth: 0x8_0000,
  connectAttributes: 0x10_0000,
  longAuthData: 0x20_0000,
  sessionTrack: 0x80_0000,
  deprecateEof: 0x100_0000,
  zstd: 0x400_0000,
  queryAttributes: 0x800_0000,
} as const

/** What the server says of a connection with each answer. */
export const STATUS = {
  inTransaction: 0x1,
  autocommit: 0x2,
  moreResults: 0x8,
  cursorExists: 0x40,
  lastRowSent: 0x80,
  noBackslash: 0x200,
  sessionChanged: 0x4000,
} as const

/** Kinds of commands: the first byte of a client's packet. */
export const COMMAND = {
  quit: 0x01,
  enterDatabase: 0x02,
  query: 0x03,
  listFields: 0x04,
  statistics: 0x09,
  debug: 0x0d,
  kill: 0x0c,
  ping: 0x0e,
  changeUser: 0x11,
  prepare: 0x16,
  execute: 0x17,
  longData: 0x18,
  closeStatement: 0x19,
  resetStatement: 0x1a,
  setOption: 0x1b,
  fetch: 0x1c,
  resetConnection: 0x1f,
} as const
